"""A study of 50 people with the paper's abilities gives the paper's figures, bonus and table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from misstep.analyse.inference.intervals import wilson
from misstep.core.outcomes import Reply
from misstep.core.records import Record
from misstep.families.planbench import FAMILY
from misstep.report.published.data import figures
from misstep.report.published.grids import Sheet
from misstep.report.published.plain import comma_separated, markdown
from misstep.report.published.plans import plan_sheet, plans_of, printed_plans
from misstep.study.course.drawing import item_of, planned
from misstep.study.course.file import default_study, read_study
from misstep.study.course.judging import bonus, record
from misstep.study.course.nouns import Bonus, Study
from misstep.study.trials.nouns import Given
from plan_trials import items, walked

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "study" / "two-phase.toml"
PEOPLE = 50
ABILITIES = ("planner",) * 35 + ("detour",) * 4 + ("unfinished",) * 8 + ("nothing",) * 3
"""The paper's: 39 of 50 valid, 35 of these optimal."""


@pytest.fixture(scope="module")
def study() -> Study:
    """The usual one of the family, its pool cut to 60 instances to save time."""
    usual = default_study("planbench", people=PEOPLE)
    block = replace(usual.blocks[0], pool=60)
    return replace(usual, blocks=(block,), bonus=Bonus(each=1.5, currency="USD"))


@pytest.fixture(scope="module")
def trials(study: Study) -> tuple[tuple[Given, ...], ...]:
    """Each person's one trial."""
    own = []
    for slot, ability in enumerate(ABILITIES):
        (trial,) = planned(study, slot)
        own.append(walked(item_of(study, trial), ability, arm=trial.arm).given)
    return tuple(own)


@pytest.fixture(scope="module")
def records(study: Study, trials: tuple[tuple[Given, ...], ...]) -> tuple[Record, ...]:
    return tuple(
        record(study, f"p{slot}", planned(study, slot)[0], given)
        for slot, given in enumerate(trials)
    )


def test_the_usual_study_is_the_papers(study: Study) -> None:
    usual = default_study("planbench", people=PEOPLE)
    (block,) = usual.blocks
    assert (block.items, block.arms, block.practice) == (1, ("two-phase",), 0)
    assert (block.draw, block.scale, block.pool) == ("random", "paper", None)
    assert FAMILY.spec.scales["paper"].groups == 500
    sizes = {item_of(study, planned(study, slot)[0]).factors["objects"] for slot in range(PEOPLE)}
    assert sizes == {4, 5}


def test_the_example_file_is_the_papers_study_too() -> None:
    study = read_study(EXAMPLE)
    usual = default_study("planbench", people=PEOPLE)
    assert study.people == usual.people
    assert study.blocks == usual.blocks
    assert study.bonus == Bonus(each=1.0, optimal=0.0, currency="USD")


def test_fifty_people_with_the_papers_abilities_give_the_papers_figures(
    records: tuple[Record, ...],
) -> None:
    (line,) = plans_of(records)
    printed = printed_plans()
    assert (line.n, line.valid, line.optimal) == (printed.n, printed.valid, printed.optimal)
    assert line.known == line.valid == 39
    assert f"{line.valid / line.n:.1%}" == "78.0%"
    assert f"{line.optimal / line.valid:.1%}" == "89.7%"
    by_person = [one.details["plan_valid"] for one in records]
    assert by_person == [True] * 39 + [False] * 11


def test_the_table_stands_in_the_papers_form_with_the_printed_row(
    records: tuple[Record, ...],
) -> None:
    sheet = plan_sheet(records, is_all=False)
    assert sheet is not None
    printed, own = sheet.grid.lines
    assert not printed.is_own
    assert own.is_own
    assert own.name == "people, two-phase"
    assert [cell.text for cell in own.cells] == [cell.text for cell in printed.cells]
    valid, optimal = wilson(39 / 50, 50), wilson(35 / 39, 39)
    assert [cell.text for cell in own.cells] == [
        *("50", "39/50 (78%)", f"{100 * valid.low:.1f} to {100 * valid.high:.1f}%"),
        *("35/39 (89.7%)", f"{100 * optimal.low:.1f} to {100 * optimal.high:.1f}%"),
    ]
    assert any("preliminary" in note for note in sheet.grid.notes)


def test_every_form_of_the_report_takes_the_table(records: tuple[Record, ...]) -> None:
    sheet = plan_sheet(records, is_all=True)
    assert isinstance(sheet, Sheet)
    assert "### PlanBench, §6.2: people in Blocksworld" in markdown([sheet])
    rows = comma_separated([sheet]).splitlines()
    assert 'PlanBench,6.2,published,"people, §6.2",valid,50,39/50 (78%),78.0' in rows


def test_models_stand_in_the_table_by_the_same_rule(records: tuple[Record, ...]) -> None:
    own = items(4)
    answers = [FAMILY.solvers["planner"](one).answer for one in own]
    answers[3] = "There is no plan."
    scores = [FAMILY.score(item, Reply(answer)) for item, answer in zip(own, answers, strict=True)]
    model = [
        replace(
            records[0], who="openai/x", item=item.id, arm="direct", outcome=score.outcome,
            details=score.details, factors=item.factors,
        )
        for item, score in zip(own, scores, strict=True)
    ]  # fmt: skip
    people, line = plans_of([*records, *model])
    assert people.name == "people, two-phase"
    assert line.name == "openai/x, direct"
    assert (line.n, line.valid, line.optimal, line.is_single) == (4, 3, 3, True)
    assert plan_sheet(model, is_all=False) is None
    assert plans_of([*model, *model])[0].is_single is False


def test_a_valid_plan_whose_least_is_not_known_is_left_out_of_the_optimal_share(
    records: tuple[Record, ...],
) -> None:
    unknown = [replace(one, factors={**one.factors, "is_shortest": False}) for one in records[:3]]
    (line,) = plans_of([*unknown, *records[3:]])
    assert (line.valid, line.known, line.optimal) == (39, 36, 32)


def test_records_of_people_stand_beside_those_of_models_that_get_one_example(
    records: tuple[Record, ...],
) -> None:
    for one in records:
        assert one.arm == "direct"
        assert one.who.startswith("person/")
        assert one.details["human_arm"] == "two-phase"
        assert one.variant == ""
        assert one.value in (0.0, 1.0)


def test_a_valid_plan_earns_the_bonus_and_an_optimal_one_no_more(
    study: Study, trials: tuple[tuple[Given, ...], ...]
) -> None:
    """As in the paper: "a bonus if they come up with a valid plan"."""
    earned = [bonus(study, slot, given) for slot, given in enumerate(trials)]
    assert earned == [1.5] * 39 + [0.0] * 11
    assert sum(one or 0 for one in earned) == 58.5
    more = replace(study, bonus=Bonus(each=1.0, optimal=0.5))
    earned = [bonus(more, slot, given) for slot, given in enumerate(trials)]
    assert earned == [1.5] * 35 + [1.0] * 4 + [0.0] * 11


def test_figures_of_the_text_are_none_of_the_tables() -> None:
    assert all(figure.table > 0 for figure in figures())
