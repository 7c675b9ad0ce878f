"""`make bench`: speed as ratios, each against a peer or a bound measured in the same run.

`python bench/run.py [--short] [--model NAME] [--samples N] [--out F] [--keep]`. Exits with 1
where a ratio has lost 30 % of what it was in the last kept run of the same form, measured twice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import history
from embedded_bench import conversation_rows, embedded_rows, is_here, missing_rows
from figures import Better, Figure
from harness_bench import harness_rows
from items_bench import items_rows
from peers_bench import peers_rows
from planning_bench import planning_rows
from rich.console import Console
from rich.table import Table
from workers_bench import workers_rows

from misstep.models.store import SMALL

Part = Callable[[], list[Figure]]
RESULTS = Path(__file__).parent / "results" / "latest.json"


def main() -> int:
    args = _parser().parse_args()
    form = "short" if args.short else "full"
    parts = _parts(args.model, args.samples or (120 if args.short else 600), is_short=args.short)
    found = [part() for part in parts]
    before = history.last_ratios(args.history, form)
    twice = _again(parts, found, before)
    figures = [figure for part in twice for figure in part]
    Console(width=100).print(_table(figures))
    run = history.entry(form, figures)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(run, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return _told(history.slower(figures, before), before, args.history, run if args.keep else None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=SMALL)
    parser.add_argument("--samples", type=int, help="of the harness's rows")
    parser.add_argument("--short", action="store_true", help="a form of its own, a minute long")
    parser.add_argument("--out", type=Path, default=RESULTS, help="this run, as JSON")
    parser.add_argument("--history", type=Path, default=history.KEPT, help="the kept runs")
    parser.add_argument("--keep", action="store_true", help="add this run to the history")
    return parser


def _parts(model: str, samples: int, *, is_short: bool) -> list[Part]:
    grammars = 1 if is_short else 5
    parts: list[Part] = [
        items_rows,
        lambda: planning_rows(100 if is_short else 500),
        lambda: harness_rows(samples),
        lambda: peers_rows(samples),
        lambda: [_of_workers(row) for row in workers_rows(10 * samples)],
    ]
    if not is_here(model):
        return [*parts, lambda: missing_rows(model)]
    parts.append(lambda: embedded_rows(model, grammars))
    return parts if is_short else [*parts, lambda: conversation_rows(model)]


def _of_workers(row: tuple[str, str, str, str]) -> Figure:
    what, measured, peer, ratio = row
    return Figure(what, measured, peer, float(ratio), Better.MORE)


def _again(
    parts: Sequence[Part], found: Sequence[list[Figure]], before: Mapping[str, float]
) -> list[list[Figure]]:
    """A part with a ratio that fell is measured once more: a busy machine is no fault of ours."""
    twice = []
    for part, figures in zip(parts, found, strict=True):
        if not history.slower(figures, before):
            twice.append(figures)
            continue
        second = {one.what: one for one in part()}
        twice.append([_better(one, second.get(one.what, one)) for one in figures])
    return twice


def _better(one: Figure, other: Figure) -> Figure:
    if one.ratio is None or other.ratio is None:
        return one
    return other if other.share_kept(one.ratio) > 1 else one


def _table(figures: Sequence[Figure]) -> Table:
    table = Table("what", "measured", "peer or bound", "ratio", box=None, pad_edge=False)
    for figure in figures:
        table.add_row(*figure.cells)
    return table


def _told(
    slower: Sequence[history.Slower],
    before: Mapping[str, float],
    path: Path,
    run: Mapping[str, object] | None,
) -> int:
    for one in slower:
        print(f"SLOWER: {one.line}")
    if not before:
        print(f"no earlier run of this form in {path.name}: nothing was compared")
    elif not slower:
        print(f"no ratio lost 30 % against the last of {path.name}")
    if run is not None and not slower:
        history.keep(path, run)
        print(f"kept in {path.name}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
