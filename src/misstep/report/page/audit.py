"""The extraction audit: where answers were read in replies drawn at random, and what was not read.

What it shows is for a reader's own eyes: whether the mark stands on the answer that was meant, and
whether an unparsed reply has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from misstep.core.outcomes import Outcome
from misstep.report.page.choosing import SEED
from misstep.report.page.data import Reading, Section
from misstep.report.page.examples import first_line, shortened
from misstep.report.page.markup import printable, tag

AROUND = 300
"""Characters of a reply on either side of what was read."""
LONGEST = 1_500
"""Characters of an unparsed reply; of a longer one both ends."""


def audit(section: Section, room: int) -> str:
    """Readings, then unparsed replies, as many as fit into `room` bytes; all are counted."""
    unparsed = [one for one in section.readings if not _is_read(one)]
    read = [one for one in section.readings if _is_read(one)]
    all_unparsed = sum(record.outcome is Outcome.UNPARSED for record in section.records)
    if not section.readings:
        return ""
    shown = _fitting([_read(one) for one in read], room // 2)
    answered = sum(record.outcome.is_answered for record in section.records)
    blocks = _folded(
        f"{len(shown):,} of {answered:,} readings, drawn at random (seed {SEED}): "
        "the mark is what was read",
        shown,
    )
    left = _fitting([_unparsed(one) for one in unparsed], room - sum(map(_size, shown)))
    blocks += _folded(_unparsed_head(len(left), all_unparsed), left)
    return tag("h3", "Was the answer read where it stands?") + blocks


def _is_read(one: Reading) -> bool:
    return one.transcript.record.outcome.is_answered


def _unparsed_head(shown: int, of: int) -> str:
    if of == 0:
        return "No reply was left unparsed"
    if shown == of:
        return f"All {of:,} unparsed replies" if of > 1 else "The one unparsed reply"
    return (
        f"{shown:,} of {of:,} unparsed replies, drawn at random (seed {SEED}); "
        "the others are in the log"
    )


def _folded(head: str, blocks: Sequence[str]) -> str:
    if not blocks:
        return tag("p", escape(f"{head}."))
    return tag("details", tag("summary", escape(head)) + tag("div", tag("dl", "".join(blocks))))


def _fitting(blocks: Sequence[str], room: int) -> list[str]:
    """The first blocks that together take no more than `room` bytes."""
    kept: list[str] = []
    for block in blocks:
        room -= _size(block)
        if room < 0:
            break
        kept.append(block)
    return kept


def _size(block: str) -> int:
    return len(block.encode())


def _read(one: Reading) -> str:
    return _entry(one, _marked(one.transcript.reply, one.span))


def _unparsed(one: Reading) -> str:
    reply = one.transcript.reply
    return _entry(one, escape(shortened(reply, LONGEST)) if reply else "(an empty reply)")


def _entry(one: Reading, reply: str) -> str:
    head = escape(printable(first_line(one.transcript)))
    return tag("dt", head) + tag("dd", tag("pre", reply))


def _marked(reply: str, span: tuple[int, int] | None) -> str:
    """What was read within what stands around it; with no such place, the end of the reply."""
    if span is None or not 0 <= span[0] < span[1] <= len(reply):
        return escape(printable(_cut(reply, max(0, len(reply) - 2 * AROUND), len(reply))))
    first, last = span
    start, stop = max(0, first - AROUND), min(len(reply), last + AROUND)
    read = shortened(reply[first:last], LONGEST)
    return (
        escape(printable(_cut(reply, start, first)))
        + tag("mark", escape(read))
        + escape(printable(reply[last:stop] + ("…" if stop < len(reply) else "")))
    )


def _cut(reply: str, start: int, stop: int) -> str:
    return ("…" if start > 0 else "") + reply[start:stop]
