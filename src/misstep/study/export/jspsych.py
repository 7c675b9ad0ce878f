"""The rows that jsPsych recorded, as its own `data().json()` writes them, person after person."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.study.export.parts import Choice, Part
from misstep.study.screens import Json
from misstep.study.store.nouns import Kept, Participant


def lines(found: Iterable[Part], choice: Choice) -> Iterator[str]:
    """The JSON array in pieces, a row a line; no more than one person's rows are held at a time."""
    yield "["
    before = "\n"
    for one in found:
        for kept in one.kept:
            yield before + json.dumps(_row(one.who, kept, choice), ensure_ascii=False)
            before = ",\n"
    yield "\n]\n"


def write(found: Iterable[Part], out: Path, choice: Choice) -> int:
    """How many rows were written; BadInput where the file can't be."""
    count = 0
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        # Somebody's text may hold half a surrogate pair, which no file can.
        with out.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            for line in lines(found, choice):
                file.write(line)
                count += 1
    except OSError as error:
        raise BadInput(f"--jspsych: {out}: {error.strerror or error}") from None
    return count - 2


def _row(who: Participant, kept: Kept, choice: Choice) -> dict[str, Json]:
    """jsPsych's own columns, then ours. Where a client without jsPsych answered, ours alone."""
    given = kept.sent.given
    row: dict[str, Json] = {"rt": given.rt_ms, "response": dict(given.answer)}
    row |= dict(kept.sent.row or {})
    row |= {"participant": who.public, "key": given.key}
    if choice.ids:
        recruited = who.recruited
        row |= {
            "recruited_person": recruited.person,
            "recruited_study": recruited.study,
            "recruited_session": recruited.session,
        }
    return row
