"""`misstep import planbench` on a small repository of our own making."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import misstep
from misstep.cli.importing import import_
from misstep.core.errors import BadInput

PROMPT = """[DOMAIN]
(define (domain lamps) (:predicates (lit ?x))
 (:action light :parameters (?x) :precondition (not (lit ?x)) :effect (lit ?x)))
[QUERY PROBLEM]
(define (problem two) (:domain lamps) (:objects a b) (:init (lit a)) (:goal (lit b)))
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "plan-bench/results/lamps/made-up"
    folder.mkdir(parents=True)
    known = {"query": PROMPT, "ground_truth_plan": "(light b)", "llm_raw_response": "(light b)"}
    instances = [
        {**known, "instance_id": 1, "extracted_llm_plan": "(light b)", "llm_correct": True},
        {**known, "instance_id": 2, "extracted_llm_plan": "(light a)", "llm_correct": False},
        {"instance_id": 3, "query": PROMPT},
    ]
    (folder / "task_1_plan_generation.json").write_text(json.dumps({"instances": instances}))
    (folder / "task_7_plan_execution.json").write_text(json.dumps({"instances": instances[:1]}))
    return tmp_path


def test_each_file_is_told_with_both_accuracies_and_its_disagreements(place: Path) -> None:
    done = CliRunner().invoke(import_, ["planbench", str(place)])
    assert done.exit_code == 0, done.output
    first, *more = done.output.splitlines()
    assert first.endswith(
        "task_1_plan_generation.json: 2 graded: ours 100.0 %, stored 50.0 %, 1 differ"
    )
    assert more[0].startswith("  2: ours right (valid), stored wrong: stored extraction differs")
    assert more[1:4] == [
        "    our plan:    (light b)",
        "    stored plan: (light a)",
        "  not graded: instance 3: no reply is stored",
    ]
    assert "1 replies not graded: plan execution" in more[4]
    assert more[5] == "2 files: 2 replies graded again, 1 verdicts differ"


def test_the_command_that_is_told_last_runs_the_prompts(place: Path) -> None:
    told = CliRunner().invoke(import_, ["planbench", str(place)]).output.splitlines()
    assert told[-2] == "to run its 3 prompts as published (task_1_plan_generation):"
    *words, limit = shlex.split(told[-1])
    assert words[:4] == ["misstep", "run", "planbench", "-T"]
    assert words[5:] == ["--arms", "direct", "--limit"]
    name, _, file = words[4].partition("=")
    rows = list(misstep.items("planbench", options={name: file}, arms=["direct"], limit=int(limit)))
    assert [row["prompt"] for row in rows] == [PROMPT] * 3


def test_a_file_of_another_kind_is_told_without_a_command(place: Path) -> None:
    file = place / "plan-bench/results/lamps/made-up/task_7_plan_execution.json"
    told = CliRunner().invoke(import_, ["planbench", str(file)]).output
    assert told.splitlines()[-1] == "1 files: 0 replies graded again, 0 verdicts differ"


def test_json_has_every_report_whole(place: Path) -> None:
    done = CliRunner().invoke(import_, ["planbench", str(place), "--json"])
    first, second = json.loads(done.output)["files"]
    assert (first["accuracy"], first["stored_accuracy"], first["graded"]) == (1.0, 0.5, 2)
    assert first["disagreements"][0]["our_plan"] == ["(light b)"]
    assert first["not_graded"] == [{"instance": "3", "reason": "no reply is stored"}]
    assert (second["accuracy"], second["refused"][:14]) == (None, "plan execution")


@pytest.mark.parametrize("name", ["absent", "plan-bench/results/lamps/empty"])
def test_a_path_without_results_is_bad_input(place: Path, name: str) -> None:
    (place / "plan-bench/results/lamps/empty").mkdir()
    done = CliRunner().invoke(import_, ["planbench", str(place / name)])
    assert isinstance(done.exception, BadInput)
    assert str(done.exception).startswith("PATH: ")
