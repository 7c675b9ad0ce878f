"""The published figures, cell by cell against the papers' own text, in both directions."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from misstep.report.published.data import Published, figures, tables, without_results
from misstep.report.published.printed import counts, read_count, read_number

PAPERS = Path(__file__).parents[2].parent / "shared" / "papers"
STEP = [table for table in tables() if table.paper == "Mind Your Step"]


def paper(name: str) -> str:
    file = PAPERS / name
    if not file.exists():
        pytest.skip("the papers' texts are not beside this repository")
    return file.read_text(encoding="utf-8")


def printed_rows(text: str, number: int) -> list[list[str]]:
    """The lines of cells that follow the table's caption, without the marks of mathematics."""
    (_, after) = text.split(f"\nTable {number}: ", 1)
    block = after.split("\n\n")[1]
    return [[re.sub(r"[$\\]", "", cell) for cell in line.split("\t")] for line in block.split("\n")]


@pytest.mark.parametrize("table", STEP, ids=lambda table: f"table {table.number}")
def test_every_cell_is_the_papers_and_none_is_missing(table: Published) -> None:
    *heads, _ = printed_rows(paper("mind-your-step.txt"), table.number)
    heads = heads[: 2 if any(column.over for column in table.columns) else 1]
    rows = printed_rows(paper("mind-your-step.txt"), table.number)[len(heads) :]
    width = len(table.columns)
    assert [(row.name, list(row.cells)) for row in table.rows] == [
        (name, [*cells, *[""] * (width - len(cells))]) for name, *cells in rows
    ]
    assert [column.head for column in table.columns] == heads[-1][1:]
    if len(heads) > 1:
        assert [head for head in heads[0][1:] if head] == list(
            dict.fromkeys(column.over for column in table.columns)
        )


def test_every_table_of_mind_your_step_is_known_by_its_number() -> None:
    printed = {int(n) for n in re.findall(r"^Table (\d+):", paper("mind-your-step.txt"), re.M)}
    empty = {one.number for one in without_results()}
    assert {table.number for table in STEP} | empty == printed
    assert not {table.number for table in STEP} & empty


def test_every_cell_of_planbenchs_table_is_the_papers_and_none_is_missing() -> None:
    (table,) = (table for table in tables() if table.paper == "PlanBench")
    region = paper("planbench-part3.txt").split("Task Instances correct")[1].split("Table 1:")[0]
    printed = re.findall(r"(\d+/\d+)\n(\([\d.]+%\))", region)
    ours = [cell for row in table.rows for cell in row.cells]
    assert ours == [f"{count} {share}" for count, share in printed]
    lines = region.split("\n")
    assert [line for line in lines if line in {row.name for row in table.rows}] == [
        row.name for row in table.rows
    ]


@pytest.mark.parametrize(
    ("number", "said", "questions"),
    [
        (1, "we constructed 4400 classification problems", {4400}),
        (1, "a randomly selected subset of 440 problems", {440}),
        (2, "a novel synthetic dataset of 500 problems", {500}),
        (4, "675 from SNLI, 833 from MNLI, and 100 synthetic", {2 * 675, 2 * 833, 2 * 100}),
        (4, "on a subset of 30 synthetic questions", {30}),
        (5, "a total of 100 problems", {100}),
        (6, "300 such sets of four apartments (100 per", {100}),
        (8, "a subset of 10 artificial grammars, totaling 440 examples", {440}),
    ],
)
def test_each_n_is_the_papers(number: int, said: str, questions: set[int]) -> None:
    assert said in paper("mind-your-step.txt")
    known = {f.n for f in figures() if f.paper == "Mind Your Step" and f.table == number}
    assert questions <= known


def test_every_figure_reads_as_a_number() -> None:
    found = list(figures())
    assert len(found) == 192
    for figure in found:
        if figure.unit == "count":
            count = read_count(figure.text)
            assert 0 <= count.right <= count.of
        else:
            assert read_number(figure.text) is not None


def test_a_printed_number_keeps_how_exactly_it_was_printed() -> None:
    share = read_number("65.90%")
    assert share is not None
    assert (share.number, share.digits, share.half) == (Decimal("65.90"), 2, Decimal("0.005"))
    shorter = share.shorter()
    assert shorter is not None
    assert (shorter.digits, shorter.half) == (1, Decimal("0.05"))


@pytest.mark.parametrize("text", ["61.95%", "38%", "9.6"])
def test_a_number_is_shortened_by_zeros_alone_and_keeps_its_point(text: str) -> None:
    number = read_number(text)
    assert number is not None
    assert number.shorter() is None


def test_no_number_is_read_from_what_is_none() -> None:
    assert read_number("-") is None
    assert read_number("") is None
    with pytest.raises(ValueError, match="no printed number: 'n/a'"):
        read_number("n/a")
    with pytest.raises(ValueError, match="no printed count: '3 of 5'"):
        read_count("3 of 5")


@pytest.mark.parametrize(
    ("text", "n"),
    [("94.00%", 440), ("57.70%", 440), ("56.7%", 200), ("51.54%", 4400), ("57.8%", 400)],
)
def test_counts_are_those_that_a_look_at_every_count_finds(text: str, n: int) -> None:
    share = read_number(text)
    assert share is not None
    slow = [k for k in range(n + 1) if abs(Decimal(100 * k) / n - share.number) <= share.half]
    assert list(counts(share, n)) == slow
