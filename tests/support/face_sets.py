"""Sets of tiny pictures that take no time to draw, for what is about sets and not about faces."""

from __future__ import annotations

import os
import signal
import time
from io import BytesIO
from pathlib import Path

from PIL import Image

from misstep.families.faces import sets
from misstep.families.faces.attributes import Attributes
from misstep.families.faces.plan import DRAWING, problem_id
from misstep.families.faces.pool import Work
from misstep.families.faces.sets import Problem, Shot

ONE = Attributes("white", "man", "old", "blue", "gray", "short", "straight")


def draw_quickly(work: Work, number: int, take: int) -> Problem:
    """Six plain squares whose colour says which they are, kept as the real ones are."""
    name = problem_id(work.seed, work.drawn_with, number, take)
    shots = []
    for place in range(6):
        content = BytesIO()
        Image.new("RGB", (8, 8), (number, place * 40, take)).save(content, "PNG")
        file = f"{name}-{place or 'reference'}.png"
        sets.keep(work.folder, file, content.getvalue())
        shots.append(Shot(file, sets.sha256(content.getvalue()), {"yaw": 1.5}))
    return problem(name, work.seed, number, take, tuple(shots))


def problem(name: str, seed: int, number: int, take: int, shots: tuple[Shot, ...]) -> Problem:
    return Problem(
        id=name,
        source="embedded",
        version=DRAWING,
        seed=seed,
        number=number,
        take=take,
        attributes=ONE,
        reference=shots[0],
        candidates=shots[1:],
        truth=str(number % 5 + 1),
        distances=(0.5, 0.4, 0.3, 0.45, 0.6),
        beside=(0.4, 0.4, 0.0, 0.4, 0.4),
        redraws={"drawn": 6},
    )


def draw_for_ever(work: Work, number: int, take: int) -> Problem:
    """Says by a file which process it is, then takes a minute."""
    work.folder.mkdir(exist_ok=True)
    (work.folder / f"{number}.pid").write_text(str(os.getpid()))
    time.sleep(60)
    return draw_quickly(work, number, take)


def die_at_the_third(work: Work, number: int, take: int) -> Problem:
    """As a process does that the machine ends for want of memory."""
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return draw_quickly(work, number, take)


def draw_noted(noted: Path, work: Work, number: int, take: int) -> Problem:
    """As `draw_quickly`, on a node of Ray's, in a quarter of a second; each beginning leaves a line
    in the file: the number, and the node's address."""
    from ray.util import get_node_ip_address

    address = get_node_ip_address()  # type: ignore[no-untyped-call]  # Ray says no types here
    with noted.open("a") as file:
        file.write(f"{number} {address}\n")
    time.sleep(0.25)
    return draw_quickly(work, number, take)
