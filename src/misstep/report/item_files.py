"""Items as a file: JSON lines, Parquet or CSV by the ending; or as chats, in a file a split."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import polars

from misstep.core.errors import BadInput

ENDINGS = (".jsonl", ".parquet", ".csv")
SPLITS = ("train", "test")


@dataclass(frozen=True)
class ChatFiles:
    """What was written, and how many lines; `left_out` are in neither file."""

    train: Path
    test: Path
    trained: int
    tested: int
    left_out: int


def write(out: Path, rows: Iterable[Mapping[str, object]]) -> int:
    """Write the rows and return their number; the file is there whole or not at all.

    In tables the factors are JSON text, and prompts that are messages.
    """
    check_ending(out)
    half = out.with_name(f".{out.stem}.{os.getpid()}.partial{out.suffix}")
    try:
        count = _write_lines(half, rows) if out.suffix == ".jsonl" else _write_table(half, rows)
        half.replace(out)
    except OSError as error:
        raise BadInput(f"--out: {out}: {error.strerror or error}") from None
    finally:
        half.unlink(missing_ok=True)
    return count


def check_ending(out: Path) -> None:
    """Raises BadInput for an ending that no file of items has."""
    if out.suffix not in ENDINGS:
        raise BadInput(f"--out: {out}: the ending is none of {', '.join(ENDINGS)}")


def chat_places(out: Path) -> tuple[Path, Path]:
    """x.jsonl → x.train.jsonl and x.test.jsonl. Raises BadInput for any other ending."""
    if out.suffix != ".jsonl":
        raise BadInput(f"--out: {out}: --format chat needs a name that ends in .jsonl")
    train, test = (out.with_suffix(f".{split}.jsonl") for split in SPLITS)
    return train, test


def write_chats(out: Path, rows: Iterable[Mapping[str, object]]) -> ChatFiles:
    """Write the rows of `misstep.chats` into a file for each split."""
    train, test = chat_places(out)
    lines = Counter[str]()
    try:
        with ExitStack() as stack:
            places = zip(SPLITS, (train, test), strict=True)
            files = {
                split: stack.enter_context(place.open("w", encoding="utf-8"))
                for split, place in places
            }
            for row in rows:
                split = str(row["split"])
                lines[split] += 1
                if split in files:
                    plain = {name: row[name] for name in ("id", "arm", "messages")}
                    files[split].write(json.dumps(plain, ensure_ascii=False) + "\n")
    except OSError as error:
        raise BadInput(f"--out: {out}: {error.strerror or error}") from None
    kept = (lines["train"], lines["test"])
    return ChatFiles(train, test, *kept, left_out=lines.total() - sum(kept))


def _write_lines(out: Path, rows: Iterable[Mapping[str, object]]) -> int:
    count = 0
    with out.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def _write_table(out: Path, rows: Iterable[Mapping[str, object]]) -> int:
    flat = [{name: _flat(value) for name, value in row.items()} for row in rows]
    table = polars.DataFrame(flat, schema_overrides={"lure": polars.String})
    if out.suffix == ".parquet":
        table.write_parquet(out)
    else:
        table.write_csv(out)
    return len(flat)


def _flat(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value
