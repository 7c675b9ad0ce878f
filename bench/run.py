"""`make bench`: speed as ratios, each against a peer or a bound measured in the same run.

`python bench/run.py [--short | --ci] [--model NAME] [--samples N] [--out F] [--keep]`. Exits with 1
where a ratio has lost 30 % of what it was in the last kept run of the same form, measured twice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import history
from embedded_bench import conversation_rows, embedded_rows, is_here, missing_rows
from figures import Figure
from harness_bench import harness_rows
from items_bench import items_rows
from peers_bench import peers_rows
from planning_bench import planning_rows
from prefix_bench import prefix_rows
from rich.console import Console
from rich.table import Table
from workers_bench import workers_rows

from misstep.models.store import SMALL

Part = Callable[[], list[Figure]]
STEADY = (
    "questions made",
    "four-block plans",
    "the same, each problem for the first time",
    "a sample: ours / plain task",
)
"""What the rows begin with that CI compares."""
RESULTS = Path(__file__).parent / "results" / "latest.json"


def main() -> int:
    args = _parser().parse_args()
    form = "ci" if args.ci else "short" if args.short else "full"
    samples = args.samples or (600 if form == "full" else 120)
    parts = _steady(samples) if args.ci else _parts(args.model, samples, is_short=args.short)
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
    parser.add_argument("--ci", action="store_true", help="a form of its own: what load can't move")
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
        lambda: workers_rows(10 * samples, 1 if is_short else 2),
        prefix_rows,
    ]
    if not is_here(model):
        return [*parts, lambda: missing_rows(model)]
    parts.append(lambda: embedded_rows(model, grammars))
    return parts if is_short else [*parts, lambda: conversation_rows(model)]


def _steady(samples: int) -> list[Part]:
    """Ratios of processor times, each the better of two: steady where the machine has other work.

    A process's first run pays for imports and cold caches.
    """
    parts: list[Part] = [items_rows, lambda: planning_rows(100), lambda: harness_rows(samples)]
    return [partial(_better_of_two, part) for part in parts]


def _better_of_two(part: Part) -> list[Figure]:
    first, second = part(), {one.what: one for one in part()}
    steady = [one for one in first if one.is_compared and one.what.startswith(STEADY)]
    return [_better(one, second[one.what]) for one in steady]


def _again(
    parts: Sequence[Part], found: Sequence[list[Figure]], before: Mapping[str, history.Kept]
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


def _against(before: Mapping[str, history.Kept]) -> str:
    """What too much is: `history.LEAST`, or `LEAST_ELSEWHERE`."""
    shares = sorted({one.least for one in before.values()}, reverse=True)
    return " or ".join(f"{1 - share:.0%}" for share in shares)


def _told(
    slower: Sequence[history.Slower],
    before: Mapping[str, history.Kept],
    path: Path,
    run: Mapping[str, object] | None,
) -> int:
    for one in slower:
        print(f"SLOWER: {one.line}")
    if not before:
        print(f"no earlier run of this form in {path.name}: nothing was compared")
    elif not slower:
        print(f"no ratio lost too much against the last of {path.name} ({_against(before)})")
    if run is not None and not slower:
        history.keep(path, run)
        print(f"kept in {path.name}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
