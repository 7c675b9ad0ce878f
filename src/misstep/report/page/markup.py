"""Elements and tables of HTML. Content given to `tag` is markup; cells of `table` are text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def tag(name: str, content: str, kind: str = "") -> str:
    opened = f'{name} class="{kind}"' if kind else name
    return f"<{opened}>{content}</{name}>"


def printable(text: str) -> str:
    """As a page can hold it, sign for sign."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table that scrolls by itself where the screen is narrower; the first column heads a row."""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in heads)
    body = "".join(tag("tr", _row(row)) for row in rows)
    said = tag("caption", tag("span", escape(caption)))
    inner = tag("table", said + tag("thead", tag("tr", head)) + tag("tbody", body), kind)
    return scrolling(caption, inner)


def scrolling(label: str, content: str) -> str:
    """What may be wider than the screen, within reach of the keyboard."""
    named = f'role="region" tabindex="0" aria-label="{escape(label)}"'
    return f'<div class="table" {named}>{content}</div>'


def items(lines: Iterable[str]) -> str:
    """A list of lines of text; empty where there are none."""
    listed = "".join(tag("li", escape(line)) for line in lines)
    return tag("ul", listed, kind="plain") if listed else ""


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    return f'<th scope="row">{escape(first)}</th>' + "".join(
        tag("td", escape(cell)) for cell in others
    )
