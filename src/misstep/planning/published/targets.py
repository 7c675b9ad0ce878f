"""Where the original graded a reply on something else than its prompt asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from misstep.planning.model import And, Atom, Problem, Step
from misstep.planning.published.asked import Asked
from misstep.planning.published.results import StoredTarget
from misstep.planning.validation import validate

_SHOWN = 4


def graded_elsewhere(
    asked: Asked, target: StoredTarget | None, stored: Sequence[Step], is_correct: bool
) -> str:
    """What the stored verdict on the stored plan fits, in words: what the original wrote down to
    grade on, or the instance in the file. Empty where it fits what the prompt asks, or nothing."""
    if validate(asked.problem, stored).is_valid == is_correct:
        return ""
    for whose, problem in _others(asked, target):
        if validate(problem, stored).is_valid == is_correct:
            return f"stored verdict is on {whose}: {_differing(asked.problem, problem)}"
    return ""


def _others(asked: Asked, target: StoredTarget | None) -> Iterator[tuple[str, Problem]]:
    if target is not None:
        init, goal = (tuple(map(_atom, sorted(part))) for part in (target.init, target.goal))
        yield "another problem than asked", replace(asked.problem, init=init, goal=And(goal))
    if asked.instance is not None:
        yield "the instance in the file, not on what is asked", asked.instance


def _differing(asked: Problem, other: Problem) -> str:
    """Which goals and which facts at the start are others."""
    parts = []
    if asked.goals.facts != other.goals.facts:
        parts.append(f"goal {_listed(other.goals.facts)}, not {_listed(asked.goals.facts)}")
    more, less = other.start_facts - asked.start_facts, asked.start_facts - other.start_facts
    if more or less:
        parts.append(f"start with {_listed(more)}, without {_listed(less)}")
    return "; ".join(parts)


def _listed(facts: frozenset[tuple[str, ...]]) -> str:
    told = [f"({' '.join(fact)})" for fact in sorted(facts)]
    more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    return f"{' '.join(told[:_SHOWN]) or 'none'}{more}"


def _atom(text: str) -> Atom:
    predicate, *terms = text.strip("()").split()
    return Atom(predicate, tuple(terms))
