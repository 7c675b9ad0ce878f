"""Files of records: what can't be in one is refused with the file, the column and the value."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import misstep
from misstep.analyse import to_frame
from misstep.analyse.record_files import read_record_file, read_record_files
from misstep.core.errors import BadInput
from misstep.report.page.gather import gather

HEAD = "family,who,item,group,arm,outcome"
ROWS = ("grammar,m,1,1,direct,correct", "grammar,m,1,1,cot,correct", "grammar,m,2,2,cot,wrong")


def table(file: Path, *rows: str, head: str = HEAD) -> Path:
    """A file of records, from lines of CSV."""
    text = "\n".join([head, *rows]) + "\n"
    if file.suffix == ".csv":
        file.write_text(text, encoding="utf-8")
    else:
        pl.read_csv(text.encode()).write_parquet(file)
    return file


def refused(*files: Path) -> str:
    with pytest.raises(BadInput) as caught:
        read_record_files(files)
    return str(caught.value)


TWICE = "records: item '1', arm 'direct', who 'm' has repetition 1 twice"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_record_that_is_twice_in_a_file_is_told_with_the_file(
    ending: str, tmp_path: Path
) -> None:
    file = table(tmp_path / f"a.{ending}", *ROWS, ROWS[0])
    assert refused(file) == f"{file}: {TWICE}"
    with pytest.raises(BadInput, match=rf"a\.{ending}: records: item '1'"):
        gather([file])


def test_a_record_that_is_in_two_files_is_told_with_both(tmp_path: Path) -> None:
    first, second = table(tmp_path / "a.csv", *ROWS), table(tmp_path / "b.csv", ROWS[0])
    assert refused(first, second) == f"{first}, {second}: {TWICE}"
    with pytest.raises(BadInput, match=r"a\.csv, .*b\.csv: records: item '1'"):
        misstep.compare([first, second])
    with pytest.raises(BadInput, match=r"a\.csv, .*b\.csv: records: item '1'"):
        gather([first, second])


def test_a_file_that_does_not_have_the_doubled_record_is_not_named(tmp_path: Path) -> None:
    first, other, last = (
        table(tmp_path / f"{name}.csv", row) for name, row in zip("abc", ROWS, strict=True)
    )
    table(last, ROWS[2], ROWS[0])
    assert refused(first, other, last) == f"{first}, {last}: {TWICE}"
    table(last, ROWS[2], ROWS[2])
    assert refused(first, other, last).startswith(f"{last}: records: item '2', arm 'cot'")


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    file = table(tmp_path / "a.csv", *ROWS)
    assert len(read_record_files([file, file])) == len(ROWS)


@pytest.mark.parametrize("cell", ["nan", "NaN", "NAN", "-nan", "inf", "-Infinity", "1e999"])
@pytest.mark.parametrize("column", ["value", "seconds", "factor.size", "detail.ms", "logprob.Yes"])
def test_what_is_no_finite_number_is_refused_with_file_column_and_value(
    column: str, cell: str, tmp_path: Path
) -> None:
    rows = (f"{ROWS[0]},0.5", f"{ROWS[1]},{cell}", f"{ROWS[2]},")
    said = refused(table(tmp_path / "a.csv", *rows, head=f"{HEAD},{column}"))
    start, _, rest = said.partition(f"a.csv: records: column '{column}', row 1: ")
    assert start == f"{tmp_path}/"
    told = rest.removesuffix(" is no finite number; a missing one is an empty cell")
    assert str(float(told.strip("'"))) == str(float(cell))


def test_a_parquet_with_nan_is_refused_and_one_with_nothing_is_read(tmp_path: Path) -> None:
    file = table(tmp_path / "a.parquet", *ROWS)
    frame = pl.read_parquet(file)
    frame.with_columns(value=pl.Series([0.5, None, float("nan")])).write_parquet(file)
    assert "a.parquet: records: column 'value', row 2: nan is no finite number" in refused(file)
    frame.with_columns(value=pl.Series([0.5, None, None], dtype=pl.Float64)).write_parquet(file)
    assert [one.value for one in read_record_file(file)] == [0.5, 1.0, 0.0]


def test_texts_may_say_nan_and_other_columns_may_hold_it(tmp_path: Path) -> None:
    head = f"{HEAD},answer,detail.study,detail.said,factor.kind,mine"
    rows = (f"{ROWS[0]},nan,1e999,nan,inf,nan", f"{ROWS[1]},Inf,2e999,so,x,1")
    first, second = read_record_file(table(tmp_path / "a.csv", *rows, head=head))
    assert (first.answer, first.details, first.factors) == (
        *("nan", {"study": "1e999", "said": "nan"}),
        {"kind": "inf"},
    )
    assert second.details["said"] == "so"


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = table(tmp_path / "a.csv", *ROWS)
    again = tmp_path / "b.csv"
    to_frame(read_record_file(file)).write_csv(again)
    assert read_record_file(again) == read_record_file(file)
