"""A set out of a folder of photographs: a problem for each person of whom there can be one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import BadInput, MisstepError
from misstep.core.progress import report
from misstep.core.seeds import digest, stream
from misstep.families.faces import sets
from misstep.families.faces.photographs.choosing import (
    SOURCE,
    VERSION,
    Chosen,
    Terms,
    choose,
)
from misstep.families.faces.photographs.people import Skipped
from misstep.families.faces.photographs.portraits import Portrait, Sitter
from misstep.families.faces.sets import Problem, Shot

WHO = "person"
"""What the index says of each picture: whom it shows."""


@dataclass(frozen=True)
class Made:
    """What came of a folder. `kept` problems were there before; `failing` of those made would not
    have passed the gate, which was not asked."""

    made: int
    kept: int
    failing: int
    skipped: tuple[Skipped, ...]


def check_out(folder: Path, seed: int) -> None:
    """BadInput where the folder holds a set of another source or seed."""
    for problem in sets.read_problems(folder):
        if (problem.source, problem.seed) != (SOURCE, seed):
            raise BadInput(
                f"--out: {folder}: holds problems of {problem.source}, seed {problem.seed}"
            )


def make(folder: Path, sitters: Sequence[Sitter], terms: Terms) -> Made:
    """Add what the set lacks; a person whose problem was rejected by eye gets another."""
    there = tuple(sets.read_problems(folder))
    refused = sets.rejected(folder)
    takes = Counter(_whose(one) for one in there if one.id in refused)
    done = {_whose(one) for one in there if one.id not in refused}
    skipped: list[Skipped] = []
    made, failing = 0, 0
    for number, sitter in enumerate(sitters):
        report(number, len(sitters), "making problems")
        if sitter.name in done:
            continue
        take = takes[sitter.name]
        chosen = choose(sitter, sitters, take, terms)
        if isinstance(chosen, Skipped):
            skipped.append(chosen)
            continue
        _put(folder, chosen, number, take, terms)
        made += 1
        failing += not chosen.passes
    report(len(sitters), len(sitters), "making problems")
    return Made(made, len(done), failing, tuple(skipped))


def _whose(problem: Problem) -> str:
    return str(problem.reference.about.get(WHO, ""))


def _put(folder: Path, chosen: Chosen, number: int, take: int, terms: Terms) -> None:
    """Names of people are in the index and in no file's name, which logs and pages show."""
    right = (chosen.sitter.name, chosen.right)
    chance = stream("faces", VERSION, terms.seed, SOURCE, chosen.sitter.name, take, "order")
    shown = chance.shuffled((right, *chosen.others))
    portraits = (chosen.reference, *(one for _, one in shown))
    name = f"{SOURCE}-{terms.seed}-{digest(*(one.digest for one in portraits)).hex()[:8]}"
    described = chosen.sitter.described
    problem = Problem(
        id=name,
        source=SOURCE,
        version=VERSION,
        seed=terms.seed,
        number=number,
        take=take,
        attributes=described.attributes if described else None,
        reference=_shot(f"{name}-0.png", chosen.sitter.name, chosen.reference),
        candidates=tuple(
            _shot(f"{name}-{place}.png", who, one) for place, (who, one) in enumerate(shown, 1)
        ),
        truth=str(shown.index(right) + 1),
        distances=_distances(chosen.reference, [one for _, one in shown]),
        beside=_distances(chosen.right, [one for _, one in shown]),
        redraws={},
    )
    for shot, one in zip(problem.shots, portraits, strict=True):
        sets.keep(folder, shot.file, _content(one))
    sets.add(folder, problem)


def _content(portrait: Portrait) -> bytes:
    """What was looked at; MisstepError where the photograph is another by now."""
    try:
        content = portrait.cut()
    except ValueError:
        content = b""
    if sets.sha256(content) != portrait.digest:
        raise MisstepError(f"{portrait.file}: the photograph changed while the set was made")
    return content


def _shot(file: str, who: str, portrait: Portrait) -> Shot:
    return Shot(file, portrait.digest, {WHO: who, "photograph": portrait.file})


def _distances(one: Portrait, candidates: Sequence[Portrait]) -> tuple[float, ...]:
    return tuple(round(math.dist(one.embedding, each.embedding), 4) for each in candidates)
