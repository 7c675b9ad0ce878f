"""The tutorial of misstep ab is run as it stands, with the small embedded model."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from misstep.models import store

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FIGURE = re.compile(r"\d[\d.,]*")


class Step(NamedTuple):
    words: list[str]
    claimed: str


def steps() -> list[Step]:
    """The commands of the page with what it claims that they print."""
    page = (DOCS / "ab-tutorial.md").read_text(encoding="utf-8")
    return [
        Step(shlex.split(command), claimed)
        for block in _BLOCK.findall(page)
        for command, _, claimed in (
            piece.partition("\n") for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        )
    ]


def said(text: str) -> list[str]:
    """Lines that hold whatever the processor: their first words, figures left out."""
    found = []
    for line in text.splitlines():
        start = _FIGURE.sub("#", line).strip()
        if ":" in start and start != "...":
            found.append(start.partition(":")[0])
    return found


@pytest.mark.model
def test_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    if store.cached(store.SMALL) is None:
        pytest.skip(f"the small model is not fetched; run: misstep models get {store.SMALL}")
    shutil.copytree(DOCS / "examples", tmp_path / "docs" / "examples")
    for step in steps():
        done = subprocess.run(
            [sys.executable, "-m", *step.words],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (step.words, done.stderr)
        assert max(map(len, done.stdout.splitlines()), default=0) <= 80 or "--out" in step.words
        printed = said(done.stdout)
        for claim in said(step.claimed):
            assert claim in printed, (claim, done.stdout)
    assert "Which arm to take" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert (tmp_path / "checks.xml").exists()
    assert len(list((tmp_path / "logs").iterdir())) == 2, "a run of the questions, one of messages"


def test_the_files_of_the_tutorial_are_what_it_says() -> None:
    questions = (DOCS / "examples" / "questions.csv").read_text(encoding="utf-8").splitlines()
    assert len(questions) == 1 + 40
    page = (DOCS / "ab-tutorial.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```csv\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0].splitlines()
    assert set(shown) <= set(questions)
