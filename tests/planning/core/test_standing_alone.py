"""The library where nothing but the standard library can be imported, and its own command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from misstep.planning import write_problem
from misstep.planning.folders import draw_problem, shipped
from misstep.planning.generators import SeededChance

ROOT = Path(__file__).parents[3]
BARE = """
import runpy, sys
sys.path.insert(0, sys.argv.pop(1))
sys.argv = sys.argv[1:]
if sys.argv[0].endswith(".py"):
    runpy.run_path(sys.argv[0], run_name="__main__")
else:
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def bare(*words: str) -> subprocess.CompletedProcess[str]:
    """A program run without site-packages and without the environment's variables."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", BARE, str(ROOT / "src"), *words],
        capture_output=True,
        check=False,
        text=True,
    )


def test_pddl_is_read_grounded_solved_said_read_and_graded_with_nothing_installed() -> None:
    done = bare(str(ROOT / "tools/planning_alone.py"))
    assert (done.returncode, done.stderr) == (0, "")


def test_the_modules_command_prints_what_misstep_plan_validate_prints(tmp_path: Path) -> None:
    problem, plan = tmp_path / "problem.pddl", tmp_path / "plan.txt"
    problem.write_text(write_problem(draw_problem(shipped("ferry"), SeededChance(1))))
    plan.write_text("(sail nowhere nowhere)\n")
    words = ("ferry", str(problem), str(plan))
    done = bare("misstep.planning", "validate", *words)
    command = [sys.executable, "-m", "misstep", "plan", "validate", *words, "--json"]
    whole = subprocess.run(command, capture_output=True, check=True, text=True)
    assert json.loads(done.stdout) == json.loads(whole.stdout)
    assert json.loads(done.stdout)["verdict"] == "unknown_object"


@pytest.mark.parametrize(
    ("domain", "problem", "said"),
    [
        ("nowhere", "problem.pddl", "nowhere is no file, no folder and none of blocksworld"),
        ("ferry", "nowhere.pddl", "nowhere.pddl: No such file"),
        ("ferry", "problem.pddl", "problem.pddl:1:1: '(' is never closed"),
    ],
)
def test_the_modules_command_says_bad_input_in_one_line(
    tmp_path: Path, domain: str, problem: str, said: str
) -> None:
    (tmp_path / "problem.pddl").write_text("(define")
    done = bare("misstep.planning", "validate", domain, str(tmp_path / problem), "plan.txt")
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
