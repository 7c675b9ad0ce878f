"""Dose and response on the page: the curve over observed thinking, with its numbers."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from misstep.analyse.dose import Curve, Dose, curves
from misstep.report import wording
from misstep.report.figures.drawing import Drawing, Margins, colour, saying
from misstep.report.figures.exhibits import Exhibit
from misstep.report.figures.marks import short, ticks
from misstep.report.many import dose
from misstep.report.page.data import Section

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 232
_ROOM = 0.12
_HEADS = ("arm", "thinking tokens", "mean", "low", "high", "against the lowest", "p (Holm)")


def dose_exhibits(section: Section, name: str) -> list[Exhibit]:
    """None where fewer than three doses were asked; `name` begins those of the section's files."""
    known = {} if section.spec is None else {section.subject.family: section.spec}
    return [exhibit(curve, f"{name}-dose") for curve in curves(section.records, known)]


def exhibit(curve: Curve, name: str) -> Exhibit:
    rows = tuple(
        (
            one.arm,
            one.tokens,
            one.mean,
            one.interval.low if one.interval else None,
            one.interval.high if one.interval else None,
            one.against_lowest.effect if one.against_lowest else None,
            one.p_adjusted,
        )
        for one in curve.doses
    )
    return Exhibit(name, dose.TITLE, dose_figure(curve), " ".join(dose.lines(curve)), _HEADS, rows)


def dose_figure(curve: Curve) -> Drawing:
    """Means with their intervals over thinking tokens, which run by powers of ten."""
    said = "; ".join(
        f"{one.arm}, {wording.count(one.tokens)} tokens: {wording.amount(one.mean, curve.measure)} "
        f"(95 % {wording.amount_interval(one.interval, curve.measure)})"
        for one in curve.doses
    )
    return Drawing(
        f"How well by how much it thought. {said}.",
        _HEIGHT,
        Margins(left=46, right=14, top=22, bottom=44),
        partial(_draw, curve),
    )


def place(tokens: float) -> float:
    """Where a dose stands: by powers of ten, and no tokens at 0."""
    return math.log10(1 + tokens)


def _draw(curve: Curve, axes: Axes) -> None:
    places = [place(one.tokens) for one in curve.doses]
    axes.set_xlim(min(places) - _ROOM, max(places) + _ROOM)
    axes.set_ylim(curve.measure.lowest, curve.measure.highest)
    axes.set_yticks(*ticks(curve.measure))
    powers = [0.0, *(10.0**power for power in range(1, math.ceil(max(places)) + 1))]
    shown = [
        tokens for tokens in powers if places[0] - _ROOM <= place(tokens) <= places[-1] + _ROOM
    ]
    axes.set_xticks([place(tokens) for tokens in shown], [f"{tokens:,.0f}" for tokens in shown])
    axes.set_xlabel("thinking tokens of an answer, as observed", labelpad=8)
    axes.grid(axis="y")
    axes.spines["bottom"].set_visible(True)
    axes.plot(places, [one.mean for one in curve.doses], color=colour("soft"), lw=1.2)
    for at, one in enumerate(curve.doses):
        _draw_dose(curve, at, one.arm == curve.best, axes)


def _draw_dose(curve: Curve, at: int, is_best: bool, axes: Axes) -> None:
    one = curve.doses[at]
    x = place(one.tokens)
    if one.interval is not None:
        ends = (one.interval.low, one.interval.high)
        axes.plot((x, x), ends, color=colour("ink"), lw=1.6, marker="_", ms=9, mew=1.6)
    face = colour("arm" if is_best else "paper")
    (mark,) = axes.plot(
        (x,), (one.mean,), ls="", marker="o", ms=10, mew=2, mfc=face, mec=colour("arm")
    )
    _draw_name(one, x, (at == 0) - (at == len(curve.doses) - 1), axes)
    tokens, mean = wording.count(one.tokens), wording.amount(one.mean, curve.measure)
    mark.set_gid(saying(f"{one.arm}: {mean} at {tokens} tokens"))


def _draw_name(one: Dose, x: float, side: int, axes: Axes) -> None:
    """Above its interval; at the ends (`side` 1 and -1) kept within the figure."""
    top = one.interval.high if one.interval else one.mean
    anchor = {1: "left", -1: "right"}.get(side, "center")
    axes.annotate(
        short(one.arm), (x, top), (-6 * side, 7), textcoords="offset points",
        ha=anchor, va="bottom", color=colour("ink"),
    )  # fmt: skip
