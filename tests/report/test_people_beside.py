"""People beside models: whether two effects agree, and what was found in people before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from misstep.analyse import EffectDifference, effect_differences
from misstep.analyse.effects import Agreement
from misstep.registry import specs
from misstep.report.many.people import rows, sentence
from misstep.report.page.files import ReportData
from misstep.report.published.people import PrintedPeople, people_sheets, printed_people
from misstep.study.trials.every import TRIALS, trial

PAPER = Path(__file__).parents[2].parent / "shared" / "papers" / "mind-your-step.txt"
Data = Callable[..., ReportData]


@pytest.fixture
def found(report_data: Data) -> EffectDifference:
    machine = report_data(who="a/b")
    people = [
        record
        for number in range(12)
        for record in report_data(who=f"person/{number}", cot="cc " * 4 + "cw " * 4).records
    ]
    (one,) = effect_differences([*machine.records, *people], machine.specs)
    return one


@pytest.mark.parametrize(
    ("p", "alike", "agreement", "said"),
    [
        (0.5, 0.01, Agreement.ALIKE, "The two effects agree: they lie within 3 points"),
        (0.01, 0.01, Agreement.ALIKE, "The two effects agree: they lie within 3 points"),
        (0.01, 0.5, Agreement.DIFFERENT, "differ: cot changes a/b more than people."),
        (0.5, 0.5, Agreement.UNDECIDED, "neither show that the two effects differ"),
        (None, None, Agreement.UNDECIDED, "neither show that the two effects differ"),
    ],
)
def test_effects_are_alike_different_or_undecided_by_adjusted_ps(
    found: EffectDifference,
    p: float | None,
    alike: float | None,
    agreement: Agreement,
    said: str,
) -> None:
    one = replace(found, p_adjusted=p, equivalence=replace(found.equivalence, p_adjusted=alike))
    assert one.agreement is agreement
    assert said in sentence(one)
    assert rows([one], {})[0][-1] == agreement.value


def test_a_model_may_be_changed_less_or_the_other_way(found: EffectDifference) -> None:
    differs = replace(
        found, p_adjusted=0.01, equivalence=replace(found.equivalence, p_adjusted=1.0)
    )
    less = replace(differs, model_effect=-1.0, people_effect=-20.0)
    assert sentence(less).endswith("cot changes a/b less than people.")
    other = replace(differs, model_effect=5.0, people_effect=-20.0)
    assert sentence(other).endswith("cot works the other way on a/b than on people.")


def test_every_family_but_planbench_has_what_was_found_in_people() -> None:
    """PlanBench has its own table (`plans`)."""
    assert {one.family for one in printed_people()} == set(TRIALS) - {"planbench"}


@pytest.mark.parametrize("printed", printed_people(), ids=lambda one: one.family)
def test_the_arms_of_a_published_row_are_arms_that_people_still_have(
    printed: PrintedPeople,
) -> None:
    arms = {arm.counterpart or arm.name for arm in trial(printed.family).arms}
    assert {printed.arm, printed.baseline} <= arms


def test_the_printed_shares_are_the_papers() -> None:
    if not PAPER.exists():
        pytest.skip("the papers' texts are not beside this repository")
    text = PAPER.read_text(encoding="utf-8")
    printed = [one for one in printed_people() if one.result]
    assert [one.family for one in printed] == ["faces"]
    assert f"({printed[0].result} vs. {printed[0].against} accuracy)" in text


def test_the_published_row_comes_first_and_holds_source_and_replication() -> None:
    data = ReportData(comparisons=(), specs=specs())
    sheets = {sheet.table.family: sheet for sheet in people_sheets(data, is_all=True)}
    (line,) = sheets["faces"].grid.lines
    assert line.name == "people, Schooler & Engstler-Schooler (1990)"
    assert [cell.text for cell in line.cells] == [
        "cot", "direct", "64%", "38%", "−26 points", "found again, smaller",
    ]  # fmt: skip
    assert line.cells[4].value == -26
    (line,) = sheets["cups"].grid.lines
    texts = [cell.text for cell in line.cells]
    assert texts == ["cot", "imagine", "-", "-", "worse", "not known"]
    assert people_sheets(data, is_all=False) == ()


def test_own_people_stand_below_the_published_ones(report_data: Data) -> None:
    data = replace(report_data(who="person/1"), specs=specs())
    (sheet,) = people_sheets(data, is_all=False)
    assert [(line.name, line.is_own) for line in sheet.grid.lines] == [
        ("people, Fallshore & Schooler (1993)", False),
        ("people", True),
    ]
    assert "Found again: mixed: some, but not all" in sheet.grid.notes[1]
