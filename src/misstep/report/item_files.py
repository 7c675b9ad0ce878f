"""Items as a file: JSON lines, Parquet or CSV by the ending."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import polars

from misstep.core.errors import BadInput

ENDINGS = (".jsonl", ".parquet", ".csv")


def write(out: Path, rows: Iterable[Mapping[str, object]]) -> int:
    """Write the rows and return their number. In tables the factors are JSON text."""
    if out.suffix not in ENDINGS:
        raise BadInput(f"--out: {out}: the ending is none of {', '.join(ENDINGS)}")
    try:
        return _write_lines(out, rows) if out.suffix == ".jsonl" else _write_table(out, rows)
    except OSError as error:
        raise BadInput(f"--out: {out}: {error.strerror or error}") from None


def _write_lines(out: Path, rows: Iterable[Mapping[str, object]]) -> int:
    count = 0
    with out.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def _write_table(out: Path, rows: Iterable[Mapping[str, object]]) -> int:
    flat = [{**row, "factors": json.dumps(row["factors"], ensure_ascii=False)} for row in rows]
    table = polars.DataFrame(flat, schema_overrides={"lure": polars.String})
    if out.suffix == ".parquet":
        table.write_parquet(out)
    else:
        table.write_csv(out)
    return len(flat)
