"""`misstep import planbench` on a small repository of our own making."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import misstep
from misstep.cli.materials.importing import import_
from misstep.core.errors import BadInput
from misstep.planning.folders import shipped
from misstep.planning.writing import write_domain

PROMPT = """[DOMAIN]
(define (domain lamps) (:predicates (lit ?x))
 (:action light :parameters (?x) :precondition (not (lit ?x)) :effect (lit ?x)))
[QUERY PROBLEM]
(define (problem two) (:domain lamps) (:objects a b) (:init (lit a)) (:goal (lit b)))
"""


BLOCKS = """(define (problem two) (:domain blocksworld-4ops) (:objects a b)
 (:init (ontable a) (ontable b) (clear a) (clear b) (handempty)) (:goal (on a b)))
"""
START = (
    "[STATEMENT]\nAs initial conditions I have that, the red block is clear, the blue block is"
    " clear, the hand is empty, the red block is on the table and the blue block is on the table.\n"
)
VERIFY = (
    f"{START}My goal is to have that the red block is on top of the blue block. \nMy plan is as"
    " follows:\n\n[PLAN]\npick up the red block\n[PLAN END]\n\n[VERIFICATION]"
)
REASON = (
    "stored reading of the reply is valid, ours goal_not_reached; the plan is goal_not_reached:"
    " (on a b)"
)
MISSES = "The above plan is invalid. This is the unmet goal condition:\nthe red block is "


@pytest.fixture
def verified(tmp_path: Path) -> Path:
    """One reply on a plan, its class right and stored as wrong."""
    blocks = tmp_path / "instances/blocksworld/generated_basic"
    blocks.mkdir(parents=True)
    (blocks / "instance-1.pddl").write_text(BLOCKS)
    (blocks.parent / "generated_domain.pddl").write_text(
        write_domain(shipped("blocksworld").domain)
    )
    folder = tmp_path / "results/blocksworld/made-up"
    folder.mkdir(parents=True)
    entry = {
        "instance_id": 1,
        "query": VERIFY,
        "ground_truth_plan": f"{MISSES}on top of the blue block",
        "llm_raw_response": f"{MISSES}on the table",
        "extracted_llm_plan": {"valid": True},
        "llm_correct_binary": True,
        "llm_correct_w_type": False,
        "llm_correct_w_expl": False,
    }
    (folder / "task_3_plan_verification.json").write_text(json.dumps({"instances": [entry]}))
    return tmp_path


def test_further_scores_stand_below_the_accuracy(verified: Path) -> None:
    told = CliRunner().invoke(import_, ["planbench", str(verified)]).output.splitlines()
    assert told[0].endswith("json: 1 graded: ours 100.0 %, stored 0.0 %, 1 differ")
    assert told[1:7] == [
        "  valid or not (1 replies): ours 100.0 %, stored 100.0 %",
        "  unmet facts (1 replies): ours 0.0 %",
        "  explanation (1 replies): ours 0.0 %, stored 0.0 %",
        f"  1: ours right (goal_not_reached), stored wrong: {REASON}",
        "    our reading:    goal_not_reached: (ontable a)",
        "    stored reading: valid",
    ]
    found = CliRunner().invoke(import_, ["planbench", str(verified), "--json"]).output
    (row,) = json.loads(found)["files"]
    assert row["scores"][0] == {"name": "valid or not", "count": 1, "ours": 1.0, "stored": 1.0}
    assert row["disagreements"][0]["stored"] == "valid"


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
    (folder / "task_9_of_ours.json").write_text(json.dumps({"instances": instances[:1]}))
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
    assert "1 replies not graded: unknown kind of task" in more[4]
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
    file = place / "plan-bench/results/lamps/made-up/task_9_of_ours.json"
    told = CliRunner().invoke(import_, ["planbench", str(file)]).output
    assert told.splitlines()[-1] == "1 files: 0 replies graded again, 0 verdicts differ"


def test_json_has_every_report_whole(place: Path) -> None:
    done = CliRunner().invoke(import_, ["planbench", str(place), "--json"])
    first, second = json.loads(done.output)["files"]
    assert (first["accuracy"], first["stored_accuracy"], first["graded"]) == (1.0, 0.5, 2)
    assert first["disagreements"][0]["our_plan"] == ["(light b)"]
    assert first["not_graded"] == [{"instance": "3", "reason": "no reply is stored"}]
    assert (second["accuracy"], second["refused"][:12]) == (None, "unknown kind")


@pytest.mark.parametrize("name", ["absent", "plan-bench/results/lamps/empty"])
def test_a_path_without_results_is_bad_input(place: Path, name: str) -> None:
    (place / "plan-bench/results/lamps/empty").mkdir()
    done = CliRunner().invoke(import_, ["planbench", str(place / name)])
    assert isinstance(done.exception, BadInput)
    assert str(done.exception).startswith("PATH: ")
