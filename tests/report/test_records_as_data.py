"""Records as data: the documented columns are the real ones; a verdict follows from the file."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import misstep
from misstep.analyse import Comparison, compare, to_frame, write_frame
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOK = DOCS / "examples" / "verdict.ipynb"
SCRIPT = DOCS / "examples" / "verdict.R"
TYPES: dict[str, set[type[pl.DataType]]] = {
    "text": {pl.String},
    "whole number": {pl.Int64},
    "number": {pl.Float64},
    "text, number or truth value": {pl.String, pl.Int64, pl.Float64, pl.Boolean},
}


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """What a reference solver answered in two arms; in the second some of it is spoilt."""
    place = tmp_path_factory.mktemp("logs")
    run = misstep.run("grammar", "ref/bigram-rule", arms=("direct", "cot"), log_dir=place)
    found = [replace(record, who="m") for record in run.records]
    assert len({record.group for record in found}) == 12
    return [_spoilt(record, place) for place, record in enumerate(found)]


def _spoilt(record: Record, place: int) -> Record:
    if record.arm == "direct" or place % 3:
        return record
    if place % 2:
        return replace(record, outcome=Outcome.UNPARSED, value=None, answer=None)
    return replace(record, outcome=Outcome.WRONG, value=0.0)


def _grouped_singly(records: list[Record]) -> list[Record]:
    return [replace(record, group=record.item) for record in records]


def _compared(records: list[Record]) -> Comparison:
    (one,) = compare(records, {})
    return one


def _documented() -> dict[str, str]:
    """The type of each column, by the table of docs/records.md."""
    text = (DOCS / "records.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.+?) \| (.+?) \|", text, re.MULTILINE)
    return {name: kind for names, kind in rows for name in re.findall(r"`([^`]+)`", names)}


def test_the_documented_columns_are_those_that_are_written(answered: list[Record]) -> None:
    documented = _documented()
    written = to_frame(answered).schema
    plain = {name for name in written if "." not in name}
    assert plain == {name for name in documented if "." not in name}
    prefixes = {name.partition(".")[0] for name in written} - plain
    assert prefixes <= {name.partition(".")[0] for name in documented if "." in name}
    for name, kind in written.items():
        told = documented.get(name) or documented[name.partition(".")[0] + ".NAME"]
        assert kind.base_type() in TYPES[told], name


def test_the_needed_columns_alone_make_the_same_comparison(answered: list[Record]) -> None:
    text = (DOCS / "records.md").read_text(encoding="utf-8")
    needed = re.findall(r"^\| `(\w+)` \| [^|]+ \| yes \|", text, re.MULTILINE)
    (one,) = misstep.compare(to_frame(answered).select(needed))
    whole = _compared(answered)
    assert (one.effect, one.p, one.n) == (whole.effect, whole.p, whole.n)


def test_the_notebook_is_plain_and_holds_no_output() -> None:
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.parametrize("is_single", [False, True])
def test_the_notebook_reaches_the_verdict(
    answered: list[Record],
    is_single: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records = _grouped_singly(answered) if is_single else answered
    one = _compared(records)
    write_frame(records, tmp_path / "records.parquet")
    monkeypatch.chdir(tmp_path)
    found: dict[str, object] = {}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), found)  # noqa: S102  # our own notebook
    assert found["effect"] == pytest.approx(one.effect, abs=1e-9)
    assert found["p"] == pytest.approx(one.p, abs=1e-12)
    assert found["verdict"] == one.verdict.value
    if not is_single:
        assert one.interval is not None
        low, high = one.interval.low, one.interval.high
        assert (found["low"], found["high"]) == pytest.approx((low, high), abs=1e-9)
        assert found["equivalence_p"] == pytest.approx(one.equivalence.p, abs=1e-9)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="Rscript is not on this machine")
@pytest.mark.parametrize("is_single", [False, True])
def test_the_r_script_reaches_the_verdict(
    answered: list[Record], is_single: bool, tmp_path: Path
) -> None:
    records = _grouped_singly(answered) if is_single else answered
    one = _compared(records)
    write_frame(records, tmp_path / "records.csv")
    words = ["Rscript", "--vanilla", str(SCRIPT), "records.csv", "m", "direct", "cot"]
    done = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True)
    found = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert float(found["effect"]) == pytest.approx(one.effect, abs=1e-9)
    assert float(found["p"]) == pytest.approx(one.p, abs=1e-11)
    assert found["verdict"] == one.verdict.value
    if not is_single:
        assert one.interval is not None
        assert float(found["low"]) == pytest.approx(one.interval.low, abs=1e-9)
        assert float(found["high"]) == pytest.approx(one.interval.high, abs=1e-9)
