"""The printed p-values reckoned again: what agrees, what doesn't, and which shares can't be."""

from __future__ import annotations

import json

import pytest

from misstep.core.errors import BadInput
from misstep.report.published.checking import PCheck, Status, check
from misstep.report.published.data import Column, Published, Role, Row, tables
from misstep.report.published.told import checks, p_text, to_json

STEP = {table.number: check(table) for table in tables() if table.paper == "Mind Your Step"}
ALL_PS = [(number, p) for number, one in STEP.items() for p in one.ps]


def p_of(number: int, row: str) -> PCheck:
    return next(p for p in STEP[number].ps if p.row == row)


@pytest.mark.parametrize(
    ("number", "row", "p", "status"),
    [
        (1, "Claude 3.5 Sonnet", ".963", Status.ROUNDED),
        (1, "Llama 3 8B Instruct", ".044", Status.HOLDS),
        (5, "GPT-4o", ".614", Status.AGREES),
        (5, "Claude 3 Opus", ".282", Status.AGREES),
    ],
)
def test_what_can_be_reproduced_is(number: int, row: str, p: str, status: Status) -> None:
    found = p_of(number, row)
    assert (p_text(found.p), found.status) == (p, status)
    assert not found.tests


def test_these_four_and_no_others_are_not_reproduced_by_any_usual_test() -> None:
    found = [(number, p.row) for number, p in ALL_PS if p.status is Status.NOT_REPRODUCED]
    assert found == [
        (1, "Llama 3.1 8B Instruct"),
        (2, "InternVL2 Llama3 76B"),
        (5, "Gemini 1.5 Pro"),
        (5, "InternVL2 Llama3 76B"),
    ]
    for number, row in found:
        one = p_of(number, row)
        assert len(one.tests) == 13
        assert one.given_by == ()


def test_every_printed_p_is_looked_at() -> None:
    printed = sum(
        table.cell(row, column) not in ("", "-")
        for table in tables()
        for row in table.rows
        for column in table.columns
        if column.role is Role.P
    )
    assert len(ALL_PS) == printed == 25


def test_passes_come_without_what_a_p_needs() -> None:
    assert {p.status for p in STEP[3].ps} == {Status.NO_DATA}
    assert {p.p for p in STEP[3].ps} == {None}


def test_these_shares_are_no_count_of_their_n() -> None:
    found = [
        (number, share.printed, share.n)
        for number, one in STEP.items()
        for share in one.no_counts
        if not share.is_padded
    ]
    assert found == [
        (1, "94.00%", 440),
        (1, "51.54%", 4400),
        (2, "15.77%", 500),
        (2, "13.77%", 500),
        (4, "86.5%", 30),
        (4, "56.7%", 200),
        (8, "94.00%", 440),
        (8, "62.52%", 440),
    ]


def test_only_table_1_prints_zeros_that_are_no_digits() -> None:
    padded = {n: sum(share.is_padded for share in one.no_counts) for n, one in STEP.items()}
    assert {number: count for number, count in padded.items() if count} == {1: 6}


def test_the_changes_follow_but_for_table_5s_relative_ones() -> None:
    off = {number: one.off for number, one in STEP.items() if one.off}
    assert set(off) == {5}
    assert [change.against for change in off[5]] == ["the arm"] * 5
    assert [round(change.expected, 2) for change in off[5]] == [5.26, -9.52, -9.52, 2.86, -20.51]


def made(*cells: str, n: int = 100) -> Published:
    columns = (
        Column("direct", Role.VALUE, "percent", arms=("direct",), n=n),
        Column("cot", Role.VALUE, "percent", arms=("cot",), n=n),
        Column("fall", Role.FALL, "percent", arms=("cot",)),
        Column("p", Role.P, "p", arms=("cot",)),
    )
    return Published("x", 1, "1", "grammar", "", columns, (Row("a", cells),))


def test_a_p_that_another_test_gives_is_told_with_its_name() -> None:
    (one,) = check(made("42%", "38%", "4%", "0.56")).ps
    assert one.status is Status.NOT_REPRODUCED
    assert one.given_by == ("pooled z, two-sided", "unpooled z, two-sided")


def test_a_wrong_difference_is_found() -> None:
    (off,) = check(made("42%", "38%", "5%", "0.28")).off
    assert (off.printed, off.expected, off.against) == ("5%", 4.0, "")


def test_a_bound_that_only_the_rounding_allows_is_told_apart() -> None:
    assert check(made("60%", "58%", "2%", "<0.04", n=3600)).ps[0].status is Status.ROUNDED
    assert check(made("60%", "58%", "2%", "<0.05", n=3600)).ps[0].status is Status.HOLDS


def test_all_right_in_both_arms_gives_no_p_and_no_failure() -> None:
    assert check(made("100%", "100%", "0%", "0.50")).ps[0].status is Status.NO_DATA


def test_one_number_stands_for_the_tables_of_both_papers() -> None:
    assert [one.table.paper for one in checks(1)] == ["Mind Your Step", "PlanBench"]


def test_a_table_without_results_and_one_that_is_not_there_are_refused() -> None:
    with pytest.raises(BadInput, match=r"--table: Mind Your Step, Table 7 prints no results"):
        checks(7)
    with pytest.raises(BadInput, match=r"no paper has a Table 99 .* known: 1, 2, 3, 4, 5, 6, 8"):
        checks(99)


def test_the_json_holds_every_p_and_every_figure() -> None:
    plain = json.loads(json.dumps(to_json(checks(None)), allow_nan=False))
    assert sum(len(table["p_values"]) for table in plain["tables"]) == 25
    assert sum(len(table["figures"]) for table in plain["tables"]) == 192
    assert {"row", "column", "unit", "n", "text"} <= set(plain["tables"][0]["figures"][0])
