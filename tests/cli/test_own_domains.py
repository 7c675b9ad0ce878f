"""A user's own domains by name, wherever a command takes a domain."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LAMPS = (
    "(define (domain lamps) (:types lamp) (:predicates (lit ?lamp - lamp))"
    " (:action light :parameters (?lamp - lamp) :effect (lit ?lamp)))"
)
WORDS = '[actions.light]\nsay = "set {lamp} aglow"'


def misstep(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "misstep", *words],
        cwd=place,
        env={**os.environ, "COLUMNS": "100", "MISSTEP_DOMAINS": str(place / "domains")},
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """With `domains/lamps`: three problems and words of its own."""
    folder = tmp_path / "domains/lamps"
    folder.mkdir(parents=True)
    (folder / "domain.pddl").write_text(LAMPS)
    (folder / "wording.toml").write_text(WORDS)
    for number in range(1, 4):
        (folder / f"problem{number}.pddl").write_text(problem(number))
    return tmp_path


def problem(number: int) -> str:
    names = " ".join(f"l{each}" for each in range(number + 1))
    return (
        f"(define (problem p{number}) (:domain lamps) (:objects {names} - lamp) (:init)"
        f" (:goal (lit l{number})))"
    )


def test_its_name_does_for_items_for_plan_and_for_check(place: Path) -> None:
    made = misstep(place, "items", "planbench", "-T", "domain=lamps", "--limit", "1")
    assert "set lamp" in json.loads(made.stdout.splitlines()[0])["prompt"], made.stderr
    said = misstep(place, "plan", "say", "lamps", "domains/lamps/problem1.pddl")
    assert "lamp l1" in said.stdout, said.stderr
    checked = misstep(place, "plan", "check", "lamps", "--no-examples", "--json")
    assert {each["weight"] for each in json.loads(checked.stdout)["findings"]} == {"note"}
    assert "[actions.light]" in misstep(place, "plan", "new-domain", "lamps").stdout


def test_a_shipped_name_is_checked_like_a_folder(place: Path) -> None:
    done = misstep(place, "plan", "check", "ferry", "--no-examples")
    assert done.stdout == "ferry: nothing is missing, and everything said is read back unchanged\n"


def test_list_shows_it_and_a_shipped_name_that_it_takes(place: Path) -> None:
    (place / "domains/ferry").mkdir()
    (place / "domains/ferry/domain.pddl").write_text(LAMPS)
    rows = json.loads(misstep(place, "list", "planbench", "--json").stdout)["own_domains"]
    assert [row["name"] for row in rows] == ["ferry", "lamps"]
    assert [bool(row["clash"]) for row in rows] == [True, False]
    shown = misstep(place, "list", "planbench").stdout
    assert str(place / "domains/lamps") in shown
    assert "'ferry' is shipped" in shown
    done = misstep(place, "items", "planbench", "-T", "domain=ferry")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "'ferry' is shipped" in done.stderr


def test_replies_are_read_by_a_wording_that_is_named(place: Path) -> None:
    fields = {"domain_pddl": LAMPS, "problem_pddl": problem(1), "response": "1. set l1 aglow"}
    (place / "cases.jsonl").write_text(json.dumps(fields) + "\n")
    words = ("--wording", "domains/lamps/wording.toml")
    row = json.loads(misstep(place, "plan", "read", "--batch", "cases.jsonl", *words).stdout)
    assert row["plan"] == ["(light l1)"]
    (place / "reply.txt").write_text("1. set l1 aglow")
    (place / "lamps.pddl").write_text(LAMPS)
    files = ("lamps.pddl", "domains/lamps/problem1.pddl", "reply.txt")
    one = json.loads(misstep(place, "plan", "read", *files, *words, "--json").stdout)
    assert one["plan"] == ["(light l1)"]
    assert json.loads(misstep(place, "plan", "read", *files, "--json").stdout)["plan"] is None


@pytest.mark.parametrize("command", ["read", "validate"])
def test_a_fault_in_a_batch_names_file_line_and_place(place: Path, command: str) -> None:
    good = {"domain_pddl": LAMPS, "problem_pddl": problem(1), "response": "", "plan": []}
    bad = {**good, "problem_pddl": "(define\n (problem p) (:domain lamps)"}
    (place / "cases.jsonl").write_text(f"{json.dumps(good)}\n\n{json.dumps(bad)}\n")
    done = misstep(place, "plan", command, "--batch", "cases.jsonl")
    assert (done.returncode, len(done.stdout.splitlines())) == (2, 1)
    fault = "'(' is never closed; expected ')' before the end"
    assert done.stderr == f"misstep: cases.jsonl:3: problem_pddl:1:1: {fault}\n"
