"""The figures of a section: means with what they are compared with, groups, outcomes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from misstep.analyse.comparison import ArmSummary
from misstep.core.measures import ACCURACY, Measure
from misstep.core.outcomes import Outcome
from misstep.report import wording
from misstep.report.figures.drawing import WIDTH, Drawing, Margins, colour, saying
from misstep.report.figures.marks import beside, draw_mark, room, short, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW, _THIN_ROW, _BAR_ROW = 34, 18, 46
_RIGHT = 62
_LONGEST_ABOVE = 40
# With more groups than this, nobody could point at one.
_MOST_DOTS = 100


@dataclass(frozen=True)
class Line:
    """A mean to compare with: chance, a constant answer, a reference solver."""

    name: str
    accuracy: float
    is_solver: bool = False


@dataclass(frozen=True)
class GroupPair:
    """The means of both arms in one group."""

    group: str
    baseline: float
    arm: float


def arms_figure(arms: Sequence[ArmSummary], lines: Sequence[Line]) -> Drawing:
    """Each arm's mean with its interval; below, what to compare it with, as lines."""
    measure = arms[0].measure
    said = "; ".join(
        f"{arm.arm} {wording.amount(arm.accuracy, measure)} "
        f"(95 % {wording.amount_interval(arm.interval, measure)})"
        for arm in arms
    )
    compared = "; ".join(f"{line.name} {wording.amount(line.accuracy, measure)}" for line in lines)
    names = [*(arm.arm for arm in arms), *(line.name for line in lines)]
    margins = Margins(left=room(names), right=_RIGHT, top=4, bottom=24)
    height = _ROW * len(arms) + _THIN_ROW * len(lines) + 10
    return Drawing(
        f"{measure.name.capitalize()} of each arm: {said}. To compare with: {compared or 'none'}.",
        height + margins.top + margins.bottom,
        margins,
        partial(_draw_arms, arms, lines, height),
    )


def groups_figure(
    pairs: Sequence[GroupPair], baseline: str, arm: str, measure: Measure = ACCURACY
) -> Drawing:
    """Both means of each group as dots joined by a line, in the order of the baseline."""
    ordered = sorted(pairs, key=lambda pair: (-pair.baseline, -pair.arm, pair.group))
    return Drawing(
        f"{groups_line(pairs, baseline, arm)}.",
        232,
        Margins(left=46, right=4, top=10, bottom=30),
        partial(_draw_groups, ordered, baseline, arm, measure),
    )


def groups_line(pairs: Sequence[GroupPair], baseline: str, arm: str) -> str:
    lower = sum(pair.arm < pair.baseline for pair in pairs)
    higher = sum(pair.arm > pair.baseline for pair in pairs)
    equal = len(pairs) - lower - higher
    groups = wording.counted(lower, "group")
    return f"{arm} is below {baseline} in {groups}, level in {equal}, above in {higher}"


def outcomes_figure(arms: Sequence[ArmSummary]) -> Drawing:
    """A bar for each arm, cut by outcome."""
    said = "; ".join(
        f"{arm.arm}: "
        + ", ".join(f"{outcome} {wording.percent(arm.outcomes[outcome])}" for outcome in Outcome)
        for arm in arms
    )
    height = _BAR_ROW * len(arms)
    return Drawing(
        f"Share of each outcome. {said}.",
        height,
        Margins(),
        partial(_draw_outcomes, arms, height),
    )


def _draw_arms(
    arms: Sequence[ArmSummary], lines: Sequence[Line], height: float, axes: Axes
) -> None:
    """A unit of the upright axis is a point of the drawing, counted from the top."""
    measure = arms[0].measure
    axes.set_xlim(measure.lowest, measure.highest)
    axes.set_ylim(height, 0)
    axes.set_xticks(*ticks(measure, is_sparse=True))
    axes.set_yticks([])
    axes.grid(axis="x")
    axes.spines["bottom"].set_visible(True)
    for place, line in enumerate(lines):
        _draw_line(line, measure, _ROW * len(arms) + _THIN_ROW * (place + 0.5), axes)
    for place, arm in enumerate(arms):
        _draw_arm(arm, _ROW * (place + 0.5), place == 0, axes)


def _draw_arm(arm: ArmSummary, y: float, is_baseline: bool, axes: Axes) -> None:
    if arm.interval is not None:
        ends = (arm.interval.low, arm.interval.high)
        axes.plot(ends, (y, y), color=colour("ink"), lw=1.6, marker="|", ms=10, mew=1.6)
    draw_mark(axes, arm.accuracy, y, 12, is_baseline)
    beside(axes, y, arm.arm, wording.amount(arm.accuracy, arm.measure), is_bold=True)


def _draw_line(line: Line, measure: Measure, y: float, axes: Axes) -> None:
    ink, dashes, width = ("soft", (1, 3), 1.0) if line.is_solver else ("ink", (6, 3), 1.2)
    axes.plot((line.accuracy,) * 2, (4, y), color=colour(ink), lw=width, ls=(0, dashes))
    axes.plot((line.accuracy,), (y,), color=colour("soft"), ls="", marker="D", ms=5.6, mew=0)
    beside(axes, y, line.name, wording.amount(line.accuracy, measure), is_bold=False)


def _draw_groups(
    pairs: Sequence[GroupPair], baseline: str, arm: str, measure: Measure, axes: Axes
) -> None:
    axes.set_xlim(-0.5, len(pairs) - 0.5)
    axes.set_ylim(measure.lowest, measure.highest)
    axes.set_xticks([])
    axes.set_yticks(*ticks(measure))
    axes.grid(axis="y")
    axes.set_xlabel("groups, by the baseline, highest first", labelpad=13)
    if len(pairs) > _MOST_DOTS:
        _draw_crowd(pairs, axes)
        return
    size = max(3.2, min(11.0, 220 / len(pairs)))
    for place, pair in enumerate(pairs):
        says = (
            f"{pair.group}: {baseline} {wording.amount(pair.baseline, measure)}, "
            f"{arm} {wording.amount(pair.arm, measure)}"
        )
        axes.plot((place, place), (pair.baseline, pair.arm), color=colour("soft"), lw=1.2)
        draw_mark(axes, place, pair.baseline, size, True, says)
        draw_mark(axes, place, pair.arm, 0.8 * size, False, says)


def _draw_crowd(pairs: Sequence[GroupPair], axes: Axes) -> None:
    """Level strokes in place of dots, and thin joins; each kind is one path, cut by gaps."""
    cut, places = math.nan, range(len(pairs))
    joins = [y for pair in pairs for y in (pair.baseline, pair.arm, cut)]
    upright = [x for place in places for x in (place, place, cut)]
    axes.plot(upright, joins, color=colour("soft"), lw=100 / len(pairs))
    level = [x for place in places for x in (place - 0.5, place + 0.5, cut)]
    for name, width, heights in (
        ("base", 4.4, [pair.baseline for pair in pairs]),
        ("arm", 2.0, [pair.arm for pair in pairs]),
    ):
        strokes = [y for height in heights for y in (height, height, cut)]
        axes.plot(level, strokes, color=colour(name), lw=width, solid_capstyle="butt")


def _draw_outcomes(arms: Sequence[ArmSummary], height: float, axes: Axes) -> None:
    """A unit of the upright axis is a point of the drawing, counted from the top."""
    axes.set_xlim(0, 1)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    for place, arm in enumerate(arms):
        y = _BAR_ROW * place
        axes.text(0, y + 15, short(arm.arm, _LONGEST_ABOVE), weight="semibold")
        _draw_shares(arm, y + 31, axes)


def _draw_shares(arm: ArmSummary, y: float, axes: Axes) -> None:
    left = 0.0
    for outcome in Outcome:
        share = arm.outcomes[outcome]
        said = wording.percent(share, 0)
        if share > 0:
            (bar,) = axes.barh(
                y, share, 20, left, color=colour(outcome), edgecolor=colour("paper"), linewidth=1
            )
            bar.set_gid(saying(f"{arm.arm}: {outcome} {said}"))
        if share * WIDTH > 40:
            ink = colour("on-empty" if outcome is Outcome.EMPTY else "on")
            axes.text(left + 6 / WIDTH, y + 4.5, said, color=ink, weight="semibold")
        left += share
