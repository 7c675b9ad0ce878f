"""Facts in a reply: one a line or in a row, in words or in PDDL, with what is said around them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from misstep.planning.model import Atom
from misstep.planning.wording import Phrasebook, UnreadError, read_fact

_BULLET = re.compile(r"^[\s>]*(?:[-*\u2022+]|\d{1,3}[.)])\s+")
_SEPARATOR = re.compile(r"\s*[;\n]\s*")
_COMMA = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_EMPHASIS = re.compile(r"\*\*|__|`|\$")


@dataclass(frozen=True)
class Said:
    """`holding` and `denied` as PDDL, "(on a b)", each once; `unread` is what fits nothing."""

    holding: tuple[str, ...]
    denied: tuple[str, ...]
    unread: tuple[str, ...]


def facts_said(text: str, books: tuple[Phrasebook, ...]) -> Said:
    """Each piece is read by the first of the books that understands it."""
    holding: dict[str, None] = {}
    denied: dict[str, None] = {}
    unread: list[str] = []
    for piece in _pieces(text, books):
        found = _fact(piece, books)
        if found is None:
            unread.append(piece)
        else:
            (holding if found[1] else denied)[found[0].text] = None
    return Said(tuple(holding), tuple(denied), tuple(unread))


def last_listed(text: str, books: tuple[Phrasebook, ...]) -> Said:
    """The last run of lines that hold nothing but facts, blank lines between them or not; in a
    reply that tells state after state, the last one. All that is said, where no line is so."""
    run: list[str] = []
    is_open = False
    for line in text.splitlines():
        if not line.strip():
            continue
        said = facts_said(line, books)
        is_listed = bool(said.holding or said.denied) and not said.unread
        if is_listed and not is_open:
            run = []
        run += [line] if is_listed else []
        is_open = is_listed
    return facts_said("\n".join(run) if run else text, books)


def _pieces(text: str, books: tuple[Phrasebook, ...]) -> list[str]:
    """Lines and parts between semicolons; those that are no fact are cut at commas and "and"."""
    found: list[str] = []
    for line in _EMPHASIS.sub("", text).splitlines():
        for piece in _SEPARATOR.split(_BULLET.sub("", line)):
            bare = _bare(piece)
            if not bare or bare.lower() in ("nothing", "none"):
                continue
            whole = _fact(bare, books) is not None
            parts = [bare] if whole else [_bare(part) for part in _split(bare)]
            found += [part for part in parts if part]
    return found


def _split(piece: str) -> list[str]:
    """ "(a b) (c d)" and "x is y, and z is clear"."""
    if piece.startswith("(") and piece.endswith(")"):
        inner = piece[1:-1].strip() if piece.startswith("((") else piece
        return re.findall(r"\(not\s*\([^()]*\)\s*\)|\([^()]*\)", inner) or [piece]
    return _COMMA.split(piece)


def _bare(piece: str) -> str:
    return piece.strip().rstrip(".,:").strip()


def _fact(piece: str, books: tuple[Phrasebook, ...]) -> tuple[Atom, bool] | None:
    for book in books:
        try:
            return read_fact(book, piece)
        except UnreadError:
            continue
    return None
