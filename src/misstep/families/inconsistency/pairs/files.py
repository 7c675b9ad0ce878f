"""A pair, and files of pairs: a JSON object a line, with `A`, `B` and, for the reader, `index`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.families.inconsistency.pairs.lines import read_lines

SHIPPED = Path(__file__).parent / "shipped.jsonl"


@dataclass(frozen=True)
class Pair:
    """A entails B. Both as they stand inside a sentence: no final stop, no capital but a name's.

    `source` is own, snli or mnli.
    """

    a: str
    b: str
    source: str = "own"


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """The pairs of a file as they stand there; other fields are nobody's business.

    BadInput, with the line, for what is no pair at all; whether it is a good one is for
    `checking.check_pairs` to say.
    """
    pairs = tuple(Pair(line.text("A").strip(), line.text("B").strip()) for line in read_lines(path))
    if not pairs:
        raise BadInput(f"{path}: holds no pair")
    return pairs


def shipped_pairs() -> tuple[Pair, ...]:
    """The 100 pairs of the project's own writing."""
    return read_pairs(SHIPPED)


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """The file, whole or not at all."""
    lines = (
        json.dumps({"index": number, "A": pair.a, "B": pair.b}, ensure_ascii=False) + "\n"
        for number, pair in enumerate(pairs, 1)
    )
    unfinished = path.with_name(f"{path.name}.part")
    try:
        unfinished.write_text("".join(lines), encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
