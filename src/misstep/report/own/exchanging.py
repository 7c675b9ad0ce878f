"""Items lost and gained, by factor and with both replies side by side. Replies are hostile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from misstep.analyse.worth.exchanged import Exchange, Exchanged, Level, exchanges
from misstep.core.questions import is_own
from misstep.core.records import Record, Transcript
from misstep.report import wording
from misstep.report.page.choosing import Key, key_of
from misstep.report.page.examples import first_line, shortened
from misstep.report.page.markup import printable, table, tag

MOST = 30
"""Items lost, and as many gained, whose replies are shown: more than these nobody reads."""
MOST_LEVELS = 20
"""A factor of more levels is no group of items but a name for each."""
LONGEST = 3_000


def shown(one: Exchange) -> tuple[Exchanged, ...]:
    """Those whose replies a page holds: the greatest changes first, lost ones before gained."""
    return (*one.lost[:MOST], *one.gained[:MOST])


def wanted(records: Iterable[Record]) -> list[Key]:
    """The replies that a page shows of tasks of the user's own."""
    own = [record for record in records if is_own(record.family)]
    return [
        key_of(record)
        for one in exchanges(own, {})
        for item in shown(one)
        for record in (item.baseline, item.arm)
    ]


def markup(one: Exchange, words: Mapping[Key, Transcript], room: int) -> str:
    """Counts by factor, then the items, as many as fit into `room` bytes; all are counted."""
    if not one.items:
        return tag("p", escape(f"{one.arm} and {one.baseline} scored alike on every item."))
    factors = {name: levels for name, levels in one.factors.items() if len(levels) <= MOST_LEVELS}
    return "".join(
        (
            *(_by_factor(name, levels, one) for name, levels in factors.items()),
            _listed("Lost", one.lost, words, room // 2),
            _listed("Gained", one.gained, words, room // 2),
        )
    )


def _by_factor(name: str, levels: Sequence[Level], one: Exchange) -> str:
    rows = [
        (
            wording.NONE if each.level is None else str(each.level),
            f"{each.n:,}",
            f"{each.lost:,}",
            f"{each.gained:,}",
        )
        for each in sorted(levels, key=lambda each: (-each.lost, -each.gained, str(each.level)))
    ]
    caption = f"Items by {name}, and how many {one.arm} lost and gained"
    return table(caption, (name, "n", "lost", "gained"), rows)


def _listed(
    what: str, items: Sequence[Exchanged], words: Mapping[Key, Transcript], room: int
) -> str:
    if not items:
        return tag("p", f"{what}: none.")
    blocks: list[str] = []
    for item in items[:MOST]:
        block = _item(item, words)
        room -= len(block.encode())
        if room < 0:
            break
        blocks.append(block)
    of = wording.counted(len(items), "item")
    count = of if len(blocks) == len(items) else f"{len(blocks):,} of {of}, the greatest changes"
    return tag("h4", escape(f"{what}: {count}")) + "".join(blocks)


def _item(one: Exchanged, words: Mapping[Key, Transcript]) -> str:
    sides = [words.get(key_of(record)) for record in (one.baseline, one.arm)]
    named = ", ".join(f"{name} {level}" for name, level in one.factors.items())
    head = f"{one.item} ({named})" if named else one.item
    prompt = next((side.prompt for side in sides if side is not None), "")
    columns = "".join(
        _side(side, record) for side, record in zip(sides, (one.baseline, one.arm), strict=True)
    )
    asked = tag("pre", escape(shortened(prompt, LONGEST))) if prompt else ""
    body = tag("div", asked + tag("div", columns, kind="pair"))
    return tag("details", tag("summary", escape(shortened(head, 200))) + body)


def _side(side: Transcript | None, record: Record) -> str:
    if side is None:
        return tag("div", tag("p", escape(f"{record.arm}: {record.outcome}"), kind="soft"))
    said = first_line(side).removeprefix(f"{record.arm}, {record.item}: ")
    head = tag("strong", escape(f"{record.arm}: {record.outcome}"))
    reply = tag("pre", escape(shortened(side.reply, LONGEST))) if side.reply else "(an empty reply)"
    return tag("div", head + tag("p", escape(printable(said)), kind="soft") + reply)
