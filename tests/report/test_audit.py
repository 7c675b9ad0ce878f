"""The extraction audit: what was read is marked, hostile replies stay text, all is counted."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence

from misstep.core.outcomes import Outcome
from misstep.core.records import Record, Transcript
from misstep.report.page.audit import audit
from misstep.report.page.choosing import READINGS, choose
from misstep.report.page.data import Reading, Section, sections
from misstep.report.page.files import ReportData

Data = Callable[..., ReportData]
ROOM = 1_000_000


def section_with(report_data: Data, readings: Sequence[Reading]) -> Section:
    (section,) = sections(report_data())
    return dataclasses.replace(section, readings=tuple(readings))


def reading(
    report_data: Data,
    reply: str,
    span: tuple[int, int] | None,
    outcome: Outcome = Outcome.CORRECT,
) -> Section:
    record = next(one for one in report_data().records if one.outcome is outcome)
    return section_with(report_data, [Reading(Transcript(record, "?", reply), span)])


def test_the_mark_stands_on_what_was_read(report_data: Data) -> None:
    reply = "I think No.\nANSWER: Yes"
    at = reply.index("Yes")
    text = audit(reading(report_data, reply, (at, at + 3)), ROOM)
    assert "<pre>I think No.\nANSWER: <mark>Yes</mark></pre>" in text


def test_of_a_long_reply_only_what_stands_around_the_answer_is_shown(report_data: Data) -> None:
    reply = "a" * 5_000 + "Yes" + "b" * 5_000
    text = audit(reading(report_data, reply, (5_000, 5_003)), ROOM)
    assert re.search("<pre>…a{300}<mark>Yes</mark>b{300}…</pre>", text)


def test_where_no_place_is_known_the_end_is_shown_unmarked(report_data: Data) -> None:
    for span in (None, (3, 3), (2, 99), (-1, 2)):
        text = audit(reading(report_data, "so: Yes", span), ROOM)
        assert "<pre>so: Yes</pre>" in text
        assert "<mark>" not in text


def test_hostile_replies_stay_text_within_and_around_the_mark(report_data: Data) -> None:
    reply = "<script>\ud800" + "</pre><b>" + "\x00&lt;"
    text = audit(reading(report_data, reply, (9, 18)), ROOM)
    assert "<mark>&lt;/pre&gt;&lt;b&gt;</mark>" in text
    assert "<script>" not in text
    assert not re.search("[\x00\ud800]", text)
    assert "&amp;lt;" in text


def test_all_unparsed_replies_are_shown_where_they_fit(report_data: Data) -> None:
    text = audit(reading(report_data, "no idea", None, Outcome.UNPARSED), ROOM)
    assert "The one unparsed reply" in text
    assert "<pre>no idea</pre>" in text


def test_what_does_not_fit_is_counted(report_data: Data) -> None:
    (section,) = sections(report_data())
    unparsed = next(one for one in section.records if one.outcome is Outcome.UNPARSED)
    many = [dataclasses.replace(unparsed, repetition=at) for at in range(50)]
    full = dataclasses.replace(
        section,
        records=tuple(many),
        readings=tuple(Reading(Transcript(one, "?", "x" * 1_000), None) for one in many),
    )
    text = audit(full, 10_000)
    shown = text.count("<dt>")
    assert 5 <= shown <= 10
    assert f"{shown} of 50 unparsed replies, drawn at random" in text
    assert len(text) < 11_000


def test_a_huge_unparsed_reply_is_shown_by_its_two_ends(report_data: Data) -> None:
    reply = "start" + "x" * 1_000_000 + "end"
    text = audit(reading(report_data, reply, None, Outcome.UNPARSED), ROOM)
    assert len(text) < 3_000
    assert "start" in text
    assert "end</pre>" in text


def test_the_choice_depends_on_the_records_alone(report_data: Data) -> None:
    records = list(report_data().records)
    first, again = choose(records), choose(report_data().records)
    assert first == again
    other = choose([dataclasses.replace(one, who="another") for one in records])
    assert [key[5] for key in other.readings] != [key[5] for key in first.readings]


def test_so_many_readings_of_each_arm_are_chosen_and_every_unparsed_reply(
    report_data: Data,
) -> None:
    records = report_data().records
    choice = choose(records)
    arms = [key[4] for key in choice.readings]
    assert arms == ["direct"] * READINGS + ["cot"] * READINGS
    assert len(set(choice.readings)) == 2 * READINGS
    failed = [one for one in records if one.outcome is Outcome.UNPARSED]
    assert [key[5] for key in choice.unparsed] == [one.item for one in failed]


def test_examples_are_of_different_items_where_each_was_asked_often() -> None:
    records = [
        Record(
            family="toy", version=1, who="m", item=f"i{item}", group="g", arm="direct",
            repetition=time, outcome=Outcome.WRONG, value=0.0,
        )
        for item in range(3)
        for time in (1, 2, 3)
    ]  # fmt: skip
    assert [key[5:] for key in choose(records).examples] == [("i0", 1), ("i1", 1), ("i2", 1)]
