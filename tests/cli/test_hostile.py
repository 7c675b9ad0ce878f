"""Sloppy and hostile use of the commands: damaged files, empty paths, impossible values."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from misstep.cli import cli, main
from misstep.core.errors import BadInput


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hostile") / "logs"
    told("run", "grammar", "--model", "ref/length", "--limit", "12", "--log-dir", str(place))
    return place


def told(*words: str) -> str:
    """What is printed; an error of ours comes out as the one line that a user reads."""
    done = CliRunner().invoke(cli, words, env={"COLUMNS": "80"})
    if isinstance(done.exception, BadInput):
        return str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


def test_a_sample_that_rotted_on_the_disk_is_told_with_its_file(logs: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(logs, damaged)
    log = next(damaged.rglob("*.eval"))
    whole = log.read_bytes()
    log.write_bytes(whole[:3000] + bytes(200) + whole[3200:])
    said = told("report", str(damaged), "--out", str(tmp_path / "page.html"))
    assert said.startswith(f"{log}: damaged log: ")


def test_a_folder_called_as_a_log_is_none(logs: Path, tmp_path: Path) -> None:
    place = tmp_path / "with-a-folder"
    shutil.copytree(logs, place)
    (place / "looks-like-one.eval").mkdir()
    for more in ((), ("--matrix",)):
        assert "ref/length" in told("compare", str(place), *more)


def test_an_empty_path_is_not_this_folder(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(logs)
    for words in (("compare", ""), ("report", str(logs), "--figures", "")):
        assert "the path is empty" in told(*words)


def test_a_run_and_its_copy_are_told_apart_from_nothing_they_are_not(
    logs: Path, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        shutil.copytree(logs, tmp_path / name)
    said = told("compare", str(tmp_path))
    assert "which are two runs of other settings, or one and its copy" in said


def test_records_are_not_read_from_the_samples_of_others(tmp_path: Path) -> None:
    file = tmp_path / "samples_x.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    said = told("records", str(file), "--out", str(tmp_path / "x.csv"))
    assert said == f"RUN: {file} is no log of misstep's; these end in .eval"


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_records_that_cannot_be_written_are_one_line(logs: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "nowhere" / name
    said = told("records", str(logs), "--out", str(out))
    assert said == f"--out: {out}: No such file or directory"


def test_a_manifest_without_a_field_is_told_by_its_name(logs: Path, tmp_path: Path) -> None:
    shutil.copytree(logs, tmp_path / "logs")
    manifest = next((tmp_path / "logs").rglob("manifest.json"))
    manifest.write_text('{"schema": 99}', encoding="utf-8")
    assert told("compare", str(tmp_path / "logs")).endswith("'arms' is missing")


def test_a_margin_that_is_none_is_told_by_the_option_that_was_given(logs: Path) -> None:
    for margin in ("-3", "0", "nan"):
        assert told("check", str(logs), "--margin", margin) == f"--margin: {margin} is not above 0"


def test_cost_counts_no_family_and_no_model_twice() -> None:
    assert told("cost", "grammar", "grammar") == "FAMILY: 'grammar' is named twice"
    assert told("cost", "grammar", "--model", "a/b", "--model", "a/b").startswith("--model: 'a/b'")


def test_power_fits_a_terminal_of_80_columns() -> None:
    printed = told("power", "grammar", "--effect", "20").splitlines()
    assert max(map(len, printed)) <= 80
    assert "repetitions of these items" in " ".join(" ".join(printed).split())


def test_a_full_disk_is_no_fault_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*words: object, **more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cli, "main", full)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert (
        capsys.readouterr().err == "misstep: nothing more can be written: No space left on device\n"
    )


def test_a_samples_file_nested_without_end_is_one_line(tmp_path: Path) -> None:
    files = [tmp_path / f"samples_t_{name}.jsonl" for name in "ab"]
    for file in files:
        file.write_text("[" * 100_000, encoding="utf-8")
    assert "line 1: is no whole line of JSON" in told("compare", *map(str, files))


def test_a_disk_that_is_full_is_told_without_a_traceback(tmp_path: Path) -> None:
    words = "run vehicles --model ref/memoriser --limit 2 --preflight no --log-dir"
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000));"
        "from misstep.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words.split(), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert any(line.startswith("misstep: ") for line in done.stderr.splitlines())
