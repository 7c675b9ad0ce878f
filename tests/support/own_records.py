"""Records of a task of the user's own, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from misstep.core.outcomes import Outcome
from misstep.core.records import Record


def own_records(
    arm: str,
    letters: str,
    *,
    cost: float | Sequence[float] | None = None,
    seconds: float | Sequence[float] | None = 1.0,
    tokens: int = 10,
    size: int = 1,
    looks: bool = False,
) -> list[Record]:
    """One reply an item: "c" right, "w" wrong, "u" unparsed; groups of `size` items."""
    outcomes = {"c": Outcome.CORRECT, "w": Outcome.WRONG, "u": Outcome.UNPARSED}
    groups = -(-len(letters) // size)
    return [
        Record(
            family="ab:tickets",
            version=1,
            who="openai/model",
            item=f"q{place:03d}",
            group=f"g{place // size}",
            arm=arm,
            repetition=1,
            outcome=outcomes[letter],
            value=None if letter == "u" else float(letter == "c"),
            answer=None if letter == "u" else letter,
            truth="c",
            factors={"kind": "even" if place % 2 == 0 else "odd"},
            cost=at(cost, place),
            seconds=at(seconds, place),
            input_tokens=20,
            output_tokens=tokens,
            look=place // size + 1 if looks else None,
            look_of=groups if looks else None,
            look_replies=size if looks else None,
        )
        for place, letter in enumerate(letters)
    ]


def at(value: float | Sequence[float] | None, place: int) -> float | None:
    return value if value is None or isinstance(value, (int, float)) else value[place]
