"""docs/people.md and docs/records.md say what people are told, and what their records hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from misstep.study.trials.every import trial
from trial_walks import ARMS, SOLVERS, items, walked

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/people.md").read_text(encoding="utf-8")
START = "## Arms and times"


def test_the_page_ends_with_all_words_as_the_code_has_them() -> None:
    printed = subprocess.run(
        [sys.executable, str(ROOT / "tools/people_words.py")],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    ).stdout
    assert PAGE[PAGE.index(START) :] == printed
    assert printed.startswith(START)


def test_the_printed_words_are_all_instructions_and_checks() -> None:
    """By another road than the tool's: text as it comes, line breaks and quote marks apart."""
    said = " ".join(PAGE.replace("\n> ", " ").replace("**", "").split())
    for name, arm in ARMS:
        asked = trial(name)
        for part in asked.instructions(arm, asked.defaults):
            assert " ".join(part.text.split()) in said
    for name in SOLVERS:
        for one in trial(name).checks:
            right = next(c.label for c in one.question.choices if c.value == one.right)
            assert f"**{right}**" in " ".join(PAGE.split())
            assert one.question.text in said


def test_every_family_stands_in_the_table_of_studies() -> None:
    table = PAGE[PAGE.index("## What the studies did") : PAGE.index("## What a record holds")]
    assert [name for name in SOLVERS if f"\n| {name} |" not in table] == []


def test_every_detail_of_a_persons_record_is_documented() -> None:
    records = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    found = {
        name
        for family, arm in ARMS
        for name in walked(next(items(family, 1)), arm, SOLVERS[family][0]).judged.details
    }
    assert len(found) == 9
    assert [name for name in sorted(found) if f"`detail.{name}`" not in records] == []
