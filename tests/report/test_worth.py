"""What is said of an arm's worth: sentences at 80 columns, the page's part, hostile replies."""

from __future__ import annotations

import dataclasses
import io
import re
from html.parser import HTMLParser

import pytest
from rich.console import Console

from misstep.analyse.inference.fieller import Pays, Stretch
from misstep.analyse.worth.answer import Answer, answer
from misstep.analyse.worth.worth import BreakEven
from misstep.core.records import Record, Transcript
from misstep.report.own import exchanging
from misstep.report.own import terminal as answering
from misstep.report.own.sentences import break_even_line, latency_line, money
from misstep.report.own.terms import Terms
from misstep.report.page.choosing import key_of
from misstep.report.page.files import ReportData
from misstep.report.page.html import page
from own_records import own_records

GAINS, LOSES, EVEN = "c" * 40 + "w" * 20, "c" * 20 + "w" * 40, "cw" * 150


def records(
    direct: str, cot: str, costs: tuple[float, float] | None = (0.001, 0.009)
) -> list[Record]:
    first, second = costs or (None, None)
    return [
        *own_records("direct", direct, cost=first, seconds=0.5),
        *own_records("cot", cot, cost=second, seconds=8.25, tokens=240),
    ]


def answered(direct: str, cot: str, costs: tuple[float, float] | None = (0.001, 0.009)) -> Answer:
    return answer(records(direct, cot, costs), {}, 3, volume=50_000, currency="USD")


def shown(found: Answer) -> str:
    out = io.StringIO()
    answering.show(found, Console(file=out, width=80, color_system=None))
    text = out.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    return " ".join(text.split())


def test_the_cheap_arm_is_recommended_in_a_sentence_to_act_on() -> None:
    text = shown(answered(EVEN, EVEN))
    assert re.search(
        r"Don't pay for cot here: direct is at most \d\.\d points worse, at 1/9 of the price\.$",
        text,
    )


def test_a_better_arm_is_recommended_from_a_price_of_an_error_on() -> None:
    text = shown(answered(LOSES, GAINS))
    assert re.search(
        r"Pay for cot where an error costs you more than 0\.0\d+ USD: it is better by "
        r"33\.3 points than direct, which comes at 1/9 of the price\.$",
        text,
    )
    assert "break-even price of an error: 0.024 USD as observed; 95 % 0.0" in text


def test_a_worse_arm_is_advised_against() -> None:
    text = shown(answered(GAINS, LOSES))
    assert text.endswith(
        "Don't pay for cot here: it is worse than direct by 33.3 points, and direct comes at 1/9 "
        "of the price."
    )
    assert "cot is worse and costs no less: no price of an error pays for it" in text


def test_what_is_undecided_says_how_many_more_questions_would_decide() -> None:
    text = shown(answered("cwcwcwcw" * 3, "cwcwcwcc" * 3))
    assert "Not decided: neither is cot shown to be better than direct, nor direct to be at" in text
    assert re.search(r"About \d+ more questions would probably decide\.", text)


def test_time_and_money_are_said_of_both_arms_a_thousand_calls_and_a_month() -> None:
    text = shown(answered(EVEN, EVEN))
    assert (
        "time of an answer, median: direct 0.5 s (95th percentile 0.5), cot 8.2 s (95th percentile "
        "8.2); cot takes 7.8 s longer than direct (95 % +7.8 to +7.8)"
    ) in text
    assert "1,000 calls: direct 1 USD, cot 9 USD: 8 USD more (95 % 8 to 8)" in text
    assert "a month of 50,000 calls: direct 50.00 USD, cot 450.00 USD: 400.00 USD more" in text


def test_without_a_price_tokens_stand_in_and_nothing_is_made_up() -> None:
    text = shown(answered(EVEN, EVEN, None))
    assert "cost: not known, as no price was given; tokens of a call: direct 30, cot 260" in text
    assert "break-even price of an error: not known without the price of the model" in text
    assert text.endswith("at 1/9 of the tokens.")


def test_free_arms_are_called_free() -> None:
    text = shown(answered(EVEN, EVEN, (0.0, 0.0)))
    assert "cost: free; tokens of a call: direct 30, cot 260" in text
    assert text.endswith("at 1/9 of the tokens.")


STRETCHES = {
    (Pays.BASELINE, Pays.OPEN): (
        "cot costs more and is not shown to be better: no price of an error is shown to pay for "
        "it, and below 1 USD it does not (95 %)"
    ),
    (Pays.ARM, Pays.OPEN): (
        "cot costs less and is not shown to be worse: it pays where an error costs less than "
        "1 USD (95 %), above that it is not known"
    ),
    (Pays.ARM, Pays.OPEN, Pays.BASELINE): (
        "95 % 1 USD to 2 USD: direct pays where an error costs more than 2 USD, cot below 1 USD"
    ),
    (Pays.BASELINE, Pays.ARM): (
        "cot pays where an error costs more than 1 USD, direct below 1 USD"
    ),
    (Pays.ARM,): "cot is better and costs no more: it pays at any price of an error",
    (Pays.OPEN,): "neither cost nor errors are shown to differ, so no price is ruled out",
    (Pays.OPEN, Pays.ARM): "below 1 USD: open; above 1 USD: cot pays",
    (Pays.OPEN, Pays.BASELINE, Pays.OPEN): (
        "below 1 USD: open; 1 USD to 2 USD: direct pays; above 2 USD: open"
    ),
}


@pytest.mark.parametrize(("pays", "said"), STRETCHES.items())
def test_every_set_of_prices_has_its_words(pays: tuple[Pays, ...], said: str) -> None:
    ends = [*map(float, range(1, len(pays))), None]
    stretches = tuple(Stretch(float(at), ends[at], each) for at, each in enumerate(pays))
    (one,) = answered(EVEN, EVEN).worths
    one = dataclasses.replace(one, break_even=BreakEven(None, stretches))
    assert break_even_line(one, "USD") == f"break-even price of an error: {said}"


def test_an_arm_that_takes_less_long_is_said_to() -> None:
    found = [
        *own_records("direct", EVEN, seconds=3.0),
        *own_records("cot", EVEN, seconds=1.0),
    ]
    (one,) = answer(found, {}, 3).worths
    assert "cot takes 2.0 s less long than direct" in latency_line(one)


def test_times_that_are_not_recorded_are_said_to_be_missing() -> None:
    found = [*own_records("direct", EVEN, seconds=None), *own_records("cot", EVEN)]
    (one,) = answer(found, {}, 3).worths
    assert latency_line(one) == "time of an answer: not recorded"


def test_money_has_digits_that_count() -> None:
    assert money(0.00214351, "USD") == "0.00214 USD"
    assert money(0.0000630, "") == "0.000063"
    assert money(0.0, "USD") == "0 USD"
    assert money(1204.3, "USD") == "1,204.30 USD"
    assert money(-3.0, "") == "\N{MINUS SIGN}3"


def test_of_several_levels_the_steps_are_shown() -> None:
    arms = {"think:none": (EVEN, 0.001), "think:low": (EVEN, 0.004), "think:high": (EVEN, 0.02)}
    found = [
        dataclasses.replace(record, thinking=arm.removeprefix("think:"))
        for arm, (letters, cost) in arms.items()
        for record in own_records(arm, letters, cost=cost)
    ]
    text = shown(answer(found, {}, 3))
    assert (
        "the cheapest arm that isn't worse than think:high by more than 3 points: think:none"
        in text
    )
    assert "Don't pay for think:high here: think:none is at most" in text


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)


def data(direct: str, cot: str, reply: str = "a reply") -> ReportData:
    asked = records(direct, cot)
    wanted = set(exchanging.wanted(asked))
    words = [
        Transcript(record, f"question {record.item}", reply)
        for record in asked
        if key_of(record) in wanted
    ]
    return ReportData(
        comparisons=answered(direct, cot).comparisons,
        records=asked,
        exchanged=words,
        terms=Terms(3.0, 50_000.0, "USD"),
    )


def test_the_page_says_which_arm_to_take_and_shows_both_replies_side_by_side() -> None:
    text = page(data(LOSES, GAINS))
    assert "<h3>Which arm to take</h3>" in text
    assert "Pay for cot where an error costs you more than" in text
    assert "cost of a month, 50,000 calls" in text
    assert "Gained: 20 items" in text
    assert text.count('<div class="pair">') == 20
    assert "question q020" in text


def test_many_items_are_capped_with_their_count_said() -> None:
    text = page(data("w" * 100, "c" * 100))
    assert "Gained: 30 of 100 items, the greatest changes" in text
    assert text.count('<div class="pair">') == exchanging.MOST
    assert "Lost: none." in text


def test_a_page_is_no_larger_than_its_room() -> None:
    text = page(data("w" * 40, "c" * 40, "<b>" * 400_000))
    assert len(text.encode()) < 1_500_000


def test_hostile_replies_stay_text() -> None:
    text = page(data("wwcc", "ccww", "</pre><script>alert(1)</script><img src=x onerror=y>"))
    assert {"script", "img", "link", "iframe"}.isdisjoint(Tags(text).names)


def test_an_own_task_without_changes_says_so() -> None:
    assert "cot and direct scored alike on every item." in page(data(EVEN, EVEN))


def test_families_of_the_suite_have_no_such_part() -> None:
    asked = [dataclasses.replace(one, family="grammar") for one in records(LOSES, GAINS)]
    found = ReportData(comparisons=answer(asked, {}, 3).comparisons, records=asked)
    assert "Which arm to take" not in page(found)
    assert exchanging.wanted(asked) == []
