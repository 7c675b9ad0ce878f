"""PDDL text as words and parentheses, with each one's place found when an error needs it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from misstep.planning.errors import PddlError

DEEPEST = 64
"""Parentheses nested deeper than this are refused, so that no walk over a formula recurses far."""

LONGEST = 200
"""Characters of a name or number."""

_WORD = re.compile(r";[^\n\r]*|[()]|[^\s();]+")
_COMMENT = re.compile(r";[^\n\r]*")
_NAME = re.compile(r"[a-z0-9_][a-z0-9_-]*", re.ASCII)
_VARIABLE = re.compile(r"\?[a-z0-9_][a-z0-9_-]*", re.ASCII)
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Tokens:
    """`words` in lower case; `ends[i]` is the index of the ")" that closes the "(" at i, or i."""

    text: str
    file: str
    words: list[str]
    ends: list[int]

    def parts(self, start: int) -> list[int]:
        """Where each element of the list that opens at `start` begins."""
        ends, index, found = self.ends, start + 1, []
        last = ends[start]
        while index < last:
            found.append(index)
            index = ends[index] + 1
        return found

    def after_head(self, start: int) -> list[int]:
        """Likewise, but for the first."""
        return self.parts(start)[1:]

    def is_list(self, index: int) -> bool:
        return self.words[index] == "("

    def head(self, start: int) -> str:
        """The first word of the list that opens at `start`; "" where it has none."""
        word = self.words[start + 1]
        return "" if word in "()" else word

    def error(self, index: int, found: str, expected: str = "") -> PddlError:
        return _error(self.text, self.file, _offset(self.text, index), found, expected)

    def unexpected(self, index: int, expected: str) -> PddlError:
        """Something else stands at `index` than what was expected there."""
        return self.error(index, f"found {quoted(self.words[index])}", expected)

    def name(self, index: int, what: str) -> str:
        """The word at `index` as a name; `what` says whose."""
        word = self.words[index]
        if _NAME.fullmatch(word) is None or len(word) > LONGEST:
            raise self.unexpected(index, f"{what} (letters, digits, - and _)")
        return word

    def variable(self, index: int) -> str:
        word = self.words[index]
        if _VARIABLE.fullmatch(word) is None or len(word) > LONGEST:
            raise self.unexpected(index, "a variable such as ?x")
        return word


def read_tokens(text: str | bytes, file: str = "") -> Tokens:
    """The one parenthesised form that the text is; bytes must be UTF-8."""
    if isinstance(text, bytes):
        text = _decoded(text, file)
    text = text.removeprefix("\ufeff")
    words = _words(text.lower())
    return Tokens(text, file, words, _ends(text, file, words))


def quoted(word: str) -> str:
    """For a message: on one line, and not endless."""
    return ascii(word if len(word) <= 40 else word[:37] + "...")


def _words(text: str) -> list[str]:
    """What `_WORD` finds but for comments, several times as fast."""
    if ";" in text:
        text = _COMMENT.sub("", text)
    return text.replace("(", " ( ").replace(")", " ) ").split()


def _decoded(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        found = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise _error(before, file, len(before), found, "text in UTF-8") from None


def _ends(text: str, file: str, words: list[str]) -> list[int]:
    """Parentheses matched without recursion; exactly one outermost pair."""
    ends = list(range(len(words)))
    opened: list[int] = []
    for index, word in enumerate(words):
        if word == "(":
            if not opened and index:
                raise _stray(text, file, words, index)
            opened.append(index)
            if len(opened) > DEEPEST:
                found = f"parentheses nested deeper than {DEEPEST}"
                raise _error(text, file, _offset(text, index), found)
        elif not opened:
            raise _stray(text, file, words, index)
        elif word == ")":
            ends[opened.pop()] = index
    if opened:
        place = _offset(text, opened[-1])
        raise _error(text, file, place, "'(' is never closed", "')' before the end")
    if not words:
        raise _error(text, file, len(text), "the text is empty", "'(define'")
    return ends


def _stray(text: str, file: str, words: list[str], index: int) -> PddlError:
    """A word outside of the form: before its "(" or after its last ")"."""
    expected = "the end of the text" if index else "'('"
    return _error(text, file, _offset(text, index), f"found {quoted(words[index])}", expected)


def _offset(text: str, index: int) -> int:
    """Where the word with this index begins. Lower case changes no word's index, but offsets."""
    places = (match.start() for match in _WORD.finditer(text))
    return next(islice((place for place in places if text[place] != ";"), index, None))


def _error(text: str, file: str, offset: int, found: str, expected: str = "") -> PddlError:
    line, start = 1, 0
    for match in _LINE_END.finditer(text, 0, offset):
        line, start = line + 1, match.end()
    return PddlError(file, line, offset - start + 1, found, expected)
