"""Elements and tables of HTML. Content given to `tag` is markup; cells of `table` are text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def tag(name: str, content: str, kind: str = "") -> str:
    opened = f'{name} class="{kind}"' if kind else name
    return f"<{opened}>{content}</{name}>"


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table that scrolls by itself where the screen is narrower; the first column heads a row."""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in heads)
    body = "".join(tag("tr", _row(row)) for row in rows)
    content = tag("caption", escape(caption)) + tag("thead", tag("tr", head)) + tag("tbody", body)
    label = escape(caption)
    inner = tag("table", content, kind)
    return f'<div class="table" role="region" tabindex="0" aria-label="{label}">{inner}</div>'


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    return f'<th scope="row">{escape(first)}</th>' + "".join(
        tag("td", escape(cell)) for cell in others
    )
