"""A plan → its six pictures, drawn, looked at by the gate, and drawn again where it says so."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from misstep.core.errors import MisstepError
from misstep.families.faces import sets
from misstep.families.faces.gate import FARTHEST, MARGIN, Embedding, Gate, apart
from misstep.families.faces.plan import DRAWING, Plan, person_seed, problem_id
from misstep.families.faces.portraits.body.people import distance, person
from misstep.families.faces.portraits.looks import Scene
from misstep.families.faces.portraits.render import portrait
from misstep.families.faces.sets import CANDIDATES, Problem, Shot

QUALITY = 75
MOST_OTHERS, MOST_TARGETS = 12, 20
"""Draws of another person before the person to recognise is drawn anew; and of that one."""

_gate = Gate()


@dataclass(frozen=True)
class Picture:
    """A drawn picture that holds one face."""

    content: bytes
    embedding: Embedding
    person: int
    draw: int


def draw(problem: Plan, drawn_with: str, size: int, folder: Path) -> Problem:
    """Draw a problem into the folder; its line of the index is left to the caller."""
    redraws: Counter[str] = Counter()
    for attempt in range(MOST_TARGETS):
        pictures = _attempt(problem, attempt, size, redraws)
        if pictures:
            return _kept(problem, drawn_with, folder, pictures, redraws)
    name = problem_id(problem.seed, drawn_with, problem.number, problem.take)
    raise MisstepError(f"{name}: no {MOST_TARGETS} draws passed the gate: {dict(redraws)}")


def _attempt(
    problem: Plan, attempt: int, size: int, redraws: Counter[str]
) -> tuple[Picture, ...] | None:
    """The reference and the five candidates, or None where the person is to be drawn anew.

    The counts of what was thrown away are added to `redraws`.
    """
    reference = _picture(problem, 0, attempt, problem.reference, size, redraws)
    right = _picture(problem, 0, attempt, problem.candidates[problem.truth - 1], size, redraws)
    if not reference or not right:
        return None
    same = apart(reference.embedding, right.embedding)
    if same > FARTHEST:
        redraws["pair too far"] += 1
        return None
    candidates = []
    for place in range(1, CANDIDATES + 1):
        found: Picture | None = right
        if place != problem.truth:
            found = _other(problem, attempt, place, (reference, right), size, redraws)
        if not found:
            redraws["others too near"] += 1
            return None
        candidates.append(found)
    return (reference, *candidates)


def _other(
    problem: Plan,
    attempt: int,
    place: int,
    pair: tuple[Picture, Picture],
    size: int,
    redraws: Counter[str],
) -> Picture | None:
    """Another person, far enough from both pictures of the one to recognise."""
    reference, right = pair
    same = apart(reference.embedding, right.embedding)
    for number in range(MOST_OTHERS):
        draw_number = attempt * MOST_OTHERS + number
        scene = problem.candidates[place - 1]
        found = _picture(problem, place, draw_number, scene, size, redraws)
        if not found:
            continue
        near = apart(reference.embedding, found.embedding) < same + MARGIN
        if not near and apart(right.embedding, found.embedding) > same:
            return found
        redraws["too near the reference" if near else "too near the right one"] += 1
    return None


def _picture(
    problem: Plan, place: int, number: int, scene: Scene, size: int, redraws: Counter[str]
) -> Picture | None:
    """None, and counted, where not exactly one face is found."""
    redraws["drawn"] += 1
    who = person(problem.style, _chance(problem, place, number))
    content = encoded(portrait(who, problem.style, scene, size))
    found = _gate.look(decoded(content))
    if found.faces != 1:
        redraws["no face" if not found.faces else "several faces"] += 1
        return None
    return Picture(content, found.embedding, place, number)


def _chance(problem: Plan, place: int, number: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(person_seed(problem, place, number)))


def encoded(pixels: np.ndarray) -> bytes:
    """JPEG: a set of 3,000 takes about 100 MB."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=QUALITY, optimize=True)
    return file.getvalue()


def decoded(content: bytes) -> np.ndarray:
    """What everyone sees of a picture, the gate too."""
    return np.array(Image.open(io.BytesIO(content)).convert("RGB"))


def _kept(
    problem: Plan,
    drawn_with: str,
    folder: Path,
    pictures: Sequence[Picture],
    redraws: Counter[str],
) -> Problem:
    name = problem_id(problem.seed, drawn_with, problem.number, problem.take)
    files = (f"{name}-{place}.jpg" for place in ("reference", *range(1, CANDIDATES + 1)))
    scenes = (problem.reference, *problem.candidates)
    shots = []
    for file, picture, scene in zip(files, pictures, scenes, strict=True):
        sets.keep(folder, file, picture.content)
        about = _about(problem, pictures[0], picture, scene)
        shots.append(Shot(file, sets.sha256(picture.content), about))
    return Problem(
        id=name,
        source="embedded",
        version=DRAWING,
        seed=problem.seed,
        number=problem.number,
        take=problem.take,
        attributes=problem.attributes,
        reference=shots[0],
        candidates=tuple(shots[1:]),
        truth=str(problem.truth),
        distances=_rounded(pictures[0].embedding, pictures),
        beside=_rounded(pictures[problem.truth].embedding, pictures),
        redraws=dict(sorted(redraws.items())),
    )


def _about(
    problem: Plan, reference: Picture, picture: Picture, scene: Scene
) -> dict[str, str | float | int]:
    """What the index says of a picture; `geometry` is how far the person's form is from that of
    the person to recognise (millimetres)."""
    target = person(problem.style, _chance(problem, reference.person, reference.draw))
    who = person(problem.style, _chance(problem, picture.person, picture.draw))
    return {
        "yaw": round(scene.pose[0], 2),
        "pitch": round(scene.pose[1], 2),
        "roll": round(scene.pose[2], 2),
        "expression": scene.expression,
        "light": scene.light,
        "person": picture.person,
        "draw": picture.draw,
        "geometry": round(distance(target, who), 3),
    }


def _rounded(embedding: Embedding, pictures: Sequence[Picture]) -> tuple[float, ...]:
    return tuple(round(apart(embedding, one.embedding), 4) for one in pictures[1:])
