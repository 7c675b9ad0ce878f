"""Each way in which a planner goes wrong is reported as that, never as a fact about the problem."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from misstep.planning.planners import processes
from misstep.planning.planners.answers import DECIDED, Answer, Limits, Outcome
from misstep.planning.planners.fast_downward import FastDownward
from misstep.planning.planners.solving import Pddl, Solving, solve_texts

Stub = Callable[[str], FastDownward]
PLAN = "(put-down a)\\n; cost = 1 (unit cost)\\n"


@pytest.fixture
def ask(blocks: Callable[[str], Pddl]) -> Callable[..., Answer]:
    def ask_one(planner: FastDownward, limits: Limits | None = None) -> Answer:
        (answer,) = solve_texts([blocks("(on b a)")], Solving(planner, limits=limits or Limits()))
        assert (answer.plan is None) == (answer.outcome is not Outcome.SOLVED)
        assert "\n" not in answer.said
        return answer

    return ask_one


Ask = Callable[..., Answer]


def test_the_stub_can_also_go_right(stub: Stub, ask: Ask) -> None:
    answer = ask(stub(f"printf '{PLAN}' > plan"))
    assert (answer.outcome, answer.plan, answer.cost) == (Outcome.SOLVED, (("put-down", "a"),), 1)


def test_a_planner_that_is_not_there_is_missing(stub: Stub, ask: Ask, tmp_path: Path) -> None:
    nowhere = replace(stub("true"), search=(str(tmp_path / "nowhere"),))
    assert ask(nowhere).outcome is Outcome.MISSING
    assert ask(replace(nowhere, translate=nowhere.search)).outcome is Outcome.MISSING


def test_a_file_that_is_no_program_is_missing(stub: Stub, ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("not a program")
    for mode in (0o600, 0o700):
        path.chmod(mode)
        assert ask(replace(stub("true"), search=(str(path),))).outcome is Outcome.MISSING


def test_success_without_a_plan_is_nonsense(stub: Stub, ask: Ask) -> None:
    answer = ask(stub("echo 'Colourless green ideas sleep furiously'"))
    assert answer.outcome is Outcome.NONSENSE
    assert "Colourless green ideas" in answer.said


@pytest.mark.parametrize(
    "plan",
    [
        "",
        "hello",
        "(put-down a)\\n",
        "put-down a\\n; cost = 1 (unit cost)\\n",
        "(put-down a\\n; cost = 1 (unit cost)\\n",
        "(put-down (a))\\n; cost = 1 (unit cost)\\n",
        "(put-down a)\\n; cost = many (unit cost)\\n",
        "\\377\\376\\000\\n; cost = 1 (unit cost)\\n",
    ],
)
def test_a_plan_file_that_cannot_be_read_is_nonsense(stub: Stub, ask: Ask, plan: str) -> None:
    answer = ask(stub(f"printf '{plan}' > plan"))
    assert answer.outcome is Outcome.NONSENSE
    assert "a plan that can't be read" in answer.said


def test_a_claim_of_unsolvability_without_words_is_nonsense(stub: Stub, ask: Ask) -> None:
    assert ask(stub("exit 11")).outcome is Outcome.NONSENSE
    proven = stub("echo 'Task is provably unsolvable.'; exit 11")
    assert ask(proven).outcome is Outcome.UNSOLVABLE


@pytest.mark.parametrize("code", [1, 2, 3, 12, 13, *range(20, 25), *range(30, 38), 99, 127, 255])
def test_no_other_exit_code_decides_anything(stub: Stub, ask: Ask, code: int) -> None:
    said = f"printf '{PLAN}' > plan; echo 'Task is provably unsolvable.'; exit {code}"
    answer = ask(stub(said))
    assert answer.outcome not in DECIDED
    assert answer.exit_code == code
    assert answer.said


def test_a_crash_names_its_signal(stub: Stub, ask: Ask) -> None:
    answer = ask(stub("kill -SEGV $$"))
    assert (answer.outcome, answer.said) == (Outcome.CRASHED, "ended by signal SIGSEGV")


def test_a_planner_that_hangs_is_out_of_time_and_ended(
    stub: Stub, ask: Ask, tmp_path: Path
) -> None:
    pid_file = tmp_path / "pid"
    started = time.monotonic()
    answer = ask(stub(f"sleep 600 & echo $! > '{pid_file}'; wait"), Limits(wall_seconds=1))
    assert time.monotonic() - started < 20
    assert answer.outcome is Outcome.OUT_OF_TIME
    assert "by the clock" in answer.said
    assert is_gone(int(pid_file.read_text()))


@pytest.mark.parametrize("trap", ["", "import signal; signal.signal(24, signal.SIG_IGN)\n"])
def test_a_planner_that_turns_in_circles_is_out_of_time(
    python_stub: Stub, ask: Ask, trap: str
) -> None:
    answer = ask(python_stub(f"{trap}while True: pass"), Limits(cpu_seconds=1))
    assert answer.outcome is Outcome.OUT_OF_TIME


@pytest.mark.parametrize("grow", ["[b'x' * 10**6]", "[bytearray(10**6)]"])
def test_a_planner_that_eats_memory_is_out_of_memory(
    python_stub: Stub, ask: Ask, grow: str
) -> None:
    answer = ask(python_stub(f"a = []\nwhile True: a += {grow}"), Limits(memory_mib=200))
    assert answer.outcome is Outcome.OUT_OF_MEMORY
    assert answer.statistics.peak_kib < 250 << 10


def test_a_planner_that_floods_the_disk_is_ended(
    stub: Stub, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "FILE_BYTES", 1 << 20)
    answer = ask(stub("exec yes"))
    assert answer.outcome is Outcome.CRASHED
    assert "wrote a file of more than" in answer.said


def test_a_stale_plan_in_the_current_folder_is_never_read(
    stub: Stub, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("plan", "sas_plan", "task.sas", "report.json"):
        (tmp_path / name).write_text("(put-down a)\n; cost = 1 (unit cost)\n")
    monkeypatch.chdir(tmp_path)
    assert ask(stub("true")).outcome is Outcome.NONSENSE
    assert (tmp_path / "plan").exists()


def test_a_translator_that_writes_no_task_is_nonsense(stub: Stub, ask: Ask) -> None:
    answer = ask(replace(stub("true"), translate=("/bin/sh", "-c", "exit 0")))
    assert answer.outcome is Outcome.NONSENSE
    assert "it wrote no task" in answer.said


def is_gone(pid: int) -> bool:
    """Within a few seconds; the system may need a moment to clear the process away."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if _is_zombie(pid):
            return True
        time.sleep(0.05)
    return False


def _is_zombie(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] == "Z"
