"""Cutting thinking blocks out of a reply, without moving what stays."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TAG = re.compile(r"<(/?)(think|thinking|thought|thoughts|reasoning|scratchpad)\s*>", re.IGNORECASE)
_NOT_NEWLINE = re.compile(r"[^\n]")


@dataclass(frozen=True)
class Cut:
    """The reply with every thinking block blanked: as long as before, so offsets still hold."""

    text: str
    is_unclosed: bool


def cut_thinking(reply: str) -> Cut:
    """Blank the thinking. A closing tag without an opening one ends thinking that began earlier.

    Chat templates often put the opening tag into the prompt, so the reply holds only the end.
    """
    kept_from = blanked_to = 0
    opened_at: int | None = None
    pieces: list[str] = []
    for tag in _TAG.finditer(reply):
        closes = tag.group(1) == "/"
        if not closes and opened_at is None:
            pieces.append(reply[kept_from : tag.start()])
            opened_at = kept_from = tag.start()
        elif closes:
            if opened_at is None:
                pieces, blanked_to = [], tag.end()
            else:
                pieces.append(_blank(reply[kept_from : tag.end()]))
            opened_at, kept_from = None, tag.end()
    rest = reply[kept_from:]
    pieces.append(rest if opened_at is None else _blank(rest))
    return Cut(_blank(reply[:blanked_to]) + "".join(pieces), opened_at is not None)


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(" ", text)
