"""What the figures have in common: the measure's axis, the marks of the arms, names beside rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from misstep.core.measures import Measure
from misstep.report import wording
from misstep.report.figures.drawing import colour, printable, saying

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 18
"""Characters of a name beside a row; the label of the figure has it whole."""
_CHARACTER = 7.2
"""A character of the page's font is hardly wider, even in bold."""


def ticks(measure: Measure, is_sparse: bool = False) -> tuple[list[float], list[str]]:
    """Places and their numbers; sparse: every other one has none, where names leave little room."""
    if measure.factor == 100:
        places = [0, 0.25, 0.5, 0.75, 1]
        names = [wording.percent(at, 0) for at in places]
    else:
        inner = range(5 * (int(measure.lowest) // 5 + 1), int(measure.highest) + 1, 5)
        places = sorted({measure.lowest, *map(float, inner), measure.highest})
        names = [f"{at:g}" for at in places]
    if is_sparse:
        names = [name if place % 2 == 0 else "" for place, name in enumerate(names)]
    return places, names


def room(names: Iterable[str]) -> float:
    """Points that the longest of the names takes beside the axes."""
    return max([24.0, *(_CHARACTER * len(short(name)) + 12 for name in names)])


def short(name: str, longest: int = LONGEST) -> str:
    """As it fits in the figure, whose label has the whole name."""
    text = printable(name)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def beside(axes: Axes, y: float, name: str, number: str, is_bold: bool) -> None:
    """The name left of the axes, the number right of them."""
    across, ink = axes.get_yaxis_transform(), "ink" if is_bold else "soft"
    for x, text, anchor, gap in ((0.0, short(name), "right", -9), (1.0, number, "left", 9)):
        axes.annotate(
            text, (x, y), (gap, 0), xycoords=across, textcoords="offset points",
            ha=anchor, va="center", color=colour(ink), weight="semibold" if is_bold else "normal",
        )  # fmt: skip


def draw_mark(
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
