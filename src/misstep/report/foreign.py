"""Two logs of other people's: which they are, and how their items were paired."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from misstep.analyse.plain import plain
from misstep.report.wording import counted
from misstep.runner.foreign.pair import ForeignPair


def show(pair: ForeignPair | None, console: Console) -> None:
    """Nothing where the records are of misstep's own runs."""
    for line in () if pair is None else _lines(pair):
        console.print(Text(line))


def to_json(pair: ForeignPair | None) -> dict[str, object]:
    """Under the key `logs`; docs/other-logs.md has its fields."""
    if pair is None:
        return {}
    return {
        "logs": {
            "sides": plain(pair.sides),
            "paired": plain(pair.matching),
            "notes": list(pair.notes),
        }
    }


def _lines(pair: ForeignPair) -> Iterator[str]:
    for letter, side in zip("AB", pair.sides, strict=True):
        named = "" if side.name in (letter, side.model) else f" = {side.name}"
        yield (
            f"{letter}{named}: {side.file} ({side.task}, {side.model}, score {side.score}, "
            f"{counted(side.samples, 'sample')})"
        )
    found = pair.matching
    yield (
        f"{counted(found.shared, 'item')} paired by {found.by}; only in A: {found.only_first}, "
        f"only in B: {found.only_second}"
    )
    yield from pair.notes
