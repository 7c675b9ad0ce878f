"""What answers took: ratios, and sums over the right answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from misstep.analyse.comparison import Comparison
from misstep.core.faults import Faults
from misstep.core.outcomes import Outcome
from misstep.report.page.files import ReportData
from misstep.report.page.html import page
from misstep.report.page.summary import lead
from misstep.report.page.taking import per_right_answer, rows, takes

Data = Callable[..., ReportData]


def costing(one: Comparison, direct: float | None, cot: float | None) -> Comparison:
    """With nothing known but money."""
    return dataclasses.replace(
        one,
        baseline_summary=dataclasses.replace(
            one.baseline_summary, output_tokens=None, seconds=None, cost=direct
        ),
        arm_summary=dataclasses.replace(
            one.arm_summary, output_tokens=None, seconds=None, cost=cot
        ),
    )


def test_the_ratio_is_said_with_both_means(report_data: Data) -> None:
    (one,) = report_data().comparisons
    assert takes(one) == "125 × the tokens (250 against 2), the time the same (0.9 against 0.9)"
    dear = costing(one, 0.002, 0.0032)
    assert takes(dear) == "1.6 × the money (0.0032 against 0.002)"


def test_what_is_unknown_or_nothing_gives_no_ratio(report_data: Data) -> None:
    (one,) = report_data().comparisons
    assert takes(costing(one, None, None)) == "not recorded"
    assert takes(costing(one, 0.0, 0.0)) == "not recorded"
    assert takes(costing(one, 0.0, 9.0)) == "the money: 9 against 0"


def test_wrong_answers_are_paid_for_by_the_right_ones(report_data: Data) -> None:
    (section,) = report_data().comparisons
    cot = section.arm_summary
    assert cot.outcomes[Outcome.CORRECT] == 6 / 16
    assert per_right_answer(cot, 3.0) == 8.0
    none = dataclasses.replace(cot, outcomes={**cot.outcomes, Outcome.CORRECT: 0.0})
    assert per_right_answer(none, 3.0) is None
    assert rows([none])[-1] == ("seconds for each right answer", "–")


def test_one_comparison_is_said_in_a_sentence_and_several_are_counted(report_data: Data) -> None:
    (one,) = report_data().comparisons
    assert lead([one]).startswith("Hurts: cot does worse than direct")
    assert lead([one, one]) == "Of 2 comparisons: hurts in 2."
    assert "nothing to compare" in lead([])


def test_a_page_says_what_went_wrong_with_the_calls(report_data: Data) -> None:
    data = report_data()
    (one,) = data.comparisons
    faults = Faults({"rate_limit": 1_200, "timeout": 3}, waited=2_040.0, left=2)
    said = (
        "1,203 calls brought no reply (too many calls 1,200, no reply in time 3); 34 min waited "
        "over all questions; 2 questions have no answer"
    )
    failing = dataclasses.replace(data, faults={(one.family, one.who): faults})
    assert said in page(failing)
    assert said not in page(data)
