"""Matplotlib's drawings: as SVG within the page and in its colours, as SVG and PNG on their own."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any
from xml.etree import ElementTree

from misstep.core.outcomes import Outcome
from misstep.report.page.style import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Units are points of the drawing; the page scales it to 0.96 at a phone's width of 360 pixels.
WIDTH = 340
TEXT = 12

SCALE = 3
"""Pixels of a PNG for each point of the drawing."""

_SAYS = "says: "
_is_final: ContextVar[bool] = ContextVar("misstep_final_colours", default=False)
_COLOURS = ("ink", "soft", "line", "paper", "base", "arm", "on", "on-empty", *Outcome)
_XLINK = "{http://www.w3.org/1999/xlink}href"
_LEFT_OUT = frozenset({"defs", "metadata", "style", "title"})

Style = dict[str, str]


@dataclass(frozen=True)
class Margins:
    """What lies around the axes, in points."""

    left: float = 0
    right: float = 0
    top: float = 0
    bottom: float = 0


@dataclass(frozen=True)
class Drawing:
    """One pair of axes, its height in points, and `label`: its numbers for who can't see it."""

    label: str
    height: float
    margins: Margins
    draw: Callable[[Axes], None]


def colour(name: str) -> str:
    """A stand-in for the page's CSS variable of that name, which takes its place in the SVG.

    In a PNG it is the light page's colour itself.
    """
    return LIGHT[name] if _is_final.get() else f"#0000{_COLOURS.index(name) + 1:02x}"


def saying(text: str) -> str:
    """For `set_gid`: what the artist says when it is pointed at."""
    return _SAYS + printable(text)


def printable(text: str) -> str:
    """One line that every font and parser takes: names come from logs and may hold anything."""
    line = " ".join(text.split())
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in line)


def inline(drawing: Drawing) -> str:
    """The element for the page.

    The first call of a process imports matplotlib, which takes half a second.
    """
    return ElementTree.tostring(_element_of(drawing), encoding="unicode")


def standalone(drawing: Drawing) -> str:
    """A file of its own: on white, in the light page's colours."""
    root = _element_of(drawing)
    size = {"width": str(WIDTH), "height": f"{drawing.height:g}"}
    root.attrib |= {"xmlns": "http://www.w3.org/2000/svg", **size}
    root.attrib |= {"font-family": "Helvetica, Arial, sans-serif", "font-size": f"{TEXT}px"}
    root.insert(0, ElementTree.Element("rect", {**size, "fill": LIGHT["paper"]}))
    title = ElementTree.Element("title")
    title.text = printable(drawing.label)
    root.insert(0, title)
    text = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r"var\(--([a-z-]+)\)", lambda found: LIGHT[found[1]], text) + "\n"


def png(drawing: Drawing) -> bytes:
    """On white, in the light page's colours; the bytes depend on the fonts of the machine."""
    out = io.BytesIO()
    token = _is_final.set(True)
    try:
        with _quietly():
            _render(
                drawing,
                out,
                format="png",
                dpi=72 * SCALE,
                facecolor=LIGHT["paper"],
                bbox_inches="tight",
                metadata={"Software": None},
            )
    finally:
        _is_final.reset(token)
    return out.getvalue()


def _element_of(drawing: Drawing) -> ElementTree.Element:
    out = io.StringIO()
    root = ElementTree.Element(
        "svg",
        {
            "viewBox": f"0 0 {WIDTH} {drawing.height:g}",
            "role": "img",
            "aria-label": printable(drawing.label),
        },
    )
    with _quietly():
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        _render(drawing, out, format="svg", metadata=nothing)
        drawn = ElementTree.fromstring(out.getvalue())  # noqa: S314  our own
    markers = {f"#{one.get('id')}": one for one in drawn.iterfind(".//{*}defs/{*}path")}
    root.extend(kept for child in drawn for kept in _kept(child, markers))
    return root


def _render(
    drawing: Drawing,
    out: IO[str] | IO[bytes],
    **settings: Any,  # Any: as matplotlib's savefig takes them
) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    height, margins = drawing.height, drawing.margins
    with matplotlib.rc_context():
        _set_defaults()
        figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72)
        across = (WIDTH - margins.left - margins.right) / WIDTH
        up = (height - margins.top - margins.bottom) / height
        place = (margins.left / WIDTH, margins.bottom / height, across, up)
        axes = figure.add_axes(place)
        drawing.draw(axes)
        for artist in axes.get_children():
            # A mark at either end of the axis is shown whole.
            artist.set_clip_on(False)
        figure.savefig(out, **settings)


def _set_defaults() -> None:
    """The look of every figure. A user's own settings would make other bytes, so they go first."""
    import matplotlib

    matplotlib.rcdefaults()
    matplotlib.rc("svg", fonttype="none", hashsalt="misstep")
    matplotlib.rc("text", parse_math=False, color=colour("ink"))
    matplotlib.rc("font", size=TEXT)
    matplotlib.rc("figure", facecolor="none")
    matplotlib.rc("axes", facecolor="none", edgecolor=colour("ink"), axisbelow=True)
    matplotlib.rc("axes", labelcolor=colour("soft"), labelsize=TEXT)
    matplotlib.rc("axes.spines", left=False, right=False, top=False, bottom=False)
    matplotlib.rc("grid", color=colour("line"))
    matplotlib.rc("xtick", color=colour("soft"), labelsize=TEXT)
    matplotlib.rc("ytick", color=colour("soft"), labelsize=TEXT)
    matplotlib.rc("xtick.major", size=0)
    matplotlib.rc("ytick.major", size=0)


@contextmanager
def _quietly() -> Iterator[None]:
    """No notes on fonts: the text is set by the reader's browser, in the fonts it has."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph|Matplotlib currently does not support")
            yield
    finally:
        logger.setLevel(level)


def _kept(
    source: ElementTree.Element, markers: Mapping[str, ElementTree.Element]
) -> list[ElementTree.Element]:
    """The element as the page holds it: no ids, no references, no clipping, no idle groups."""
    name = source.tag.rpartition("}")[2]
    if name in _LEFT_OUT:
        return []
    if name == "g":
        children = [kept for child in source for kept in _kept(child, markers)]
        return _group(source.get("id", ""), children)
    if name == "use":
        return [_marker(source, markers[source.get(_XLINK, "")])]
    attributes = {key: value for key, value in source.attrib.items() if key in ("d", "x", "y")}
    style = _style(source)
    if name == "path" and style.get("fill") == "none" and "stroke" not in style:
        return []
    return [_element(name, attributes, style, source.text)]


def _group(gid: str, children: list[ElementTree.Element]) -> list[ElementTree.Element]:
    if not gid.startswith(_SAYS):
        return children
    group, title = ElementTree.Element("g"), ElementTree.Element("title")
    title.text = gid.removeprefix(_SAYS)
    group.extend([title, *children])
    return [group]


def _marker(use: ElementTree.Element, marker: ElementTree.Element) -> ElementTree.Element:
    attributes = {
        "d": marker.get("d", ""),
        "transform": f"translate({use.get('x')} {use.get('y')})",
    }
    return _element("path", attributes, {**_style(use), **_style(marker)}, None)


def _element(name: str, attributes: Style, style: Style, text: str | None) -> ElementTree.Element:
    made = ElementTree.Element(name, {key: _rounded(value) for key, value in attributes.items()})
    if style:
        made.set("style", ";".join(f"{key}:{value}" for key, value in style.items()))
    made.text = text if text and text.strip() else None
    return made


def _rounded(numbers: str) -> str:
    """With two digits: none more can be seen, and the last ones differ between machines."""
    found = re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.2f}", numbers)
    return " ".join(found.split())


def _style(source: ElementTree.Element) -> Style:
    """Its properties with the page's colours; size and family of the text are the page's too."""
    # Before matplotlib 3.11 a text's weight comes in front of the size: "font: 600 12px ...".
    style = re.sub(r"\bfont: (\d+) ", r"font-weight: \1; font: ", source.get("style", ""))
    variables = {colour(name): f"var(--{name})" for name in _COLOURS}
    return {
        key: variables.get(value, value)
        for key, value in re.findall(r"([\w-]+): *([^;]+)", style)
        if key not in ("font", "font-size", "font-family")
    }
