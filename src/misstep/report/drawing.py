"""Matplotlib's drawings as inline SVG: colours of the page, nothing referred to, nothing global."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from misstep.core.outcomes import Outcome

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Units are points of the drawing; the page scales it to 0.96 at a phone's width of 360 pixels.
WIDTH = 340
TEXT = 12

_SAYS = "says: "
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


def colour(name: str) -> str:
    """A stand-in for the page's CSS variable of that name, which takes its place in the SVG."""
    return f"#0000{_COLOURS.index(name) + 1:02x}"


def saying(text: str) -> str:
    """For `set_gid`: what the artist says when it is pointed at."""
    return _SAYS + printable(text)


def printable(text: str) -> str:
    """One line that every font and parser takes: names come from logs and may hold anything."""
    line = " ".join(text.split())
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in line)


def svg(label: str, height: float, margins: Margins, draw: Callable[[Axes], None]) -> str:
    """The element with one pair of axes drawn on; `label` says the numbers to who can't see it.

    The first call of a process imports matplotlib, which takes half a second.
    """
    root = ElementTree.Element(
        "svg",
        {"viewBox": f"0 0 {WIDTH} {height:g}", "role": "img", "aria-label": printable(label)},
    )
    with _quietly():
        drawn = ElementTree.fromstring(_rendered(height, margins, draw))  # noqa: S314  our own
    markers = {f"#{one.get('id')}": one for one in drawn.iterfind(".//{*}defs/{*}path")}
    root.extend(kept for child in drawn for kept in _kept(child, markers))
    return ElementTree.tostring(root, encoding="unicode")


def _rendered(height: float, margins: Margins, draw: Callable[[Axes], None]) -> str:
    import matplotlib
    from matplotlib.figure import Figure

    out = io.StringIO()
    with matplotlib.rc_context():
        _set_defaults()
        figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72)
        across = (WIDTH - margins.left - margins.right) / WIDTH
        up = (height - margins.top - margins.bottom) / height
        draw(figure.add_axes((margins.left / WIDTH, margins.bottom / height, across, up)))
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(out, format="svg", metadata=nothing)
    return out.getvalue()


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
