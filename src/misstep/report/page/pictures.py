"""Pictures of example items: small copies within the page, in their places among the words."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from html import escape

from PIL import Image

from misstep.core.pictures import Seen, said_of
from misstep.report.page.markup import printable, tag

ALONE, AMONG = 360, 168
"""Pixels of a copy's longer side: of a question's only picture, and of one among several."""
_QUALITY = 82
_SVG = "image/svg+xml"


def illustrated(text: str, pictures: Sequence[Seen]) -> str:
    """The words of a question with its pictures; one whose words are cut away stands at the end."""
    longest = ALONE if len(pictures) == 1 else AMONG
    pieces: list[str] = []
    last: list[str] = []
    for one in pictures:
        before, found, after = text.partition(printable(said_of(one.alt)))
        if found:
            pieces += [escape(before), _picture(one, longest)]
            text = after
        else:
            last.append(_picture(one, longest))
    return tag("div", "".join([*pieces, escape(text), *last]), "asked")


def _picture(one: Seen, longest: int) -> str:
    """An image with its alt text; words where there is none to show."""
    source = None if one.content is None else _source(one.content, one.media, longest)
    if source is None:
        return tag("span", escape(printable(said_of(one.alt))), "soft")
    return f'<img src="{source}" alt="{escape(printable(one.alt))}">'


def _source(content: bytes, media: str, longest: int) -> str | None:
    if media != _SVG:
        copy = _copy(content, longest)
        if copy is None:
            return None
        media, content = copy
    return f"data:{media};base64,{base64.b64encode(content).decode()}"


def _copy(content: bytes, longest: int) -> tuple[str, bytes] | None:
    """A copy of at most that size in the smaller of two formats; None of what is no picture."""
    try:
        with Image.open(io.BytesIO(content)) as picture:
            small = picture.convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    small.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    jpeg, png = io.BytesIO(), io.BytesIO()
    small.save(jpeg, "JPEG", quality=_QUALITY, optimize=True)
    small.save(png, "PNG", optimize=True)
    copies = ("image/jpeg", jpeg.getvalue()), ("image/png", png.getvalue())
    return min(copies, key=lambda copy: len(copy[1]))
