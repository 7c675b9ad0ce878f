"""Plain text from markdown, LaTeX, HTML and full-width forms: every character keeps its place.

What is decoration becomes as many spaces, so that an offset in the plain text is the same offset
in the reply and no map back is needed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

BOX = "\ue000"
"""Stands where an answer box opens: the LaTeX box or an answer tag."""

_LOOKALIKES = (
    (0x2460, 0x2469),  # circled digits
    (0x24B6, 0x24EA),  # circled letters
    (0xFF01, 0xFF5F),  # full-width ASCII
    (0x1D400, 0x1D800),  # mathematical alphabets
)
_PUNCTUATION = {
    "‘": "'",
    "’": "'",
    "ʼ": "'",
    "′": "'",
    "\u00a0": " ",
    "\u3000": " ",
    "。": ".",
    "、": ",",
    "．": ".",
    "：": ":",
    "\r": "\n",
    "\u2028": "\n",
    "⇒": "→",
    "➡": "→",
    "➔": "→",
    "‐": "-",
    "‑": "-",
    "−": "-",
} | dict.fromkeys('"“”„‟«»「」『』【】`*{}[]$\ue000\u200b\u200c\u200d\u2060\ufeff\ufe0f\u20e3', " ")

_BOXES = re.compile(
    r"\\(?:boxed|fbox|framebox)\s{0,3}\{"
    r"|<(?:final[_ -]?)?(?:answer|response|choice|verdict|conclusion|result)>",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"<\|[a-z_]{1,30}\|>|</s>", re.IGNORECASE)
_DECORATION = re.compile(
    r"</?[a-zA-Z][^<>\n]{0,80}>"  # HTML and XML tags
    r"|~~[^~\n]{1,80}~~"  # struck out
    r"|\\n(?=[A-Z\W])|\\[a-zA-Z]{1,20}|\\[^a-zA-Z\s]?"  # escapes and LaTeX
    r"|(?m:^[ \t]*+#{1,6}(?=[ \t*])|^[ \t]*+(?:>[ \t]{0,3}){1,5})"
    r"|(?<![A-Za-z0-9])_{1,3}|_{1,3}(?![A-Za-z0-9])"
    r"|(?<![A-Za-z])'|'(?![A-Za-z])"
    r"|[\u2600-\u2793\u2795-\u27bf\U0001f000-\U0001faff]"
)


@lru_cache(maxsize=1)
def _table() -> dict[int, str]:
    table = {ord(character): plain for character, plain in _PUNCTUATION.items()}
    for first, end in _LOOKALIKES:
        for code in range(first, end):
            plain = unicodedata.normalize("NFKC", chr(code))
            if len(plain) == 1 and code not in table:
                table[code] = " " if plain in "\"'`*{}[]$" else plain
    return table


def plain(text: str) -> str:
    """The words and punctuation of a reply; as long as `text`."""
    boxed = _BOXES.sub(lambda box: " " * (len(box[0]) - 1) + "\0", text.replace("\0", " "))
    ended = _TEMPLATE.sub(lambda token: " " * (len(token[0]) - 1) + "\n", boxed)
    bare = _DECORATION.sub(_spaces, ended.translate(_table()))
    return bare.replace("\0", BOX)


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match[0])
