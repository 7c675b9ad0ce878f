"""Example items of each outcome, with prompt and reply. Replies are hostile until escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from misstep.core.outcomes import Outcome
from misstep.core.records import Record, Transcript
from misstep.report.page.markup import printable, tag
from misstep.report.page.pictures import illustrated

LONGEST = 6_000
SHORT = 60
"""Characters of an answer in the first line of an example."""
_MARKER = re.compile(r"\s*\[[A-Z ]+\]\s*")
"""A line such as "[PLAN]", which only says where an answer begins or ends."""


def examples(found: Mapping[Outcome, Sequence[Transcript]], room: int = 1_000_000) -> str:
    """As many as fit into `room` bytes, the first of each outcome first; the others are counted."""
    made = {outcome: [_example(one) for one in listed] for outcome, listed in found.items()}
    kept = _kept(made, room)
    blocks = "".join(
        tag("h4", outcome.capitalize()) + "".join(listed[: kept[outcome]])
        for outcome, listed in made.items()
        if kept[outcome]
    )
    left = sum(map(len, made.values())) - sum(kept.values())
    note = tag("p", f"{left} more are left out, to keep the page small.", "soft") if left else ""
    return tag("h3", "Examples of each outcome") + blocks + note if made else ""


def _kept(made: Mapping[Outcome, Sequence[str]], room: int) -> dict[Outcome, int]:
    """How many of each outcome fit."""
    kept = dict.fromkeys(made, 0)
    for at in range(max(map(len, made.values()), default=0)):
        for outcome, listed in made.items():
            if at < len(listed) and kept[outcome] == at:
                size = len(listed[at].encode())
                if size <= room:
                    room -= size
                    kept[outcome] += 1
    return kept


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text as it can be shown: its two ends where it is long, and only printable characters."""
    if len(text) > longest:
        half = longest // 2
        note = f"[... {len(text) - 2 * half:,} of {len(text):,} characters left out ...]"
        text = f"{text[:half]}\n{note}\n{text[-half:]}"
    return printable(text)


def first_line(one: Transcript) -> str:
    """The arm, the item, what was read, and the truth."""
    record = one.record
    said = _answered(record)
    if record.truth is not None:
        said += f", truth {_head(record.truth)}"
    if record.reason:
        said += f" ({_head(record.reason)})"
    time = f", repetition {record.repetition}" if record.repetition > 1 else ""
    return f"{record.arm}, {record.item}{time}: {said}"


def _answered(record: Record) -> str:
    """Of many answers in passes, how many passes it took."""
    if record.answer is not None:
        return f"answer {_head(record.answer)}"
    passes = record.details.get("passes")
    if record.outcome.is_answered and passes is not None:
        return f"{passes:g} passes" if isinstance(passes, float) else f"{passes} passes"
    return "no answer"


def _example(one: Transcript) -> str:
    """One line, and all the rest beneath it; long answers stand there whole."""
    record = one.record
    head = tag("summary", escape(printable(first_line(one))))
    reply = _block("Reply", one.reply) if one.reply else "Reply" + tag("p", "(an empty reply)")
    whole = (("What was read", record.answer), ("A right answer", record.truth))
    longer = (_block(name, text) for name, text in whole if text and _head(text) != text)
    return tag("details", head + tag("div", _prompt(one) + reply + "".join(longer)))


def _prompt(one: Transcript) -> str:
    if not one.pictures:
        return _block("Prompt", one.prompt)
    return "Prompt" + illustrated(shortened(one.prompt), one.pictures)


def _block(name: str, text: str) -> str:
    return name + tag("pre", escape(shortened(text)))


def _head(text: str) -> str:
    """The first line that says something, and how many more there are; short words as they are."""
    lines = [line for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not _MARKER.fullmatch(line)]
    first = printable(telling[0] if telling else " ".join(lines) or "(empty)")
    short = first if len(first) <= SHORT else f"{first[:SHORT].rstrip()}…"
    more = len(telling) - 1
    return f"{short} (and {more} more {'line' if more == 1 else 'lines'})" if more > 0 else short
