"""Comparisons on a terminal: 80 columns, readable in black and white."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from misstep.analyse.cheapest import Cheapest
from misstep.analyse.comparison import ArmSummary, Comparison, Verdict
from misstep.core.items import Scalar
from misstep.report import paying, wording
from misstep.report.lines import detection_line, lines

_STYLES = {
    Verdict.HURTS: "bold red",
    Verdict.HELPS: "bold green",
    Verdict.NO_MEANINGFUL_DIFFERENCE: "bold",
    Verdict.UNDECIDED: "bold yellow",
}
_HEADINGS = {"accuracy": "right", "score": "score", "passes": "passes"}
_Block = tuple[str, int, str, str, str | None, str | None, Scalar]


def show(comparisons: Iterable[Comparison], console: Console) -> None:
    """A table of the arms of each model and family, then each comparison in words.

    Between models: a table of the models in each arm.
    """
    blocks: dict[_Block, list[Comparison]] = {}
    versions: dict[str, set[int]] = {}
    for one in comparisons:
        shared = one.who if one.baseline_who is None else one.arm
        asked = (one.family, one.version, one.variant)
        key = (*asked, shared, one.baseline_who, one.factor, one.level)
        blocks.setdefault(key, []).append(one)
        versions.setdefault(one.family, set()).add(one.version)
    for block in blocks.values():
        _show_block(block, console, is_of_many=len(versions[block[0].family]) > 1)


def show_cheapest(found: Iterable[Cheapest], console: Console) -> None:
    show_lines(map(paying.cheapest_lines, found), console)


def show_notes(notes: Iterable[str], console: Console) -> None:
    """What could not be compared."""
    show_lines(((note,) for note in notes), console)


def show_lines(blocks: Iterable[Sequence[str]], console: Console) -> None:
    """The first line of each block to the left, the others beneath it, further in."""
    for head, *others in blocks:
        console.print()
        console.print(Text(head))
        for line in others:
            _print_indented(line, console)


def show_arms(summaries: Iterable[ArmSummary], console: Console) -> None:
    """A table for each family, for arms that have nothing to be compared with."""
    blocks: dict[tuple[str, int, str], list[ArmSummary]] = {}
    for summary in summaries:
        asked = (summary.family, summary.version, summary.variant)
        blocks.setdefault(asked, []).append(summary)
    for (family, _, variant), block in blocks.items():
        console.print()
        console.print(Text(wording.asked(family, variant), style="bold"))
        console.print(_table(block, is_of_many=len({one.who for one in block}) > 1))


def arm_line(summary: ArmSummary) -> str:
    """An arm's result in a line: "direct: 18 of 24 right (75 %), 0 unanswered, 0.9 s an answer"."""
    replies = summary.n * summary.repetitions
    unanswered = round(summary.unanswered * replies)
    text = f"{summary.arm}: {_reached(summary, replies)}, {unanswered} unanswered"
    if summary.seconds is not None:
        text += f", {wording.seconds(summary.seconds)} s an answer"
    return text


def _reached(summary: ArmSummary, replies: int) -> str:
    if summary.measure.factor != 100:
        mean = wording.amount(summary.accuracy, summary.measure)
        return f"{mean} {summary.measure.unit} on average of {replies}"
    right = f"{summary.accuracy * replies:.1f}".removesuffix(".0")
    return f"{right} of {replies} right ({100 * summary.accuracy:.0f} %)"


def _show_block(block: Sequence[Comparison], console: Console, is_of_many: bool) -> None:
    first = block[0]
    version = f", version {first.version}" if is_of_many else ""
    console.print()
    console.print(Text(f"{wording.title(first)}{version}: {wording.sizes(first)}", style="bold"))
    summaries = [first.baseline_summary, *(one.arm_summary for one in block)]
    console.print(_table(summaries, is_of_many=first.baseline_who is not None))
    named = [(first.other, first.baseline_summary), *((one.one, one.arm_summary) for one in block)]
    shared = (
        wording.baselines_line(first),
        detection_line(named),
        wording.ranking_line(first),
    )
    for line in shared:
        if line is not None:
            _print_indented(line, console)
    for one in block:
        _show_comparison(one, console)


def _table(summaries: Sequence[ArmSummary], is_of_many: bool = False) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("who, arm" if is_of_many else "arm", overflow="fold", min_width=6)
    measures = {summary.measure for summary in summaries}
    reached = _HEADINGS.get(next(iter(measures)).name, "mean") if len(measures) == 1 else "mean"
    for heading in ("n", reached, "95 %", "no answer", "tokens", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for summary in summaries:
        table.add_row(
            Text(f"{summary.who}, {summary.arm}" if is_of_many else summary.arm),
            f"{summary.n:,}",
            wording.amount(summary.accuracy, summary.measure),
            wording.amount_interval(summary.interval, summary.measure),
            wording.percent(summary.unanswered),
            wording.tokens(summary),
            wording.seconds(summary.seconds),
        )
    return table


def _show_comparison(one: Comparison, console: Console) -> None:
    console.print()
    verdict = Text.assemble(
        (wording.verdict_word(one).upper(), _STYLES[one.verdict]),
        f": {wording.verdict_sentence(one)}",
    )
    console.print(Padding(verdict, (0, 0, 0, 2)))
    for line in (wording.effect_line(one), *lines(one)):
        _print_indented(line, console)
    for warning in one.warnings:
        _print_indented(f"! {warning}", console)


def _print_indented(line: str, console: Console) -> None:
    console.print(Padding(Text(line), (0, 0, 0, 2)))
