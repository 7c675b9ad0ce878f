"""What a study of each family is where its file doesn't say: a first study of about ten minutes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Usual:
    """As the fields of a block. `arms` empty: the first two that people have. `title` is what they
    may know of the task beforehand."""

    title: str = "Judgements"
    items: int = 10
    arms: tuple[str, ...] = ()
    design: str = "within"
    draw: str = "balanced"
    practice: int = 1
    scale: str = "paper"
    pool: int | None = 40


DEFAULTS: Mapping[str, Usual] = {
    "grammar": Usual("Strings of letters", items=20, practice=0, pool=440),
    "faces": Usual("Faces", items=6, scale="paper", pool=24),
    "vehicles": Usual("Vehicles", items=1, design="between", practice=0, pool=40),
    "inconsistency": Usual("Statements", items=20, practice=2, pool=200),
    "cups": Usual("Glasses", items=20, practice=2, pool=100),
    "apartments": Usual("Apartments", items=2, practice=0, pool=60),
    "planbench": Usual(
        "Plans",
        items=1,
        arms=("two-phase",),
        design="between",
        draw="random",
        practice=0,
        pool=None,
    ),
}
"""In planbench one instance for each person, drawn at random from all (PlanBench, 6.2)."""
