"""Records as tables: whatever is written is read back, and errors name their place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from misstep.analyse import records_from_frame, to_frame, write_frame
from misstep.core.errors import BadInput
from misstep.core.records import Record

Experiment = Callable[..., list[Record]]
ROW: dict[str, object] = {
    "family": "mine",
    "who": "m",
    "item": "1",
    "group": "1",
    "arm": "direct",
    "outcome": "correct",
}


def full(experiment: Experiment) -> list[Record]:
    records = experiment(direct="cwurte", cot="cccccc")
    return [
        dataclasses.replace(record, answer_logprobs={"Yes": -0.5, "No": -1.0}, cost=0.01)
        for record in records
    ]


def test_a_frame_gives_back_the_records_it_was_made_from(experiment: Experiment) -> None:
    records = full(experiment)
    assert records_from_frame(to_frame(records)) == records


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_written_file_gives_back_the_records(
    experiment: Experiment, tmp_path: Path, ending: str
) -> None:
    out = tmp_path / f"records.{ending}"
    write_frame(full(experiment), out)
    frame = pl.read_parquet(out) if ending == "parquet" else pl.read_csv(out)
    assert records_from_frame(frame) == full(experiment)


def test_factors_of_mixed_types_become_text(experiment: Experiment) -> None:
    first, second = experiment(direct="cc")
    mixed = [
        dataclasses.replace(first, factors={"size": 3}),
        dataclasses.replace(second, factors={"size": "big"}),
    ]
    assert [record.factors["size"] for record in records_from_frame(to_frame(mixed))] == [
        "3",
        "big",
    ]


def test_six_columns_are_enough() -> None:
    (record,) = records_from_frame([ROW])
    assert (record.version, record.repetition, record.value) == (1, 1, 1.0)


def test_no_answer_has_no_value_rather_than_zero() -> None:
    (record,) = records_from_frame([{**ROW, "outcome": "refused"}])
    assert record.value is None


def test_a_pandas_frame_with_gaps_is_read() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([{**ROW, "answer": 3, "seconds": 0.5}, {**ROW, "item": "2"}])
    first, second = records_from_frame(frame)
    assert (first.answer, first.seconds) == ("3", 0.5)
    assert (second.answer, second.seconds) == (None, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outcome": "right"}, "column 'outcome', row 1: 'right' is not one of correct, wrong"),
        ({"group": None}, "column 'group', row 1: is empty"),
        ({"value": "high"}, "column 'value', row 1: 'high' is no number"),
        ({"repetition": 0.5}, "column 'repetition', row 1: 0.5 is no whole number"),
    ],
)
def test_errors_name_the_column_and_the_row(change: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput) as error:
        records_from_frame([ROW, {**ROW, **change}])
    assert message in str(error.value)


def test_a_missing_column_is_named() -> None:
    short = {name: cell for name, cell in ROW.items() if name != "arm"}
    with pytest.raises(BadInput, match="no column 'arm'"):
        records_from_frame([short])


def test_something_else_than_a_table_is_bad_input() -> None:
    with pytest.raises(BadInput, match="int is no data frame"):
        records_from_frame(3)


def test_an_unknown_ending_is_named(experiment: Experiment, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"--out: 'a.xlsx'"):
        write_frame(experiment(direct="c"), tmp_path / "a.xlsx")


def test_every_column_of_the_table_is_in_the_documents(experiment: Experiment) -> None:
    text = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    for column in to_frame(experiment(direct="c")).columns:
        documented = "factor.NAME" if column.startswith("factor.") else column
        assert f"`{documented}`" in text, column


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seconds", float("inf")), ("seconds", -1), ("cost", 1e308), ("input_tokens", -1),
        ("input_tokens", 10**30), ("repetition", -1), ("look", 0), ("look_replies", 0),
    ],
)  # fmt: skip
def test_an_amount_that_cannot_be_is_refused(column: str, value: float) -> None:
    with pytest.raises(BadInput, match=f"column '{column}', row 0: .* from [01] up"):
        records_from_frame([ROW | {column: value}])
