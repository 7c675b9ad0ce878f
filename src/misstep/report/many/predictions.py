"""Predictions against verdicts: on a terminal, as JSON, and as a section of the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from misstep.analyse.plain import plain
from misstep.analyse.predictions import Predicted, Score, Tested
from misstep.core.family import Prediction
from misstep.core.measures import ACCURACY
from misstep.report.figures.drawing import Drawing, Margins, colour, saying
from misstep.report.figures.exhibits import Exhibit, markup
from misstep.report.figures.marks import beside, draw_mark, room, ticks
from misstep.report.page.markup import table, tag
from misstep.report.wording import NONE, asked, counted, percent, percent_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Was it predicted?"
_VERDICTS = ("family", "model", "arm", "predicted", "verdict", "right")
_SCORES = ("model", "right", "share", "95 %", "always the same", "undecided")
_ROW = 34


def show(found: Predicted | None, console: Console) -> None:
    """Each verdict beside its prediction, then how often they agreed."""
    if found is None:
        console.print(Text("No comparison here is one that a family predicts."))
        return
    console.print()
    console.print(Text(TITLE, style="bold"))
    console.print(_table(_VERDICTS, map(_verdict_row, found.tested)))
    console.print(_table(_SCORES, map(_score_row, _scores(found))))
    for line in lines(found):
        console.print(Text(line))


def to_json(found: Predicted | None) -> dict[str, object]:
    """Under the key `predictions`; docs/compare.md has its fields."""
    return {"predictions": None if found is None else plain(found)}


def lines(found: Predicted) -> Iterator[str]:
    """What it all comes to, and what each family's prediction stands on."""
    yield overall_line(found.overall)
    for family, prediction in {one.family: one.prediction for one in found.tested}.items():
        yield basis_line(family, prediction)


def overall_line(score: Score) -> str:
    if score.share is None or score.base_rate is None:
        return f"Nothing is decided: {counted(score.undecided, 'verdict')} undecided."
    interval = percent_interval(score.interval)
    spread = f"95 % {interval}" if score.interval else "one family, so no interval"
    return (
        f"As predicted: {score.right} of {counted(score.decided, 'verdict')} "
        f"({percent(score.share)}; {spread}); always saying {str(score.commonest)!r} would be "
        f"right {percent(score.base_rate)} of the time; {score.undecided} undecided."
    )


def basis_line(family: str, one: Prediction) -> str:
    people = "hurts people" if one.hurts_people else "does not hurt people"
    shared = ", for a reason that holds for models" if one.shared_by_models else ""
    parts = [f"{family}: {one.direction}; deliberation {people}{shared}"]
    parts += [f"found: {one.effect}"] if one.effect else []
    parts += [f"found again: {one.replication}"] if one.replication else []
    parts += [one.source] if one.source else []
    return "; ".join(parts) + "."


def predictions_body(found: Predicted | None) -> str:
    """The part of the page, without its heading; empty where nothing was predicted."""
    if found is None:
        return ""
    said = "".join(tag("p", escape(line), kind="soft") for line in lines(found))
    return (
        "".join(map(markup, exhibits(found)))
        + said
        + table("How often the prediction was right", _SCORES, map(_score_row, _scores(found)))
        + table("Each verdict beside its prediction", _VERDICTS, map(_verdict_row, found.tested))
    )


def exhibits(found: Predicted | None) -> list[Exhibit]:
    """A figure from two verdicts up: of one there is nothing to draw."""
    return [] if found is None or found.overall.decided < 2 else [_exhibit(found)]


def _exhibit(found: Predicted) -> Exhibit:
    heads = ("model", "decided", "right", "share", "low", "high", "base rate", "undecided")
    rows = tuple(
        (
            _name(score),
            score.decided,
            score.right,
            score.share,
            score.interval.low if score.interval else None,
            score.interval.high if score.interval else None,
            score.base_rate,
            score.undecided,
        )
        for score in _scores(found)
    )
    return Exhibit(
        "predictions",
        "How often the prediction was right",
        predictions_figure(found),
        "Squares: share of verdicts in a word that were as predicted, with 95 % intervals. Upright "
        "strokes: the share of the commonest verdict.",
        heads,
        rows,
    )


def predictions_figure(found: Predicted) -> Drawing:
    """The share of right predictions of each model and over all; a stroke marks the base rate."""
    scores = [score for score in _scores(found) if score.share is not None]
    said = "; ".join(
        f"{_name(score)} {percent(score.share)}, base rate {percent(score.base_rate)}"
        for score in scores
    )
    height = _ROW * max(1, len(scores))
    margins = Margins(left=room(map(_name, scores)), right=62, top=4, bottom=24)
    return Drawing(
        f"Share of verdicts that were predicted. {said or 'Nothing is decided'}.",
        height + margins.top + margins.bottom,
        margins,
        partial(_draw, scores, height),
    )


def _draw(scores: Sequence[Score], height: float, axes: Axes) -> None:
    """A unit of the upright axis is a point of the drawing, counted from the top."""
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(height, 0)
    axes.set_xticks(*ticks(ACCURACY, is_sparse=True))
    axes.set_yticks([])
    axes.grid(axis="x")
    axes.spines["bottom"].set_visible(True)
    for place, score in enumerate(scores):
        _draw_score(score, _ROW * (place + 0.5), axes)


def _draw_score(score: Score, y: float, axes: Axes) -> None:
    if score.share is None or score.base_rate is None:
        return
    if score.interval is not None:
        ends = (score.interval.low, score.interval.high)
        axes.plot(ends, (y, y), color=colour("ink"), lw=1.6, marker="|", ms=10, mew=1.6)
    (stroke,) = axes.plot((score.base_rate,) * 2, (y - 11, y + 11), color=colour("soft"), lw=2.4)
    stroke.set_gid(saying(f"base rate {percent(score.base_rate)}"))
    draw_mark(axes, score.share, y, 12, False, f"{_name(score)}: {percent(score.share)}")
    beside(axes, y, _name(score), percent(score.share), score.who is None)


def _scores(found: Predicted) -> list[Score]:
    """Over all last; of a single model it would say the same again."""
    return [*found.models, *([found.overall] if len(found.models) > 1 else [])]


def _name(score: Score) -> str:
    return "all" if score.who is None else score.who


def _verdict_row(one: Tested) -> tuple[str, ...]:
    right = "–" if one.is_right is None else "yes" if one.is_right else "no"
    named = asked(one.family, one.variant)
    return (named, one.who, one.arm, str(one.expected), str(one.verdict), right)


def _score_row(score: Score) -> tuple[str, ...]:
    base = NONE if score.base_rate is None else f"{score.commonest} {percent(score.base_rate)}"
    return (
        _name(score),
        f"{score.right} of {score.decided}",
        percent(score.share),
        percent_interval(score.interval),
        base,
        str(score.undecided),
    )


def _table(heads: Sequence[str], rows: Iterable[tuple[str, ...]]) -> Table:
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    for heading in heads:
        made.add_column(heading, overflow="fold")
    for row in rows:
        made.add_row(*map(Text, row))
    return made
