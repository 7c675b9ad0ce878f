"""`misstep plan` as a user meets it, on small files and, where it is there, on published data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared/data/planbench"
PROBLEM = """(define (problem two) (:domain blocksworld-4ops)
 (:objects a b) (:init (ontable a) (ontable b) (clear a) (clear b) (handempty))
 (:goal (on a b)))
"""


def misstep(cwd: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "misstep", "plan", *words],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80"},
        input=given,
        check=False,
        capture_output=True,
        text=True,
    )


def ok(cwd: Path, *words: str, given: str = "") -> str:
    done = misstep(cwd, *words, given=given)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    (tmp_path / "good.txt").write_text("(pick-up a)\n(stack a b)\n")
    (tmp_path / "bad.txt").write_text("(pick-up a)\n(stack b a)\n")
    return tmp_path


def test_a_valid_plan_has_its_cost(place: Path) -> None:
    row = json.loads(ok(place, "validate", "blocksworld", "problem.pddl", "good.txt", "--json"))
    assert (row["verdict"], row["failed_step"], row["cost"]) == ("valid", None, 2)


def test_a_failing_plan_names_step_and_unmet_facts(place: Path) -> None:
    row = json.loads(ok(place, "validate", "blocksworld", "problem.pddl", "bad.txt", "--json"))
    assert (row["verdict"], row["failed_step"]) == ("precondition_failed", 1)
    assert "(holding b)" in row["unmet"]
    text = ok(place, "validate", "blocksworld", "problem.pddl", "bad.txt")
    assert "verdict: precondition_failed" in text


def test_solve_prints_a_plan_that_validates(place: Path) -> None:
    pytest.importorskip("up_fast_downward")
    (place / "found.txt").write_text(ok(place, "solve", "blocksworld", "problem.pddl"))
    row = json.loads(ok(place, "validate", "blocksworld", "problem.pddl", "found.txt", "--json"))
    assert (row["verdict"], row["cost"]) == ("valid", 2)
    proven = json.loads(ok(place, "solve", "blocksworld", "problem.pddl", "--json"))
    assert (proven["cost"], proven["is_optimal"]) == (2, True)


def test_say_and_read_are_each_others_way_back(place: Path) -> None:
    said = json.loads(ok(place, "say", "blocksworld", "problem.pddl", "good.txt", "--json"))
    reply = "Here is my plan:\n" + "\n".join(
        f"{number}. {line}" for number, line in enumerate(said["plan"], 1)
    )
    row = json.loads(ok(place, "read", "blocksworld", "problem.pddl", "-", "--json", given=reply))
    assert (row["outcome"], row["plan"]) == ("answered", ["(pick-up a)", "(stack a b)"])


def test_a_first_wording_makes_a_folder_that_check_understands(place: Path) -> None:
    folder = place / "mine"
    folder.mkdir()
    pddl = (
        "(define (domain lamps) (:requirements :strips :typing) (:types lamp)"
        " (:predicates (lit ?l - lamp) (dark ?l - lamp))"
        " (:action switch-on :parameters (?l - lamp) :precondition (dark ?l)"
        " :effect (and (lit ?l) (not (dark ?l)))))"
    )
    (folder / "domain.pddl").write_text(pddl)
    (folder / "wording.toml").write_text(ok(place, "new-domain", "mine/domain.pddl"))
    checked = misstep(place, "check", "mine", "--json")
    findings = json.loads(checked.stdout)["findings"]
    errors = [finding for finding in findings if finding["weight"] == "error"]
    assert checked.returncode == 1
    assert [finding["message"] for finding in errors] == [
        "there is neither a [generator] nor a problem*.pddl"
    ]
    (folder / "problem1.pddl").write_text(
        "(define (problem one) (:domain lamps) (:objects l1 - lamp) (:init (dark l1))"
        " (:goal (lit l1)))"
    )
    assert misstep(place, "check", "mine").returncode == 0


@pytest.mark.parametrize("command", ["validate", "solve", "say", "read", "check", "new-domain"])
def test_every_command_has_help_with_an_example(tmp_path: Path, command: str) -> None:
    assert f"misstep plan {command}" in ok(tmp_path, command, "--help")


WRONG = (
    (("validate", "blocksworld", "problem.pddl"), "DOMAIN PROBLEM PLAN"),
    (("validate", "nowhere.pddl", "problem.pddl", "good.txt"), "DOMAIN: nowhere.pddl"),
    (("validate", "blocksworld", "nowhere.pddl", "good.txt"), "nowhere.pddl"),
    (("validate", "broken.pddl", "problem.pddl", "good.txt"), "broken.pddl:1:"),
    (("validate", "blocksworld", "problem.pddl", "prose.txt"), "prose.txt:1"),
    (("validate", "--batch", "nowhere.jsonl"), "--batch: nowhere.jsonl"),
    (("validate", "--batch", "prose.txt"), "prose.txt:1: not JSON"),
    (("read", "--batch", "prose.txt"), "prose.txt:1: not JSON"),
    (("say", "logistics", "problem.pddl"), "problem.pddl:"),
    (("check", "nowhere"), "nowhere"),
    (("new-domain", "broken.pddl"), "broken.pddl:1:"),
)


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_bad_input_is_one_line_with_its_place(
    place: Path, words: tuple[str, ...], said: str
) -> None:
    (place / "broken.pddl").write_text("(define (domain x) (:predicates (p ?x)")
    (place / "prose.txt").write_text("pick up the red block\n")
    done = misstep(place, *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert said in done.stderr


def shared_cases(name: str) -> tuple[Path, list[dict[str, object]]]:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not beside this checkout")
    lines = path.read_text(encoding="utf-8").split("\n")
    return path, [json.loads(line) for line in lines if line]


def test_all_published_verdicts_are_right_in_order(tmp_path: Path) -> None:
    path, cases = shared_cases("verdicts_dev.jsonl")
    rows = [
        json.loads(line) for line in ok(tmp_path, "validate", "--batch", str(path)).splitlines()
    ]
    assert [row["id"] for row in rows] == [case["id"] for case in cases]
    for row, case in zip(rows, cases, strict=True):
        verdict = str(case["verdict"]).replace("type_error", "wrong_type")
        assert (row["verdict"], row["failed_step"]) == (verdict, case["failed_step"]), case["id"]


def test_published_replies_are_read_as_labelled_in_98_of_100(tmp_path: Path) -> None:
    path, cases = shared_cases("responses_dev.jsonl")
    rows = [json.loads(line) for line in ok(tmp_path, "read", "--batch", str(path)).splitlines()]
    right = 0
    for row, case in zip(rows, cases, strict=True):
        others = case.get("alternatives") or []
        assert isinstance(others, list)
        right += row["plan"] in [case["plan"], *others]
    assert right >= 0.98 * len(cases)


LAMPS = (
    "(define (domain lamps) (:requirements :strips :typing) (:types lamp)"
    " (:predicates (lit ?l - lamp) (dark ?l - lamp))"
    " (:action switch-on :parameters (?l - lamp) :precondition (dark ?l)"
    " :effect (and (lit ?l) (not (dark ?l)))))"
)


def lamps(place: Path, problems: int) -> Path:
    folder = place / "lamps"
    folder.mkdir()
    (folder / "domain.pddl").write_text(LAMPS)
    (folder / "wording.toml").write_text(ok(place, "new-domain", "lamps/domain.pddl"))
    names = [f"l{number}" for number in range(1, problems + 2)]
    for number in range(problems):
        goal = " ".join(f"(lit {name})" for name in names[: number + 2])
        dark = " ".join(f"(dark {name})" for name in names)
        (folder / f"problem{number}.pddl").write_text(
            f"(define (problem p{number}) (:domain lamps) (:objects {' '.join(names)} - lamp)"
            f" (:init {dark}) (:goal (and {goal})))"
        )
    return folder


def test_check_shows_an_example_of_each_test_or_why_there_is_none(place: Path) -> None:
    lamps(place, 5)
    shown = json.loads(ok(place, "check", "lamps", "--json"))["examples"]
    assert len(shown) == 11
    asked = shown["plan-generation"]
    assert "Give a plan that reaches the goal." in asked["prompt"]
    assert "switch on" in asked["truth"]
    # All lamps can be lit together: nothing rivals, and about half of the items have a plan.
    assert [sorted(row) for row in shown.values()].count(["reason"]) < 6
    text = ok(place, "check", "lamps")
    for test, row in shown.items():
        assert f"## {test}" in text
        assert row.get("prompt", row.get("reason")) in text


def test_one_problem_is_too_few_for_examples_and_check_says_so(place: Path) -> None:
    lamps(place, 1)
    rows = json.loads(ok(place, "check", "lamps", "--json"))["examples"]
    reason = rows["plan-generation"]["reason"]
    assert reason.endswith("(no generator, and problem*.pddl: 1)")
    assert len(reason.splitlines()) == 1


def test_without_examples_and_with_errors_none_are_shown(place: Path) -> None:
    folder = lamps(place, 2)
    assert json.loads(ok(place, "check", "lamps", "--json", "--no-examples"))["examples"] == {}
    assert "##" not in ok(place, "check", "lamps", "--no-examples")
    (folder / "problem0.pddl").write_text("(define")
    assert json.loads(misstep(place, "check", "lamps", "--json").stdout)["examples"] == {}


def test_a_folder_with_a_shipped_name_shows_its_own_domain(place: Path) -> None:
    lamps(place, 5).rename(place / "blocksworld")
    shown = json.loads(ok(place, "check", "blocksworld", "--json"))["examples"]
    assert "switch on" in shown["plan-generation"]["truth"]
