"""Solves many problems by Fast Downward: in parallel, cached, answers in the problems' order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from misstep.planning.planners.answers import DEFAULT_LIMITS, Answer, Limits
from misstep.planning.planners.cache import cache_key, cached_answer, keep_answer
from misstep.planning.planners.fast_downward import (
    OPTIMAL,
    Configuration,
    FastDownward,
    read_answer,
)
from misstep.planning.planners.processes import Finished, run_jobs, usable_cores


@dataclass(frozen=True, slots=True)
class Pddl:
    """A problem to solve, as text."""

    domain: str
    problem: str


@dataclass(frozen=True, slots=True)
class Solving:
    """How to solve: `workers` planners run at a time (0: one for each usable core), answers are
    kept in the folder `cache` (None: nowhere)."""

    planner: FastDownward
    configuration: Configuration = OPTIMAL
    limits: Limits = DEFAULT_LIMITS
    workers: int = 0
    cache: Path | None = None


Progress = Callable[[int, int], None]
"""Called with how many problems are done, and of how many."""

Check = Callable[[int, Answer], Answer]
"""The place of a problem and its answer → the answer to be believed."""


def solve_texts(
    problems: Sequence[Pddl], how: Solving, progress: Progress | None = None
) -> tuple[Answer, ...]:
    """An answer for each, in order. Equal problems are solved once. What goes wrong with a planner
    stands in the answer's outcome; nothing is raised for it."""
    return solve_checked(problems, how, lambda _index, answer: answer, progress)


def solve_checked(
    problems: Sequence[Pddl], how: Solving, check: Check, progress: Progress | None = None
) -> tuple[Answer, ...]:
    """As `solve_texts`, with each answer passed through `check` before it is kept; a cached one
    that doesn't pass unchanged is found anew."""
    places: dict[str, list[int]] = {}
    for index, problem in enumerate(problems):
        places.setdefault(_key(problem, how), []).append(index)
    answers = _from_cache(places, how, check)
    count = _Count(progress, len(problems))
    count.add(sum(len(places[key]) for key in answers))
    todo = [key for key in places if key not in answers]

    def take(number: int, finished: Finished) -> None:
        key = todo[number]
        answer = check(places[key][0], read_answer(how.planner, how.configuration, finished))
        if how.cache is not None:
            keep_answer(how.cache, key, how.limits, answer)
        answers[key] = answer
        count.add(len(places[key]))

    texts = [problems[places[key][0]] for key in todo]
    jobs = [how.planner.job(text.domain, text.problem, how.configuration) for text in texts]
    run_jobs(jobs, how.limits, how.workers or usable_cores(), take)
    by_place = {index: answers[key] for key, indexes in places.items() for index in indexes}
    return tuple(by_place[index] for index in range(len(problems)))


class _Count:
    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def add(self, done: int) -> None:
        self._done += done
        if self._progress is not None and done:
            self._progress(self._done, self._total)


def _from_cache(places: Mapping[str, list[int]], how: Solving, check: Check) -> dict[str, Answer]:
    found: dict[str, Answer] = {}
    if how.cache is None:
        return found
    for key, indexes in places.items():
        answer = cached_answer(how.cache, key, how.limits)
        if answer is not None and check(indexes[0], answer) == answer:
            found[key] = answer
    return found


def _key(problem: Pddl, how: Solving) -> str:
    configuration = how.configuration
    return cache_key(
        how.planner.version,
        configuration.name,
        *configuration.searches,
        str(configuration.is_optimal),
        problem.domain,
        problem.problem,
    )
