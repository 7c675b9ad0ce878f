"""Goal reformulation: the example's own problem, its goals reordered, a part of them, or all.

A full goal is the whole state at the end of the example's plan, static facts apart; so the
example's plan answers all three questions (§6.1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from misstep.families.planbench.generate.drawing import (
    TRIES,
    Draft,
    Draw,
    Drawn,
    fluent_facts,
    goals,
    independent,
    with_goal,
)
from misstep.families.planbench.generate.plans import solved
from misstep.families.planbench.texts import state_after, steps_of
from misstep.planning.model import Formula

Pair = tuple[Drawn, Drawn]
"""A question and the example about its own problem."""


def goal_shuffling(draw: Draw) -> Draft | None:
    return _reformulated(draw, _shuffled)


def goal_full_to_partial(draw: Draw) -> Draft | None:
    return _reformulated(draw, lambda draw, case: _partial(draw, case, is_asked=True))


def goal_partial_to_full(draw: Draw) -> Draft | None:
    return _reformulated(draw, lambda draw, case: _partial(draw, case, is_asked=False))


def _reformulated(draw: Draw, reform: Callable[[Draw, Drawn], Pair | None]) -> Draft | None:
    """The last example is about the question's problem; others, before it, are about others."""
    for _ in range(TRIES):
        case = solved(draw)
        pair = reform(draw, case) if case is not None else None
        if pair is not None:
            return _draft(draw, *pair)
    return None


def _draft(draw: Draw, query: Drawn, example: Drawn) -> Draft | None:
    wanted = draw.settings.examples
    if wanted == 0:
        return Draft(query, ())
    drawn = independent(draw, [lambda _: example, *[solved] * (wanted - 1)])
    return Draft(query, (*drawn.examples, drawn.query)) if drawn is not None else None


def _shuffled(draw: Draw, case: Drawn) -> Pair | None:
    parts = goals(case.problem)
    if len(set(parts)) < 2:
        case, parts = _full(case), goals(_full(case).problem)
    for _ in range(TRIES):
        other = tuple(draw.chance.shuffled(parts))
        if other != parts:
            return _with(case, other), case
    return None


def _partial(draw: Draw, case: Drawn, *, is_asked: bool) -> Pair | None:
    """A part that the start doesn't meet already, and the full goal."""
    full = _full(case)
    parts = goals(full.problem)
    met = set[Formula](case.problem.init)
    open_parts = [part for part in parts if part not in met]
    if len(parts) < 2 or not open_parts:
        return None
    kept = {draw.chance.choice(open_parts)}
    kept |= set(draw.chance.sample(parts, draw.chance.below(len(parts) - 1)))
    if len(kept) == len(parts):
        return None
    partial = _with(full, tuple(part for part in parts if part in kept))
    return (partial, full) if is_asked else (full, partial)


def _full(case: Drawn) -> Drawn:
    end = state_after(case.problem, steps_of(case.answer))
    return _with(case, fluent_facts(case.problem.domain, end))


def _with(case: Drawn, parts: tuple[Formula, ...]) -> Drawn:
    """The same plan for another goal; no claim that it is a shortest one is kept."""
    return replace(case, problem=with_goal(case.problem, parts), is_shortest=False)
