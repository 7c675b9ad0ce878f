"""Many models from an appendable folder: what is read, what is kept, what is shown."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from rich.console import Console

import misstep
from misstep.analyse.matrix import Cell, Column, cells_of, matrix
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.registry import specs
from misstep.report.many import matrix as table
from misstep.report.many.summaries import NAME, Gathered, gather

SOLVERS = ("ref/acs", "ref/bigram-rule")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("made")
    for solver in SOLVERS:
        misstep.run("grammar", solver, log_dir=place / solver.removeprefix("ref/"))
    return place


@pytest.fixture
def logs(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path / "cache"))
    shutil.copytree(made, tmp_path / "logs")
    return tmp_path / "logs"


def known() -> Mapping[str, Spec]:
    return specs()


def log_of(logs: Path, solver: str) -> Path:
    return next((logs / solver).rglob("*.eval"))


def test_adding_a_model_reads_only_its_own_logs(logs: Path, tmp_path: Path) -> None:
    shutil.move(logs / "acs", tmp_path / "later")
    first = gather([logs], known())
    assert [file.name for file in first.read] == [log_of(logs, "bigram-rule").name]
    # Whoever opened the old log now would fail.
    old = log_of(logs, "bigram-rule")
    state = old.stat()
    old.write_bytes(b"\0" * state.st_size)
    os.utime(old, ns=(state.st_atime_ns, state.st_mtime_ns))
    shutil.move(tmp_path / "later", logs / "acs")
    both = gather([logs], known())
    assert both.read == (log_of(logs, "acs"),)
    assert {cell.who for cell in both.cells} == set(SOLVERS)
    assert gather([logs], known()).read == ()


def test_what_was_kept_is_what_was_reckoned(logs: Path) -> None:
    first = gather([logs], known())
    again = gather([logs], known())
    assert again.read == ()
    assert again.cells == first.cells
    assert set(first.cells) == set(cells_of(misstep.compare(logs)))


def test_a_log_with_other_content_is_read_again(logs: Path) -> None:
    gather([logs], known())
    log = log_of(logs, "acs")
    shutil.copyfile(log_of(logs, "bigram-rule"), log)
    assert log in gather([logs / "acs"], known()).read


def test_a_copied_folder_with_other_times_is_not_read_again(logs: Path) -> None:
    gather([logs], known())
    for log in logs.rglob("*.eval"):
        os.utime(log, (1, 1))
    assert gather([logs], known()).read == ()


def test_a_family_that_states_another_margin_is_read_again(logs: Path) -> None:
    gather([logs], known())
    changed = {**known(), "grammar": dataclasses.replace(known()["grammar"], margin=9.0)}
    found = gather([logs], changed)
    assert len(found.read) == 2
    assert {cell.margin for cell in found.cells} == {9.0}


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"schema": 1}', '{"schema": 99}'])
def test_a_damaged_summary_is_made_again(logs: Path, damage: str) -> None:
    first = gather([logs], known())
    kept = next(logs.rglob(NAME))
    kept.write_text(damage)
    again = gather([logs], known())
    assert [file.parent for file in again.read] == [kept.parent]
    assert again.cells == first.cells
    assert json.loads(kept.read_text())["schema"] == 1


def _blocked(logs: Path) -> None:
    """A folder in the place of each summary, so that not even root can write one there."""
    for log in logs.rglob("*.eval"):
        (log.parent / NAME).mkdir()


def test_where_nothing_can_be_written_beside_the_log_the_cache_keeps_it(
    logs: Path, tmp_path: Path
) -> None:
    _blocked(logs)
    assert gather([logs], known()).unkept == ()
    assert len(list((tmp_path / "cache" / "summaries").iterdir())) == 2
    assert gather([logs], known()).read == ()


def test_a_summary_that_can_be_kept_nowhere_is_said(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _blocked(logs)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path / "file"))
    found = gather([logs], known())
    assert len(found.unkept) == 2
    assert any("could be kept nowhere" in note for note in table.notes(found))
    assert [path.name for path in logs.rglob(".summary-*")] == []


def test_arms_that_ran_apart_are_taken_together(logs: Path, tmp_path: Path) -> None:
    place = tmp_path / "apart"
    for arm in ("direct", "cot"):
        misstep.run("grammar", "ref/acs", arms=[arm], log_dir=place)
    first = gather([place], known())
    assert set(first.cells) == set(cells_of(misstep.compare(place)))
    assert len(first.cells) == 1
    assert gather([place], known()).read == ()


def _cell(who: str, arm: str = "cot", p: float | None = 0.01) -> Cell:
    column = Column("grammar", 1, "", arm, "direct")
    means = (0.8, 0.7, -10.0, -10.0)
    return Cell(who, column, "points", 24, 12, *means, None, "t", p, 3.0, 0.9, False, ())


def _shown(cells: list[Cell], width: int = 80) -> str:
    out = io.StringIO()
    table.show(matrix(cells), Gathered((), 2, (), ()), Console(file=out, width=width))
    return out.getvalue()


def test_the_table_fits_80_columns_and_goes_on_beneath() -> None:
    arms = ["cot", "tot", "think:low", "think:medium", "think:high", "think:32000"]
    text = _shown(
        [_cell(f"provider/model-with-a-long-name-{n}", arm) for n in (1, 2) for arm in arms]
    )
    assert max(map(len, text.splitlines())) <= 80
    assert all(f" {arm} " in text for arm in arms)
    assert text.count("− direct") == len(arms)
    assert text.count("model-with-a") == 4


def test_a_cell_shows_effect_mark_and_both_ps() -> None:
    text = _shown([_cell("a"), _cell("b", p=0.6)])
    assert "−10.0 ▼" in text
    assert ".010 → .020" in text
    assert "−10.0 ?" in text
    assert "2 models, 2 comparisons: hurts 1, helps 0" in " ".join(text.split())


def test_a_cell_without_a_test_has_no_p() -> None:
    assert "– → –" in _shown([_cell("a", p=None)])


def test_the_csv_file_has_a_row_for_each_cell_and_no_nan() -> None:
    rows = list(csv.DictReader(io.StringIO(table.to_csv(matrix([_cell("a"), _cell("b", p=None)])))))
    assert [(row["who"], row["p"], row["p_adjusted"]) for row in rows] == [
        ("a", "0.01", "0.01"),
        ("b", "", ""),
    ]
    assert rows[0]["verdict"] == "hurts"


def test_a_folder_without_logs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no log"):
        gather([tmp_path], known())
