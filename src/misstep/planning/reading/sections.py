"""Which part of a reply is about the asked problem, where it also tells of worked examples."""

from __future__ import annotations

import re
from collections.abc import Sequence

from misstep.planning.reading.tidy import Line

_ORDINALS = {"first": 1, "1st": 1, "one": 1, "second": 2, "2nd": 2, "two": 2, "third": 3, "3rd": 3}
_THING = (
    r"(?:problem|scenario|statement|instance|example|case|puzzle|task"
    r"|set of (?:initial )?conditions)"
)
_BEFORE = (
    r"(?:(?:now|so|next|then|and|ok|okay|alright),?\s*)?"
    r"(?:(?:for|regarding|consider|let's (?:tackle|look at|do)|solving)\s*)?(?:the\s+)?"
)
_SECTION = re.compile(
    _BEFORE
    + rf"(?:(first|second|third|1st|2nd|3rd)\s+{_THING}|{_THING}\s+#?([123]|one|two|three)\b)"
)
_LONGEST_HEADING = 90
_SPACE = re.compile(r"\W+")


def asked_part(lines: Sequence[Line], query: str) -> Sequence[Line]:
    """The lines that are about the query's last problem."""
    return _by_ordinal(_by_statement(lines, query), query)


def _by_statement(lines: Sequence[Line], query: str) -> Sequence[Line]:
    """What follows an invented [STATEMENT] is no part of the answer; the asked one's copy is."""
    starts = [at for at, line in enumerate(lines) if line.mark == "statement"]
    if not starts:
        return lines
    if any(line.text or line.mark for line in lines[: starts[0]]):
        return lines[: starts[0]]
    asked = _bare(query[query.rfind("[STATEMENT]") + len("[STATEMENT]") :])
    ends = [*starts[1:], len(lines)]
    parts = [lines[start:end] for start, end in zip(starts, ends, strict=True)]
    same = [part for part in parts if (said := _conditions(part)) and said in asked]
    return same[0] if same else parts[-1]


def _conditions(lines: Sequence[Line]) -> str:
    return _bare(next((line.text for line in lines if line.text), ""))


def _bare(text: str) -> str:
    return _SPACE.sub(" ", text.lower()).strip()


def _by_ordinal(lines: Sequence[Line], query: str) -> Sequence[Line]:
    """ "For the first problem: … For the second problem: …": the asked one is the last of them."""
    found = [(at, number) for at, line in enumerate(lines) if (number := _section_of(line))]
    if not found:
        return lines
    asked = max(query.count("[STATEMENT]"), *(number for _, number in found))
    starts = [at for at, number in found if number == asked]
    before = min(at for at, _ in found)
    return lines[starts[-1] :] if starts else lines[:before]


def _section_of(line: Line) -> int:
    text = line.text.lower()
    if len(text) > _LONGEST_HEADING or not (text.endswith((":", ".")) or line.heading):
        return 0
    found = _SECTION.match(text)
    if found is None or (
        text.endswith(".") and not re.search(r"tackle|look at|consider|now", text)
    ):
        return 0
    word = found[1] or found[2]
    return _ORDINALS.get(word) or (int(word) if word.isdigit() else 3)
