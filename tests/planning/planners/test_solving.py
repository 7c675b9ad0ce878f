"""Many problems at once: order, progress, cache, and what stays when the asking process dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from misstep.planning.planners.answers import Answer, Limits, Outcome
from misstep.planning.planners.fast_downward import ANY_PLAN, FastDownward
from misstep.planning.planners.solving import Pddl, Solving, solve_checked, solve_texts

Stub = Callable[[str], FastDownward]
Blocks = Callable[[str], Pddl]
ECHO = """name=$(sed -n 's/.*(problem \\([0-9]*\\)).*/\\1/p' problem.pddl)
sleep 0.$((5 - name))
printf "(did $name)\\n; cost = $name (unit cost)\\n" > plan"""


def numbered(number: int) -> Pddl:
    return Pddl("(define (domain d))", f"(define (problem {number}))")


def test_answers_stand_in_the_problems_order_whatever_ends_first(stub: Stub) -> None:
    problems = [numbered(number) for number in range(6)]
    progress: list[tuple[int, int]] = []
    how = Solving(stub(ECHO), workers=3)
    answers = solve_texts(problems, how, lambda done, total: progress.append((done, total)))
    assert [answer.cost for answer in answers] == list(range(6))
    assert progress == [(done, 6) for done in range(1, 7)]


def test_no_more_planners_run_than_workers(stub: Stub, tmp_path: Path) -> None:
    count = f"""mkdir -p '{tmp_path}/now'; touch '{tmp_path}/now/'$$
ls '{tmp_path}/now' | wc -l >> '{tmp_path}/seen'; sleep 0.5; rm '{tmp_path}/now/'$$
{ECHO}"""
    solve_texts([numbered(number) for number in range(4)], Solving(stub(count), workers=2))
    seen = [int(line) for line in (tmp_path / "seen").read_text().split()]
    assert max(seen) == 2


def test_equal_problems_are_solved_once(stub: Stub, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    planner = stub(f"echo call >> '{log}'\n{ECHO}")
    answers = solve_texts([numbered(1), numbered(2), numbered(1)], Solving(planner))
    assert [answer.cost for answer in answers] == [1, 2, 1]
    assert log.read_text().count("call") == 2


def test_no_problems_need_no_planner(stub: Stub) -> None:
    assert solve_texts([], Solving(stub("exit 1"))) == ()


def test_a_cached_answer_needs_no_process(
    fast_downward: FastDownward, blocks: Blocks, tmp_path: Path
) -> None:
    problems = [blocks("(on b a)"), blocks("(on a a)")]
    first = solve_texts(problems, Solving(fast_downward, cache=tmp_path))
    gone = replace(fast_downward, translate=("/nowhere",), search=("/nowhere",))
    again = solve_texts(problems, Solving(gone, cache=tmp_path))
    assert [replace(answer, is_cached=False) for answer in again] == list(first)
    assert [answer.is_cached for answer in (*first, *again)] == [False, False, True, True]
    assert [answer.outcome for answer in again] == [Outcome.SOLVED, Outcome.UNSOLVABLE]


def test_another_domain_problem_configuration_or_version_is_another_entry(
    stub: Stub, tmp_path: Path
) -> None:
    log = tmp_path / "calls"
    planner = stub(f"echo call >> '{log}'\n{ECHO}")
    how = Solving(planner, cache=tmp_path / "cache")
    solve_texts([numbered(1)], how)
    solve_texts([replace(numbered(1), domain="(define (domain e))")], how)
    solve_texts([numbered(2)], how)
    solve_texts([numbered(1)], replace(how, configuration=ANY_PLAN))
    solve_texts([numbered(1)], replace(how, planner=replace(planner, version="stub 2")))
    assert log.read_text().count("call") == 5
    solve_texts([numbered(1), numbered(2)], how)
    assert log.read_text().count("call") == 5


@pytest.mark.parametrize("torn", ["", "{", "[]", "null", '{"limits": {}}', "\x00" * 100])
def test_a_torn_cache_entry_is_found_anew(stub: Stub, tmp_path: Path, torn: str) -> None:
    how = Solving(stub(ECHO), cache=tmp_path / "cache")
    (first,) = solve_texts([numbered(3)], how)
    (entry,) = (tmp_path / "cache").glob("*/*.json")
    entry.write_text(torn)
    (second,) = solve_texts([numbered(3)], how)
    assert (second.plan, second.is_cached) == (first.plan, False)
    assert solve_texts([numbered(3)], how)[0].is_cached


def test_running_out_is_kept_for_the_same_or_smaller_limits_only(
    stub: Stub, tmp_path: Path
) -> None:
    how = Solving(stub("exit 22"), cache=tmp_path / "cache")
    (first,) = solve_texts([numbered(1)], how)
    assert (first.outcome, first.is_cached) == (Outcome.OUT_OF_MEMORY, False)
    assert solve_texts([numbered(1)], how)[0].is_cached
    smaller, larger = Limits(memory_mib=1024), Limits(memory_mib=4096)
    assert solve_texts([numbered(1)], replace(how, limits=smaller))[0].is_cached
    assert not solve_texts([numbered(1)], replace(how, limits=larger))[0].is_cached


@pytest.mark.parametrize("ending", ["exit 1", "exit 32", "echo nonsense", "exit 31", "exit 12"])
def test_a_planners_own_failure_is_never_kept(stub: Stub, tmp_path: Path, ending: str) -> None:
    solve_texts([numbered(1)], Solving(stub(ending), cache=tmp_path / "cache"))
    assert list(tmp_path.glob("cache/**/*.json")) == []


def test_a_wait_by_the_clock_is_never_kept(stub: Stub, tmp_path: Path) -> None:
    limits = Limits(wall_seconds=0.5)
    how = Solving(stub("sleep 60"), limits=limits, cache=tmp_path / "cache")
    assert solve_texts([numbered(1)], how)[0].outcome is Outcome.OUT_OF_TIME
    assert list(tmp_path.glob("cache/**/*.json")) == []


def test_a_cached_answer_that_fails_its_check_is_found_anew(stub: Stub, tmp_path: Path) -> None:
    how = Solving(stub(ECHO), cache=tmp_path / "cache")
    solve_texts([numbered(3)], how)
    (entry,) = (tmp_path / "cache").glob("*/*.json")
    entry.write_text(entry.read_text().replace('"cost": 3', '"cost": 2'))

    def check(_index: int, answer: Answer) -> Answer:
        return answer if answer.cost == 3 else replace(answer, outcome=Outcome.NONSENSE)

    (answer,) = solve_checked([numbered(3)], how, check)
    assert (answer.cost, answer.is_cached) == (3, False)


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_when_the_asking_process_dies_no_planner_goes_on(
    stub: Stub, tmp_path: Path, ending: signal.Signals
) -> None:
    pid_file, temporary = tmp_path / "pid", tmp_path / "temporary"
    temporary.mkdir()
    planner = stub(
        f"sleep 300 & echo $! > '{pid_file}.part'; mv '{pid_file}.part' '{pid_file}'; wait"
    )
    program = (
        "from misstep.planning.planners.fast_downward import FastDownward\n"
        "from misstep.planning.planners.solving import Pddl, Solving, solve_texts\n"
        f"planner = FastDownward({planner.translate!r}, {planner.search!r}, 'stub 1')\n"
        "try: solve_texts([Pddl('', '')], Solving(planner))\n"
        "except KeyboardInterrupt: pass\n"
    )
    asking = subprocess.Popen(
        [sys.executable, "-c", program], env={**os.environ, "TMPDIR": str(temporary)}
    )
    assert happens(pid_file.exists)
    assert len(list(temporary.iterdir())) == 1
    asking.send_signal(ending)
    asking.wait(20)
    assert happens(lambda: has_ended(int(pid_file.read_text())))
    assert happens(lambda: not list(temporary.iterdir()))


def happens(claim: Callable[[], bool]) -> bool:
    """Within ten seconds."""
    for _ in range(200):
        if claim():
            return True
        time.sleep(0.05)
    return False


def has_ended(pid: int) -> bool:
    """The process is gone, or is dead and only not yet cleared away."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] == "Z"
