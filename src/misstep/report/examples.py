"""Example items of each outcome, with prompt and reply. Replies are hostile until escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from misstep.core.outcomes import Outcome
from misstep.core.records import Transcript
from misstep.report.markup import tag

LONGEST = 6_000
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def examples(found: Mapping[Outcome, Sequence[Transcript]]) -> str:
    if not found:
        return ""
    blocks = "".join(
        tag("h4", outcome.capitalize()) + "".join(_example(one) for one in listed)
        for outcome, listed in found.items()
    )
    return tag("h3", "Examples of each outcome") + blocks


def shortened(text: str) -> str:
    """The text as it can be shown: its two ends where it is long, and only printable characters."""
    if len(text) > LONGEST:
        half = LONGEST // 2
        note = f"[... {len(text) - 2 * half:,} of {len(text):,} characters left out ...]"
        text = f"{text[:half]}\n{note}\n{text[-half:]}"
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _example(one: Transcript) -> str:
    record = one.record
    said = f"answer {record.answer}" if record.answer is not None else "no answer"
    if record.truth is not None:
        said += f", truth {record.truth}"
    if record.reason:
        said += f" ({record.reason})"
    head = tag("summary", escape(f"{record.arm}, {record.item}: {shortened(said)}"))
    reply = tag("pre", escape(shortened(one.reply))) if one.reply else tag("p", "(an empty reply)")
    body = "Prompt" + tag("pre", escape(shortened(one.prompt))) + "Reply" + reply
    return tag("details", head + tag("div", body))
