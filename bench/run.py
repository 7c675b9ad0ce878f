"""`make bench`: speed as ratios, each against a peer or a bound measured in the same run.

`python bench/run.py [--model embedded/NAME] [--samples N]`
"""

from __future__ import annotations

import argparse

from embedded_bench import embedded_rows
from harness_bench import harness_rows
from items_bench import items_rows
from planning_bench import planning_rows
from rich.console import Console
from rich.table import Table
from workers_bench import workers_rows

from misstep.models.store import SMALL


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=SMALL)
    parser.add_argument("--samples", type=int, default=600)
    args = parser.parse_args()
    table = Table("what", "measured", "peer or bound", "ratio", box=None, pad_edge=False)
    for row in (
        *items_rows(),
        *planning_rows(),
        *harness_rows(args.samples),
        *workers_rows(10 * args.samples),
        *embedded_rows(args.model),
    ):
        table.add_row(*row)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
