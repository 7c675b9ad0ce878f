"""One budget for several workers: never passed by all of them together, whatever becomes of one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

import misstep
import steady  # noqa: F401 (makes the provider known)
from misstep.core.errors import MisstepError
from misstep.core.prices import Price, Prices
from misstep.core.records import Record
from misstep.runner import manifest
from misstep.runner.failures import BudgetReached
from misstep.runner.journal import lines_of
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.paying.earlier import count_earlier
from misstep.runner.paying.purse import Purse
from misstep.runner.run import plan
from misstep.runner.shards.orders import End, Ended
from misstep.runner.shards.processes import listen
from steady_process import at_work

LIMIT = 2_000
RUN = (
    "run", "grammar", "--limit", "24", "--preflight", "no", "--max-tokens", str(LIMIT),
    "--workers", "2",
)  # fmt: skip
SAMPLES = 48
PRICE = Price(1.0, 1.0, 1.0, 4.0, 4.0, "USD", "2026-11-30", "this test")
PRICE_FILE = """
schema = 1
currency = "USD"
date = 2026-11-30
source = "this test"
models."steady/x" = {input = 1.0, output = 4.0}
models."steady/y" = {input = 1.0, output = 4.0}
"""


def timeless(records: Iterable[Record]) -> list[Record]:
    return [replace(record, seconds=None) for record in records]


def calls(folder: Path) -> list[list[str]]:
    """Of each call that was made: process, words, tokens read and written."""
    path = folder / "calls"
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def charged(folder: Path) -> float:
    """By the provider's own reckoning."""
    return sum(int(read) * 1.0 + int(written) * 4.0 for _, _, read, written in calls(folder)) / 1e6


def begun(folder: Path, *words: str, **env: str) -> AbstractContextManager[subprocess.Popen[str]]:
    prices = folder / "prices.toml"
    prices.write_text(PRICE_FILE)
    return at_work(folder, *RUN, "--model", "steady/x", "--prices", str(prices), *words, env=env)


def told(folder: Path, *words: str) -> tuple[int, str, str]:
    """Exit code and what the command line said; replies have heavy tails."""
    with begun(folder, *words, STEADY_TAIL="1", STEADY_SECONDS="0.01") as process:
        out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def records_of(folder: Path, model: str = "x") -> list[Record]:
    (run,) = (folder / "logs").glob(f"grammar-steady-{model}-*")
    assert not list(run.glob(".*"))
    return timeless(read_records(log_files([run])))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Record], float]:
    """What one process makes of the run without a budget, and what it costs."""
    folder = tmp_path_factory.mktemp("whole")
    assert told(folder, "--workers", "1")[0] == 0
    return records_of(folder), charged(folder)


def test_a_run_of_two_workers_stops_before_its_budget_and_goes_on_with_a_larger_one(
    tmp_path: Path, whole: tuple[list[Record], float]
) -> None:
    records, cost = whole
    budget = f"{0.6 * cost:.6f}"
    code, _, said = told(tmp_path, "--budget", budget, "--yes")
    assert code == 1
    stopped = re.search(
        r"misstep: stopped at answer (\d+) of 48, before the budget of (\S+) USD is passed: "
        r"(\S+) is spent, (\S+) is left, and the next call may cost (\S+); all replies so far are "
        r"kept in \S+; the same command goes on from there, with a larger budget\n$",
        said,
    )
    assert stopped is not None, said
    answers, of, spent, left, refused = map(float, stopped.groups())
    assert of == float(budget)
    assert charged(tmp_path) <= of
    assert spent == pytest.approx(charged(tmp_path), rel=1e-4)
    assert left == pytest.approx(of - spent, abs=1e-6)
    assert left < refused
    kept = records_of(tmp_path)
    assert len(kept) == answers
    assert all(record in records for record in kept)

    assert told(tmp_path, "--budget", "1")[0] == 0
    found = records_of(tmp_path)
    assert found[: len(kept)] == kept
    assert sorted(found, key=repr) == sorted(records, key=repr)
    assert len(calls(tmp_path)) == SAMPLES, "nothing is asked twice"
    assert charged(tmp_path) == pytest.approx(cost)


def test_two_runs_of_one_command_share_the_budget_and_what_is_enough_changes_nothing(
    tmp_path: Path, whole: tuple[list[Record], float]
) -> None:
    records, cost = whole
    code, shown, said = told(
        tmp_path, "--model", "steady/y", "--budget", f"{1.7 * cost:.6f}", "--yes"
    )
    assert code == 1
    assert "stopped at answer" in said
    assert charged(tmp_path) <= 1.7 * cost
    assert records_of(tmp_path) == records
    assert "steady/x" in shown, "the run that was finished is shown"
    second = records_of(tmp_path, "y")
    assert 0 < len(second) < SAMPLES
    spent = re.search(r"(\S+) is spent", said)
    assert spent is not None
    assert float(spent[1]) == pytest.approx(charged(tmp_path), rel=1e-4), "of both runs"


def test_ctrl_c_is_no_end_of_the_budget_though_calls_cut_off_count_at_their_worst(
    tmp_path: Path,
) -> None:
    """There is room for one call at a time: when it is cut off, nothing is left for the others."""
    with begun(tmp_path, "--budget", "0.009", "--yes", STEADY_SECONDS="0.5") as process:
        deadline = time.monotonic() + 60
        while len(calls(tmp_path)) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    last = said.strip().splitlines()[-1]
    assert last.startswith("misstep: stopped at answer "), said
    assert last.endswith("; the same command goes on from there"), said


@dataclass
class OnePipe:
    """A worker as far as it is listened to."""

    number: int
    pipe: Connection
    interrupted: int = 0

    @property
    def hand(self) -> OnePipe:
        return self

    def interrupt(self) -> None:
        self.interrupted += 1


def test_a_worker_that_finds_no_money_after_ctrl_c_was_stopped_by_that() -> None:
    ours, theirs = Pipe()
    worker, told = OnePipe(1, ours), list[int]()

    def hear(_record: Record) -> None:
        raise KeyboardInterrupt

    with ours, theirs:
        for said in (["a record"], Ended(End.SPENT)):
            theirs.send(said)
        crew: Any = [worker]  # Any: what stands for a worker
        assert listen(crew, hear, told.append) == {1: Ended(End.STOPPED)}
    assert (worker.interrupted, told) == (1, [1])


def test_what_a_killed_worker_had_set_aside_is_lost_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is room for two calls at a time, so that the others soon need what it had."""
    worst = LIMIT * 4.0 / 1e6
    purse = Purse(2.2 * worst)
    ended, killed = threading.Event(), list[str]()
    for name, value in {"CALLS": str(tmp_path / "calls"), "SECONDS": "0.3"}.items():
        monkeypatch.setenv(f"STEADY_{name}", value)
    killer = threading.Thread(target=kill_one, args=(tmp_path, ended, killed))
    killer.start()
    try:
        with pytest.raises(MisstepError, match=r"^worker \d of 2 was killed \(SIGKILL\); ") as said:
            misstep.run(
                "grammar", "steady/x", workers=2, budget=purse, prices=Prices({"steady/x": PRICE}),
                max_tokens=LIMIT, limit=24, preflight="no", log_dir=tmp_path / "logs",
            )  # fmt: skip
    finally:
        ended.set()
        killer.join()
    assert not isinstance(said.value, BudgetReached)
    assert len(killed) == 1, "the other one ended by itself"
    assert purse.is_closed
    (run,) = (tmp_path / "logs").iterdir()
    lost = len(calls(tmp_path)) - sum("key" in line for line in lines_of(run / "journal.jsonl"))
    assert 1 <= lost <= 2
    assert purse.lost == pytest.approx(lost * worst, rel=0.2)
    assert charged(tmp_path) <= purse.spent <= purse.budget
    assert purse.is_idle
    assert manifest.read(run).state == "stopped"


def kill_one(folder: Path, ended: threading.Event, killed: list[str]) -> None:
    """A worker in the middle of a call; all of them where that leaves the others waiting."""
    deadline = time.monotonic() + 60
    while len(calls(folder)) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    killed.append(calls(folder)[-1][0])
    os.kill(int(killed[0]), signal.SIGKILL)
    if not ended.wait(60):
        for pid in {pid for pid, *_ in calls(folder)} - set(killed):
            killed.append(pid)
            os.kill(int(pid), signal.SIGKILL)


def test_enough_for_all_is_all_asked_from_python_and_the_purse_has_what_was_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADY_CALLS", str(tmp_path / "calls"))
    purse = Purse(1.0, spent=0.25, earlier=0.25)
    asked: dict[str, Any] = {  # Any: the settings of a run
        "prices": Prices({"steady/x": PRICE}), "max_tokens": LIMIT, "limit": 8,
        "log_dir": tmp_path / "logs",
    }  # fmt: skip
    done = misstep.run(
        "grammar", "steady/x", workers=2, budget=purse, preflight="yes", **asked,
    )  # fmt: skip
    assert len(done.records) == 16 == purse.calls
    assert len({pid for pid, *_ in calls(tmp_path)}) == 3, "the first questions, and two workers"
    assert purse.spent == pytest.approx(0.25 + charged(tmp_path))
    assert sum(record.cost or 0 for record in done.records) == pytest.approx(charged(tmp_path))
    assert (purse.earlier, purse.lost, purse.refused) == (0.25, 0.0, None)

    # As a killed run leaves what its workers have.
    (run,) = (tmp_path / "logs").iterdir()
    lines = (run / "journal.jsonl").read_text().splitlines(keepends=True)
    for name, part in {"": lines[:20], ".workers/1-of-1": lines[10:]}.items():
        (run / name).mkdir(parents=True, exist_ok=True)
        (run / name / "journal.jsonl").write_text("".join(part))
    after = Purse(1.0)
    count_earlier([plan(misstep.request("grammar", "steady/x", budget=after, **asked))])
    assert after.earlier == pytest.approx(charged(tmp_path))
