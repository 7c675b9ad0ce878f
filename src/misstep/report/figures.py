"""The figures of a section: accuracies with what they are compared with, groups, outcomes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from misstep.analyse.comparison import ArmSummary
from misstep.core.outcomes import Outcome
from misstep.report import wording
from misstep.report.drawing import WIDTH, Margins, colour, printable, saying, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICKS = (0, 0.25, 0.5, 0.75, 1)
_ROW, _THIN_ROW, _BAR_ROW = 34, 18, 46
_RIGHT = 62
_LONGEST_BESIDE, _LONGEST_ABOVE = 18, 40
# With more groups than this, nobody could point at one.
_MOST_DOTS = 100
# A character of the page's font is hardly wider, even in bold.
_CHARACTER = 7.2


@dataclass(frozen=True)
class Line:
    """An accuracy to compare with: chance, a constant answer, a reference solver."""

    name: str
    accuracy: float
    is_solver: bool = False


@dataclass(frozen=True)
class GroupPair:
    """The accuracies of both arms in one group."""

    group: str
    baseline: float
    arm: float


def arms_figure(arms: Sequence[ArmSummary], lines: Sequence[Line]) -> str:
    """Each arm's accuracy with its interval; below, what to compare it with, as lines."""
    said = "; ".join(
        f"{arm.arm} {wording.percent(arm.accuracy)} (95 % {wording.percent_interval(arm.interval)})"
        for arm in arms
    )
    compared = "; ".join(f"{line.name} {wording.percent(line.accuracy)}" for line in lines)
    longest = max(len(_short(one)) for one in (*(arm.arm for arm in arms), *_names(lines)))
    margins = Margins(left=max(24.0, _CHARACTER * longest + 12), right=_RIGHT, top=4, bottom=24)
    height = _ROW * len(arms) + _THIN_ROW * len(lines) + 10
    return svg(
        f"Accuracy of each arm: {said}. To compare with: {compared}.",
        height + margins.top + margins.bottom,
        margins,
        partial(_draw_arms, arms, lines, height),
    )


def groups_figure(pairs: Sequence[GroupPair], baseline: str, arm: str) -> str:
    """Both accuracies of each group as dots joined by a line, in the order of the baseline."""
    ordered = sorted(pairs, key=lambda pair: (-pair.baseline, -pair.arm, pair.group))
    return svg(
        f"{groups_line(pairs, baseline, arm)}.",
        232,
        Margins(left=46, right=4, top=10, bottom=30),
        partial(_draw_groups, ordered, baseline, arm),
    )


def groups_line(pairs: Sequence[GroupPair], baseline: str, arm: str) -> str:
    lower = sum(pair.arm < pair.baseline for pair in pairs)
    higher = sum(pair.arm > pair.baseline for pair in pairs)
    equal = len(pairs) - lower - higher
    groups = wording.counted(lower, "group")
    return f"{arm} is below {baseline} in {groups}, level in {equal}, above in {higher}"


def outcomes_figure(arms: Sequence[ArmSummary]) -> str:
    """A bar for each arm, cut by outcome."""
    said = "; ".join(
        f"{arm.arm}: "
        + ", ".join(f"{outcome} {wording.percent(arm.outcomes[outcome])}" for outcome in Outcome)
        for arm in arms
    )
    height = _BAR_ROW * len(arms)
    return svg(
        f"Share of each outcome. {said}.",
        height,
        Margins(),
        partial(_draw_outcomes, arms, height),
    )


def _names(lines: Sequence[Line]) -> tuple[str, ...]:
    return tuple(line.name for line in lines)


def _short(name: str, longest: int = _LONGEST_BESIDE) -> str:
    """As it fits in the figure, whose label has the whole name."""
    text = printable(name)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _draw_arms(
    arms: Sequence[ArmSummary], lines: Sequence[Line], height: float, axes: Axes
) -> None:
    """A unit of the upright axis is a point of the drawing, counted from the top."""
    axes.set_xlim(0, 1)
    axes.set_ylim(height, 0)
    # Long names leave little room: every other tick has its number.
    axes.set_xticks(_TICKS, ["" if at % 0.5 else wording.percent(at, 0) for at in _TICKS])
    axes.set_yticks([])
    axes.grid(axis="x")
    axes.spines["bottom"].set_visible(True)
    for place, line in enumerate(lines):
        _draw_line(line, _ROW * len(arms) + _THIN_ROW * (place + 0.5), axes)
    for place, arm in enumerate(arms):
        _draw_arm(arm, _ROW * (place + 0.5), place == 0, axes)


def _draw_arm(arm: ArmSummary, y: float, is_baseline: bool, axes: Axes) -> None:
    if arm.interval is not None:
        ends = (arm.interval.low, arm.interval.high)
        axes.plot(ends, (y, y), color=colour("ink"), lw=1.6, marker="|", ms=10, mew=1.6)
    _draw_mark(axes, arm.accuracy, y, 12, is_baseline)
    _draw_name(arm.arm, arm.accuracy, y, "ink", axes)


def _draw_line(line: Line, y: float, axes: Axes) -> None:
    ink, dashes, width = ("soft", (1, 3), 1.0) if line.is_solver else ("ink", (6, 3), 1.2)
    axes.plot((line.accuracy,) * 2, (4, y), color=colour(ink), lw=width, ls=(0, dashes))
    axes.plot((line.accuracy,), (y,), color=colour("soft"), ls="", marker="D", ms=5.6, mew=0)
    _draw_name(line.name, line.accuracy, y, "soft", axes)


def _draw_name(name: str, accuracy: float, y: float, ink: str, axes: Axes) -> None:
    """The name left of the axes, the number right of them."""
    across, weight = axes.get_yaxis_transform(), "semibold" if ink == "ink" else "normal"
    for x, text, anchor, gap in (
        (0.0, _short(name), "right", -9),
        (1.0, wording.percent(accuracy), "left", 9),
    ):
        axes.annotate(
            text, (x, y), (gap, 0), xycoords=across, textcoords="offset points",
            ha=anchor, va="center", color=colour(ink), weight=weight,
        )  # fmt: skip


def _draw_mark(
    axes: Axes, x: float, y: float, size: float, is_baseline: bool, says: str | None = None
) -> None:
    """A ring for the baseline; for an arm a square that the ring nearly goes around."""
    if is_baseline:
        face, edge = colour("paper"), colour("base")
        edge_width = 0.17 * size
        (mark,) = axes.plot(
            (x,), (y,), ls="", marker="o", ms=size, mew=edge_width, mfc=face, mec=edge
        )
    else:
        (mark,) = axes.plot((x,), (y,), ls="", marker="s", ms=0.85 * size, mew=0, mfc=colour("arm"))
    if says is not None:
        mark.set_gid(saying(says))


def _draw_groups(pairs: Sequence[GroupPair], baseline: str, arm: str, axes: Axes) -> None:
    axes.set_xlim(-0.5, len(pairs) - 0.5)
    axes.set_ylim(0, 1)
    axes.set_xticks([])
    axes.set_yticks(_TICKS, [wording.percent(at, 0) for at in _TICKS])
    axes.grid(axis="y")
    axes.set_xlabel("groups, ordered by the baseline's accuracy", labelpad=13)
    if len(pairs) > _MOST_DOTS:
        _draw_crowd(pairs, axes)
        return
    size = max(3.2, min(11.0, 220 / len(pairs)))
    for place, pair in enumerate(pairs):
        says = (
            f"{pair.group}: {baseline} {wording.percent(pair.baseline)}, "
            f"{arm} {wording.percent(pair.arm)}"
        )
        axes.plot((place, place), (pair.baseline, pair.arm), color=colour("soft"), lw=1.2)
        _draw_mark(axes, place, pair.baseline, size, True, says)
        _draw_mark(axes, place, pair.arm, 0.8 * size, False, says)


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
        axes.text(0, y + 15, _short(arm.arm, _LONGEST_ABOVE), weight="semibold")
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
