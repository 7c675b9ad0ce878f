"""A set of pictures bought problem by problem; the same order goes on where it was stopped."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.progress import report
from misstep.core.seeds import stream
from misstep.families.faces import sets
from misstep.families.faces.attributes import Attributes, dealt
from misstep.families.faces.service.calls import Call
from misstep.families.faces.service.drawing import (
    SOURCE,
    VERSION,
    Drawing,
    Drawn,
    Eyes,
    GivenUp,
    Take,
    Terms,
)
from misstep.families.faces.service.pace import Pace
from misstep.families.faces.service.purchases import Answer
from misstep.families.faces.sets import Problem, Shot

ANSWERS = "bought"
"""The folder within the set that keeps every answer as it came."""


@dataclass(frozen=True)
class Order:
    """`count` problems of a seed, into a folder, so many at a time."""

    folder: Path
    count: int
    combinations: Sequence[Attributes]
    terms: Terms
    workers: int


@dataclass(frozen=True)
class Job:
    """A problem that is still to be made; `take` counts those of its number that were rejected."""

    number: int
    take: int
    attributes: Attributes


@dataclass(frozen=True)
class Made:
    """What came of an order. `given_up` says by number which picture never passed."""

    made: int
    redraws: Counter[str]
    given_up: Mapping[int, str] = field(default_factory=dict)


def jobs(order: Order) -> list[Job]:
    """What the set lacks; BadInput where the folder holds the set of another source or seed."""
    found = tuple(sets.read_problems(order.folder))
    for problem in found:
        if (problem.source, problem.seed) != (SOURCE, order.terms.seed):
            raise BadInput(
                f"--out: {order.folder}: holds problems of {problem.source}, seed {problem.seed}"
            )
    refused = sets.rejected(order.folder)
    takes = Counter(one.number for one in found if one.id in refused)
    there = {one.number for one in found if one.id not in refused}
    return [
        Job(number, takes[number], dealt(order.terms.seed, VERSION, number, order.combinations))
        for number in range(order.count)
        if number not in there
    ]


def make(
    order: Order, todo: Sequence[Job], ask: Callable[[Call], Answer], eyes: Eyes, pace: Pace
) -> Made:
    """Make them, each added to the set as it is done. MisstepError ends the work for good, when
    every call under way has been answered and kept."""
    redraws: Counter[str] = Counter()
    given_up: dict[int, str] = {}
    made = 0

    def draw(job: Job) -> Drawn:
        return Drawing(job.attributes, (job.number, job.take), order.terms, ask, eyes).draw()

    with _working(order.workers, pace) as pool:
        under_way = {pool.submit(draw, job): job for job in todo}
        report(0, len(todo), _WHAT)
        for place, done in enumerate(as_completed(under_way), 1):
            drawn = _result(done, under_way[done], redraws, given_up)
            if drawn is not None:
                _put(order, under_way[done], drawn)
                made += 1
            report(place, len(todo), _WHAT)
    return Made(made, redraws, given_up)


_WHAT = "buying problems of faces"


def _result(
    done: Future[Drawn], job: Job, redraws: Counter[str], given_up: dict[int, str]
) -> Drawn | None:
    try:
        drawn = done.result()
    except GivenUp as error:
        given_up[job.number] = str(error)
        redraws.update(error.redraws)
        return None
    redraws.update(drawn.redraws)
    return drawn


@contextmanager
def _working(workers: int, pace: Pace) -> Iterator[ThreadPoolExecutor]:
    """Whatever ends the work, Ctrl-C too, calls under way are waited for and no other begins."""
    with ThreadPoolExecutor(workers) as pool:
        try:
            yield pool
        except BaseException:
            report(0, 1, "waiting for the calls under way")
            raise
        finally:
            pace.stop()
            pool.shutdown(wait=False, cancel_futures=True)


def _put(order: Order, job: Job, drawn: Drawn) -> None:
    shown = _order(order, job)
    takes = (drawn.right, *drawn.others)
    candidates = [takes[place] for place in shown]
    content = hashlib.sha256(b"".join(one.picture for one in (drawn.reference, *takes))).hexdigest()
    name = f"{SOURCE}-{order.terms.seed}-{job.number:04}-{content[:8]}"
    problem = Problem(
        id=name,
        source=SOURCE,
        version=VERSION,
        seed=order.terms.seed,
        number=job.number,
        take=job.take,
        attributes=job.attributes,
        reference=_shot(f"{name}-0.png", drawn.reference),
        candidates=tuple(
            _shot(f"{name}-{place}.png", one) for place, one in enumerate(candidates, 1)
        ),
        truth=str(shown.index(0) + 1),
        distances=_distances(drawn.reference, candidates),
        beside=_distances(drawn.right, candidates),
        redraws=dict(drawn.redraws),
    )
    for shot, take in zip(problem.shots, (drawn.reference, *candidates), strict=True):
        sets.keep(order.folder, shot.file, take.picture)
    sets.add(order.folder, problem)


def _order(order: Order, job: Job) -> list[int]:
    """Which picture stands at each place; 0 is the right one."""
    chance = stream("faces", VERSION, order.terms.seed, SOURCE, job.number, job.take, "order")
    return chance.shuffled(range(sets.CANDIDATES))


def _shot(file: str, take: Take) -> Shot:
    return Shot(file, sets.sha256(take.picture), {"seed": take.asked_seed})


def _distances(one: Take, candidates: Sequence[Take]) -> tuple[float, ...]:
    return tuple(round(math.dist(one.embedding, each.embedding), 4) for each in candidates)
