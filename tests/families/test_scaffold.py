"""The scaffold's promise: what it makes passes every test that every room must pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE = "colour_rows"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the scaffold writes to and the tests read."""
    for part in ("src", "tools", "tests/families"):
        shutil.copytree(ROOT / part, tmp_path / part)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(tree / "src")}
    return subprocess.run(
        [sys.executable, *words], cwd=tree, env=env, check=False, capture_output=True, text=True
    )


def scaffold(tree: Path, name: str) -> subprocess.CompletedProcess[str]:
    return run(tree, str(tree / "tools/new_family.py"), name)


def test_a_scaffolded_family_passes_the_every_room_tests_and_its_oracle(tree: Path) -> None:
    assert scaffold(tree, MADE).returncode == 0
    places = ["tests/families/test_every_room.py", f"tests/families/{MADE}"]
    done = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", MADE, *places)
    assert done.returncode == 0, done.stdout + done.stderr
    oracle = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", places[1])
    assert oracle.returncode == 0, oracle.stdout + oracle.stderr


def test_a_scaffolded_family_is_listed_and_run_like_any_other(tree: Path) -> None:
    assert scaffold(tree, MADE).returncode == 0
    listed = run(tree, "-m", "misstep", "list")
    assert MADE in listed.stdout, listed.stderr
    asked = run(tree, "-m", "misstep", "run", MADE, "--model", "ref/longest", "--json")
    assert asked.returncode == 0, asked.stderr
    assert '"accuracy": 1.0' in asked.stdout


def test_a_scaffolded_family_passes_the_linters_and_the_type_checker(tree: Path) -> None:
    assert scaffold(tree, MADE).returncode == 0
    room = f"src/misstep/families/{MADE}"
    for words in (["ruff", "check", room], ["ruff", "format", "--check", room], ["mypy", room]):
        done = run(tree, "-m", *words)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["Colours", "2nd", "class", "../x", "grammar"])
def test_a_bad_or_taken_name_is_refused_and_nothing_is_written(tree: Path, name: str) -> None:
    before = sorted(path for path in tree.rglob("*.py"))
    done = scaffold(tree, name)
    assert done.returncode == 2
    assert "NAME" in done.stderr
    assert sorted(path for path in tree.rglob("*.py")) == before
