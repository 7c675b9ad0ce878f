"""Sentences for those who pay: non-inferiority, the cheapest arm, repetitions, passes, people."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable

import pytest
from rich.console import Console

from misstep.analyse import Cheapest, cheapest, compare, effect_differences
from misstep.analyse.comparison import Needed, Verdict
from misstep.core.measures import PASSES
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.report import paying, terminal, wording
from misstep.report.many import people as people_lines
from misstep.report.page.files import ReportData

Data = Callable[..., ReportData]


def shown(show: Callable[[Console], None]) -> str:
    out = io.StringIO()
    show(Console(file=out, width=80, color_system=None))
    text = out.getvalue()
    assert max(map(len, text.splitlines()), default=0) <= 80
    return " ".join(text.split())


def compared(data: ReportData, **asked: float) -> str:
    found = compare(data.records, data.specs, **asked)  # type: ignore[arg-type]  # one option
    return shown(lambda console: terminal.show(found, console))


def test_a_verdict_says_what_it_took_and_what_deciding_may_take(report_data: Data) -> None:
    (one,) = report_data().comparisons
    paid = [
        dataclasses.replace(side, cost=cost, input_tokens=100.0, output_tokens=10.0, seconds=3.0)
        for side, cost in ((one.baseline_summary, 0.002), (one.arm_summary, 0.006))
    ]
    dear = dataclasses.replace(one, baseline_summary=paid[0], arm_summary=paid[1])
    replies = 2 * one.n
    took = (
        f"this verdict took {replies} replies: money {0.004 * replies:.3g}, "
        f"{100 * replies:,} tokens read and {10 * replies:,} written, 96 s of calls"
    )
    assert paying.price_line(dear) == took
    undecided = dataclasses.replace(
        dear, verdict=Verdict.UNDECIDED, to_decide=Needed(one.n // 2, 4, "difference")
    )
    assert paying.price_line(undecided) == (
        f"{took}; deciding may take money {0.002 * replies:.3g}, {50 * replies:,} tokens read "
        f"and {5 * replies:,} written, 48 s of calls more"
    )


def test_a_verdict_on_a_model_of_this_machine_took_tokens_and_time(report_data: Data) -> None:
    (one,) = report_data().comparisons
    sides = [
        dataclasses.replace(side, cost=0.0, input_tokens=5.0)
        for side in (one.baseline_summary, one.arm_summary)
    ]
    free = dataclasses.replace(one, baseline_summary=sides[0], arm_summary=sides[1])
    assert "money" not in (paying.price_line(free) or "money")
    silent = dataclasses.replace(sides[0], input_tokens=None)
    assert paying.price_line(dataclasses.replace(free, baseline_summary=silent)) is None


def test_non_inferiority_is_said_of_both_sides(report_data: Data) -> None:
    text = compared(report_data(), non_inferiority=3)
    assert "direct is at most 3 points worse than cot: shown (p " in text
    assert "better by " in text
    assert "cot is at most 3 points worse than direct: not shown (p " in text
    assert "points at most)" in text


def test_without_a_margin_nothing_is_said_of_it(report_data: Data) -> None:
    assert "at most" not in compared(report_data())


def test_the_cheapest_arm_has_its_steps_beneath(report_data: Data) -> None:
    data = report_data(direct="cc " * 8, cot="cw " + "cc " * 7)
    (found,) = priced(data, 60)
    assert (found.arm, found.by) == ("direct", "output tokens")
    text = shown(lambda console: terminal.show_cheapest([found], console))
    assert (
        "grammar, embedded/tiny: the cheapest arm that isn't worse than cot by more than "
        "60 points: direct, at 0.8 % of its output tokens" in text
    )
    assert "direct (2 output tokens a reply): shown (p" in text


def test_a_step_after_a_failed_one_is_not_claimed(report_data: Data) -> None:
    data = report_data(direct="cc " * 8, cot="cc " * 8)
    extra = [
        dataclasses.replace(record, arm="low", output_tokens=9, value=0.0, outcome=Outcome.WRONG)
        for record in data.records
        if record.arm == "direct"
    ]
    (found,) = cheapest([*data.records, *extra], data.specs, 60)
    lines = paying.cheapest_lines(found)
    assert "low (9 output tokens a reply): not shown (p" in lines[1]
    assert "direct (2 output tokens a reply): not claimed after the step before it" in lines[2]


def priced(data: ReportData, margin: float) -> tuple[Cheapest, ...]:
    return cheapest(data.records, data.specs, margin)


def test_arms_without_a_price_are_said_to_have_none(report_data: Data) -> None:
    records = [dataclasses.replace(one, output_tokens=None) for one in report_data().records]
    (found,) = cheapest(records, {}, 3)
    (line,) = paying.cheapest_lines(found)
    assert line.endswith("the records state neither cost nor tokens for every reply.")


def repeated(data: ReportData, other: ReportData) -> list[Record]:
    again = [dataclasses.replace(record, repetition=2) for record in other.records]
    return [*data.records, *again]


def test_repetitions_say_what_more_of_them_would_do(report_data: Data) -> None:
    data = report_data(cot="cc wc cw cc wc cw cc cc")
    records = repeated(data, report_data(cot="cw cc cc wc cc cw cc wc"))
    (found,) = compare(records, data.specs)
    line = paying.replies_line(found)
    assert line is not None
    assert line.startswith("spread (SD, points): replies to one item 0.0 in direct and ")
    assert "of the effect's variance is from the replies: more " in line
    assert "(twice the repetitions: an interval " in line
    assert line.endswith("narrower; twice the items: 29 %)")


def test_repetitions_that_never_differ_add_nothing(report_data: Data) -> None:
    (found,) = compare(repeated(report_data(), report_data()), {})
    line = paying.replies_line(found)
    assert line == "replies to one item never differed: more repetitions would add nothing"


@pytest.fixture
def vehicles(report_data: Data) -> ReportData:
    data = report_data()
    (spec,) = data.specs.values()
    passes = dataclasses.replace(spec, measure=PASSES, margin=0.5, chance=14.0)
    records = [
        dataclasses.replace(
            record,
            value=float(2 + at % 3 if record.arm == "direct" else min(15, 6 + at)),
            outcome=Outcome.CORRECT if record.arm == "direct" or at % 16 < 9 else Outcome.WRONG,
        )
        for at, record in enumerate(
            [one for arm in ("direct", "cot") for one in data.records if one.arm == arm]
        )
    ]
    return dataclasses.replace(data, records=records, specs={"grammar": passes})


def test_passes_are_never_called_points(vehicles: ReportData) -> None:
    text = compared(vehicles, non_inferiority=1)
    assert "point" not in text
    assert "arm n passes 95 %" in text
    assert "chance 14.00" in text
    assert "equivalence within 0.5 passes" in text
    assert "direct is at most 1 pass worse than cot: shown" in text
    assert "solved: direct 100.0 %, cot " in text
    assert "log-rank, only to describe, as it ignores the pairing: chi-square " in text


def test_an_arm_of_passes_in_one_line(vehicles: ReportData) -> None:
    (found,) = compare(vehicles.records, vehicles.specs)
    line = terminal.arm_line(found.baseline_summary)
    assert line == "direct: 2.94 passes on average of 16, 0 unanswered, 0.9 s an answer"


def test_models_are_rows_of_the_table_and_people_are_counted(report_data: Data) -> None:
    machine = report_data(who="a/b")
    people = [
        record
        for number in range(3)
        for record in report_data(who=f"person/{number}", cot="cc " * 4 + "cw " * 4).records
    ]
    records = [*machine.records, *people]
    found = compare(records, machine.specs, between="models")
    text = shown(lambda console: terminal.show(found, console))
    assert "grammar, arm cot: 16 items in 8 groups, 3 people" in text
    assert "people, cot 16" in text
    assert "a/b, cot 16" in text
    assert "a/b against people: −37.5 points (95 % " in text
    assert "! Only 3 people: a standard error from so few" in text
    differences = effect_differences(records, machine.specs)
    text = shown(lambda console: people_lines.show(differences, machine.specs, console))
    assert "cot against direct: a/b −56.2 points, people −18.8 points (within people; 3" in text
    assert "difference of the effects: −37.5 points (95 % " in text
    assert "The two effects differ: cot changes a/b more than people." in text


def test_two_versions_are_told_apart_in_their_titles(report_data: Data) -> None:
    data = report_data()
    newer = [dataclasses.replace(record, version=2) for record in data.records]
    text = compared(dataclasses.replace(data, records=[*data.records, *newer]))
    assert "embedded/tiny, version 1: 16 items" in text
    assert "embedded/tiny, version 2: 16 items" in text


def test_a_single_group_prints_no_p(report_data: Data) -> None:
    data = report_data(direct="cc", cot="cw")
    (found,) = compare(data.records, data.specs)
    assert wording.p_line(found).startswith("no test; the paper's one-sided z: p = ")
    assert wording.equivalence_line(found) == "equivalence within 3 points: not to be tested"
    assert wording.points_interval(found.interval) == "no interval"


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (2.04, "worse by 2.0 points at most"),
        (-1.5, "better by 1.5 points or more"),
        (None, "–"),
    ],
)
def test_a_bound_below_zero_is_for_the_better(
    report_data: Data, most: float | None, said: str
) -> None:
    (found,) = report_data().comparisons
    assert paying.bound(most, found.measure) == said


def test_notes_are_a_line_each() -> None:
    text = shown(lambda console: terminal.show_notes(["One.", "Two."], console))
    assert text == "One. Two."
