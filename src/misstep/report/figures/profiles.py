"""Figures of a baseline and an arm along something: the levels of a factor, the passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from misstep.analyse.breakdown import Factor, Level, LevelArm
from misstep.analyse.comparison import Learning
from misstep.core.measures import Measure
from misstep.report import wording
from misstep.report.figures.drawing import Drawing, Margins, colour
from misstep.report.figures.marks import draw_mark, room, short, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 30
_APART = 6.5
"""Points between an arm's marks and the middle of its row, where two arms share it."""


def levels_figure(factor: Factor, arms: Sequence[str], measure: Measure) -> Drawing:
    """A row for each level, with the mean and the interval of these arms, the baseline first."""
    said = "; ".join(
        f"{level.name}: "
        + ", ".join(
            f"{one.arm} {wording.amount(one.mean, measure)}"
            for one in level.arms
            if one.arm in arms
        )
        for level in factor.levels
    )
    height = _ROW * len(factor.levels) + 8
    margins = Margins(left=room(level.name for level in factor.levels), right=16, top=4, bottom=24)
    return Drawing(
        f"{measure.name.capitalize()} by {factor.name}: {said}.",
        height + margins.top + margins.bottom,
        margins,
        partial(_draw_levels, factor.levels, arms, measure, height),
    )


def learning_figure(learning: Learning, baseline: str, arm: str) -> Drawing:
    """The share that has solved by each pass."""
    said = "; ".join(
        f"{name}: " + ", ".join(wording.percent(share, 0) for share in own.curve)
        for name, own in ((baseline, learning.baseline), (arm, learning.arm))
    )
    return Drawing(
        f"Share solved by pass 1, 2 and so on. {said}.",
        232,
        Margins(left=46, right=10, top=10, bottom=40),
        partial(_draw_learning, learning),
    )


def right_figure(learning: Learning, baseline: str, arm: str) -> Drawing:
    """The mean of right answers in each pass."""
    said = "; ".join(
        f"{name}: " + ", ".join(wording.NONE if at is None else f"{at:.1f}" for at in own.right)
        for name, own in ((baseline, learning.baseline), (arm, learning.arm))
    )
    return Drawing(
        f"Right answers in pass 1, 2 and so on. {said}.",
        232,
        Margins(left=46, right=10, top=10, bottom=40),
        partial(_draw_right, learning),
    )


def _draw_levels(
    levels: Sequence[Level], arms: Sequence[str], measure: Measure, height: float, axes: Axes
) -> None:
    """A unit of the upright axis is a point of the drawing, counted from the top."""
    axes.set_xlim(measure.lowest, measure.highest)
    axes.set_ylim(height, 0)
    axes.set_xticks(*ticks(measure, is_sparse=True))
    middles = [_ROW * (place + 0.5) + 2 for place in range(len(levels))]
    axes.set_yticks(middles, [short(level.name) for level in levels])
    axes.tick_params(axis="y", pad=9)
    axes.grid(axis="x")
    axes.spines["bottom"].set_visible(True)
    for level, middle in zip(levels, middles, strict=True):
        for one in level.arms:
            if one.arm in arms:
                place = arms.index(one.arm)
                y = middle + (0 if len(arms) == 1 else (2 * place - 1) * _APART)
                _draw_level(axes, level, one, y, place == 0, measure)


def _draw_level(
    axes: Axes, level: Level, one: LevelArm, y: float, is_baseline: bool, measure: Measure
) -> None:
    if one.interval is not None:
        ink = colour("base" if is_baseline else "arm")
        axes.plot((one.interval.low, one.interval.high), (y, y), color=ink, lw=1.4)
    says = f"{level.name}: {one.arm} {wording.amount(one.mean, measure)}, {one.n:,} items"
    draw_mark(axes, one.mean, y, 9, is_baseline, says)


def _draw_learning(learning: Learning, axes: Axes) -> None:
    axes.set_ylim(0, 1)
    shares = (0, 0.25, 0.5, 0.75, 1)
    axes.set_yticks(shares, [wording.percent(at, 0) for at in shares])
    _draw_passes(axes, len(learning.baseline.curve))
    for own, name in ((learning.baseline, "base"), (learning.arm, "arm")):
        _draw_curve(own.curve, name, axes, lambda at, y: f"by pass {at}: {wording.percent(y)}")


def _draw_right(learning: Learning, axes: Axes) -> None:
    known = [at for own in (learning.baseline, learning.arm) for at in own.right if at is not None]
    most = learning.baseline.pass_size or max(known)
    axes.set_ylim(0, most)
    marks = [most * share / 5 for share in range(6)]
    axes.set_yticks(marks, [f"{at:g}" for at in marks])
    _draw_passes(axes, len(learning.baseline.right))
    for own, name in ((learning.baseline, "base"), (learning.arm, "arm")):
        _draw_curve(own.right, name, axes, lambda at, y: f"pass {at}: {y:.2f} right")


def _draw_passes(axes: Axes, last: int) -> None:
    axes.set_xlim(0.5, last + 0.5)
    shown = [at for at in range(1, last + 1) if at == 1 or at % 5 == 0]
    axes.set_xticks(shown, [str(at) for at in shown])
    axes.grid(axis="y")
    axes.spines["bottom"].set_visible(True)
    axes.set_xlabel("pass", labelpad=6)


def _draw_curve(
    curve: Sequence[float | None], name: str, axes: Axes, says: Callable[[int, float], str]
) -> None:
    known = [(at, y) for at, y in enumerate(curve, 1) if y is not None]
    axes.plot([at for at, _ in known], [y for _, y in known], color=colour(name), lw=1.6)
    for at, y in known:
        draw_mark(axes, at, y, 7, name == "base", says(at, y))
