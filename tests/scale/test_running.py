"""Runs on a cluster of two nodes, of which one goes: nothing is lost, asked twice, or different."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import fsspec
import pytest

import distant  # noqa: F401 (makes the provider known)
import misstep
from misstep.analyse import compare
from misstep.core.records import Record
from misstep.registry import specs
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.run import Run, plan
from misstep.scale import running
from misstep.scale.asking import Terms, ready, terms_of
from two_nodes import SECOND, TwoNodes

SAMPLES = 96
COMMAND = Path(__file__).parents[1] / "support" / "distant_cli.py"
pytestmark = pytest.mark.filterwarnings(
    # Ray leaves its files and sockets to the garbage collector.
    "ignore:unclosed:ResourceWarning",
)


def timeless(records: Iterable[Record]) -> list[Record]:
    return [replace(record, seconds=None) for record in records]


def compared(run: Run) -> str:
    """All that `compare --json` says, but for times."""
    found = compare(timeless(run.records), specs())
    return json.dumps([asdict(one) for one in found], default=str)


def calls(path: Path) -> list[str]:
    """The words of each call that was made, by their digest."""
    return [line.split()[1] for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """What one machine makes of the run."""
    return misstep.run("grammar", "distant/x", limit=48, log_dir=tmp_path_factory.mktemp("whole"))


def has_asked(node: str, path: Path, count: int) -> bool:
    asked = path.read_text().splitlines() if path.exists() else []
    return sum(line.startswith(f"{node} ") for line in asked) >= count


def test_a_run_that_loses_a_node_half_way_is_the_same_as_on_one_machine(
    nodes: TwoNodes, tmp_path: Path, whole: Run
) -> None:
    heard, lines = list[Record](), list[str]()
    nodes.kill_second_when(lambda: has_asked(SECOND, tmp_path / "calls", 6))
    run = ask(tmp_path, "memory://lost/logs", heard.append, lines.append)
    assert timeless(run.records) == timeless(whole.records)
    assert compared(run) == compared(whole)
    assert len(heard) == SAMPLES, "a record of a cell that is done again is heard once"
    assert sum("127.0.0.3) is lost" in line for line in lines) >= 1
    made = Counter(calls(tmp_path / "calls"))
    assert len(made) == SAMPLES
    # Two connections: the calls in flight, and what had come in the last tenth of a second.
    assert made.total() <= SAMPLES + 4
    assert SAMPLES <= run.manifest.asked <= made.total()

    # Elsewhere, with nothing but what the store has, nothing is asked or done again.
    os.environ["MISSTEP_CACHE"] = str(tmp_path / "elsewhere")
    again = ask(tmp_path, "memory://lost/logs", lambda _record: None, lines.append)
    assert timeless(again.records) == timeless(whole.records)
    assert len(calls(tmp_path / "calls")) == made.total()
    system = fsspec.filesystem("memory")
    names = sorted(name.rpartition("/")[2] for name in system.find("/lost/logs"))
    assert names[1:] == ["journal.jsonl", "manifest.json"]
    assert names[0].endswith(".eval")


def ask(
    tmp_path: Path, log_dir: str, listener: Callable[[Record], None], tell: Callable[[str], None]
) -> Run:
    settings: dict[str, Any] = {
        "limit": 48,
        "log_dir": log_dir,
        "shards": 3,
        "model_args": {"calls": str(tmp_path / "calls"), "seconds": 0.2},
    }
    terms = terms_of("ray", settings)
    request = misstep.request("grammar", "distant/x", **settings)
    made = plan(request)
    ready([made], terms, "no")
    (run,) = running.carry_out([(made, request)], terms, [listener], tell)
    assert isinstance(run, Run)
    return run


def test_ctrl_c_and_a_kill_of_the_driver_leave_what_is_finished(
    nodes: TwoNodes, tmp_path: Path, whole: Run
) -> None:
    said = ended_by(nodes, tmp_path, signal.SIGINT, 40)
    assert "stopped at answer " in said
    assert said.endswith("the same command goes on from there")
    (folder,) = (tmp_path / "logs").iterdir()
    kept = timeless(read_records(log_files([folder])))
    made_so_far = len(calls(tmp_path / "calls"))
    assert len(kept) >= made_so_far - 4, "unfinished shards close their logs, too"
    assert all(record in timeless(whole.records) for record in kept)

    ended_by(nodes, tmp_path, signal.SIGKILL, 30)
    finished = [path.parent.name for path in folder.glob(".shards/*/asked")]
    assert finished
    lines: list[str] = []
    run = ask_there(tmp_path, lines.append)
    assert timeless(run.records) == timeless(whole.records)
    made = Counter(calls(tmp_path / "calls"))
    assert len(made) == SAMPLES
    # At each end two nodes with two connections each had calls in flight; and until Ray has noticed
    # that the killed driver is gone, its tasks go on for a moment.
    assert made.total() <= SAMPLES + 2 * 4 + 16
    assert not list(folder.glob(".*"))
    assert len(list(folder.glob("*.eval"))) == 1


def ask_there(tmp_path: Path, tell: Callable[[str], None]) -> Run:
    args: dict[str, Any] = {"calls": str(tmp_path / "calls"), "seconds": 0.3}
    request = misstep.request(
        "grammar", "distant/x", limit=48, log_dir=tmp_path / "logs", model_args=args
    )
    (run,) = running.carry_out([(plan(request), request)], Terms(), [lambda _record: None], tell)
    assert isinstance(run, Run)
    return run


def ended_by(nodes: TwoNodes, tmp_path: Path, how: signal.Signals, after: int) -> str:
    """The last line of the command, which gets the signal when it has made so many calls more."""
    noted = tmp_path / "calls"
    before = len(calls(noted))
    words = ("run", "grammar", "--model", "distant/x", "--limit", "48", "--preflight", "no")
    where = ("--on", nodes.address, "--shards", "6", "--log-dir", str(tmp_path / "logs"))
    args = ("-M", f"calls={noted}", "-M", "seconds=0.3")
    process = subprocess.Popen(
        [sys.executable, str(COMMAND), *words, *where, *args],
        env={**os.environ, "COLUMNS": "80"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        deadline = time.monotonic() + 120
        while len(calls(noted)) < before + after:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(how)
        _, err = process.communicate(timeout=120)
    finally:
        process.kill()
    return err.strip().splitlines()[-1] if err.strip() else ""
