"""unsolvable: about half of the instances have no plan, which an exhaustive search has proven.

Their goal joins facts each of which can be reached, but not all of them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from misstep.families.planbench.generate.drawing import (
    Draft,
    Draw,
    Drawn,
    fluent_facts,
    goals,
    independent,
    with_goal,
)
from misstep.families.planbench.generate.plans import solved as with_plan
from misstep.families.planbench.generate.walks import walk
from misstep.families.planbench.spec import NO_PLAN
from misstep.families.planbench.texts import state_after
from misstep.planning.model import Atom, Formula, Problem

LONGEST_WALK = 12
TRIED = 6
"""Pairs of facts that are tried for one instance before another is drawn."""


def unsolvable(draw: Draw) -> Draft | None:
    """Examples have a plan and have none by turns."""
    query = _hopeless if draw.chance.below(2) else _hopeful
    kinds = (_hopeful, _hopeless)
    return independent(draw, [query, *(kinds[k % 2] for k in range(draw.settings.examples))])


def _hopeful(draw: Draw) -> Drawn | None:
    case = with_plan(draw)
    return case and replace(case, kind="plan")


def _hopeless(draw: Draw) -> Drawn | None:
    """Joins the goal with facts that rival it, until no state that can be reached has them all."""
    problem = draw.problem()
    parts = goals(problem)
    for pair in draw.chance.shuffled(_rivals(parts, _reached(draw, problem)))[:TRIED]:
        joined = with_goal(problem, draw.chance.shuffled(tuple(dict.fromkeys((*parts, *pair)))))
        if draw.solvers.is_hopeless(joined):
            return Drawn(joined, (NO_PLAN,), 0, kind=NO_PLAN)
    return None


def _rivals(parts: Sequence[Formula], reached: Sequence[Atom]) -> list[tuple[Atom, Atom]]:
    """Two facts that say the same of partly other objects: one of the goal and one that can be
    reached, if there are such; else both that can be reached."""
    wanted = [part for part in parts if isinstance(part, Atom)]
    for ours in (wanted, reached):
        pairs = [(one, two) for one in ours for two in reached if _is_rival(one, two)]
        new = [pair for pair in pairs if pair[1] not in parts]
        if new:
            return new
    return []


def _is_rival(one: Atom, two: Atom) -> bool:
    is_other = one.predicate == two.predicate and one != two
    return is_other and any(a == b for a, b in zip(one.terms, two.terms, strict=False))


def _reached(draw: Draw, problem: Problem) -> list[Atom]:
    """Facts that hold somewhere on a random walk: each of them can be reached."""
    steps = walk(draw, problem, LONGEST_WALK)
    facts: dict[Atom, None] = {}
    for length in range(len(steps) + 1):
        facts |= dict.fromkeys(fluent_facts(problem.domain, state_after(problem, steps[:length])))
    return list(facts)
