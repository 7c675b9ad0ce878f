"""`make calibrate`: are the statistics what they promise? Simulated, seeded, in minutes.

`python bench/calibrate.py [--short] [--seed N]`; exits with 1 where a row is out of its bounds.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from misstep.analyse.calibration import FULL, SHORT, Row, rows

_HEADS = ("what", "setting", "measured", "±", "bound", "within")
_WIDTHS = (32, 43, 8, 5, 11, 6)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a twentieth of the experiments")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    print(_line(_HEADS))
    out = 0
    for row in rows(replace(SHORT if args.short else FULL, seed=args.seed)):
        out += not row.is_within
        print(_line(_cells(row)), flush=True)
    print(f"{out} out of bounds" if out else "all within their bounds")
    return 1 if out else 0


def _cells(row: Row) -> tuple[str, ...]:
    within = ("yes" if row.is_within else "NO") if row.is_claim else "–"
    measured = f"{100 * row.measured:.2f} %"
    return row.what, row.setting, measured, f"{100 * row.error:.2f}", _bound(row), within


def _bound(row: Row) -> str:
    if row.low is not None and row.high is not None:
        return f"{100 * row.low:.1f}–{100 * row.high:.1f} %"
    return "–" if row.high is None else f"≤ {100 * row.high:g} %"


def _line(cells: tuple[str, ...]) -> str:
    padded = [
        cell.ljust(width) if place < 2 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    ]
    return " ".join(padded).rstrip()


if __name__ == "__main__":
    sys.exit(main())
