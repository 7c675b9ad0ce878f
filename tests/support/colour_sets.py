"""A set of another source whose pictures are plain colours: what a set is, without any face."""

from __future__ import annotations

from pathlib import Path

from image_service import colour, png
from misstep.families.faces import sets
from misstep.families.faces.attributes import allowed, read_rules
from misstep.families.faces.sets import Problem, Shot


def problem(folder: Path, number: int, take: int = 0) -> Problem:
    """The problem of that number, added to the set with its six pictures."""
    name = f"photographs-0-{number:04}-{take}"
    shots = []
    for place in range(6):
        content = png((colour(f"{name}-{place}"),))
        sets.keep(folder, f"{name}-{place}.png", content)
        shots.append(Shot(f"{name}-{place}.png", sets.sha256(content)))
    combinations = allowed(read_rules())
    made = Problem(
        id=name,
        source="photographs",
        version=1,
        seed=0,
        number=number,
        take=take,
        attributes=combinations[number * 7 % len(combinations)],
        reference=shots[0],
        candidates=tuple(shots[1:]),
        truth=str(number % 5 + 1),
        distances=tuple(0.3 if place == number % 5 else 0.6 for place in range(5)),
        beside=tuple(0.0 if place == number % 5 else 0.5 for place in range(5)),
        redraws={},
    )
    sets.add(folder, made)
    return made


def made(folder: Path, count: int) -> tuple[Problem, ...]:
    return tuple(problem(folder, number) for number in range(count))
