"""Workers: one run by several processes, the same as by one, whatever becomes of any of them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import misstep
from misstep.core.errors import BadInput
from misstep.core.records import Record
from misstep.runner import manifest
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.run import Request, plan
from misstep.runner.shards import crew
from oracle import FAMILY
from steady_process import at_work

RUN = ("run", "grammar", "--model", "steady/x", "--limit", "24", "--preflight", "no")
SAMPLES = 48


def timeless(records: Iterable[Record]) -> list[Record]:
    return [replace(record, seconds=None) for record in records]


def begun(folder: Path, *words: str, **env: str) -> AbstractContextManager[subprocess.Popen[str]]:
    return at_work(folder, *RUN, *words, env=env)


def called(folder: Path) -> list[str]:
    """The process of each call that was made."""
    path = folder / "calls"
    return [line.split()[0] for line in path.read_text().splitlines()] if path.exists() else []


def wait_for(is_there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not is_there():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def go_on(folder: Path, *words: str) -> list[Record]:
    """The same command again; every item is there at its end, and no hidden folder."""
    with begun(folder, *words) as process:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    (run,) = (folder / "logs").iterdir()
    assert not list(run.glob(".*"))
    assert manifest.read(run).state == "finished"
    return timeless(read_records(log_files([run])))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """What one process makes of the run."""
    return go_on(tmp_path_factory.mktemp("whole"), "--workers", "1")


def test_several_workers_make_the_same_run_as_one(tmp_path: Path, whole: list[Record]) -> None:
    found = go_on(tmp_path, "--workers", "3")
    assert found == whole
    assert len(called(tmp_path)) == SAMPLES
    assert len(set(called(tmp_path))) == 3


def test_nothing_is_lost_or_asked_twice_whatever_ends_a_run(
    tmp_path: Path, whole: list[Record]
) -> None:
    """One run: refused by its provider, then Ctrl-C, a worker killed, all killed; then it ends."""
    said = ended_by(tmp_path, lambda _process: None, STEADY_SPENT_AT="4")
    reason = "5 questions in a row had no answer: the key is spent"
    assert said.startswith(f"misstep: --model: steady/x: {reason}; ")
    assert f"of {SAMPLES} answers are kept in {tmp_path / 'logs'}" in said
    assert ".workers" not in said

    said = ended_by(tmp_path, lambda process: process.send_signal(signal.SIGINT))
    assert said.startswith("misstep: stopped at answer ")
    (run,) = (tmp_path / "logs").iterdir()
    kept = timeless(read_records(log_files([run])))
    assert 4 <= len(kept) < SAMPLES
    assert all(record in whole for record in kept)

    said = ended_by(tmp_path, lambda _process: os.kill(int(called(tmp_path)[-1]), signal.SIGKILL))
    assert "of 2 was killed (SIGKILL); " in said
    assert manifest.read(run).state == "stopped"
    # The other one came to its end.
    assert len(read_records(log_files([run]))) >= SAMPLES // 2

    ended_by(tmp_path, subprocess.Popen.kill, limit="48")
    assert (run / ".workers").exists()
    wait_for(lambda: not any(_is_alive(pid) for pid in set(called(tmp_path))))
    found = go_on(tmp_path, "--limit", "48")
    assert len(found) == 2 * SAMPLES
    assert all(record in found for record in whole)
    # Four times, two workers with two connections each had calls in flight; five were refused.
    assert 2 * SAMPLES <= len(called(tmp_path)) <= 2 * SAMPLES + 4 * 4 + 2 * 5


def test_a_question_that_one_worker_gives_up_stops_none_of_them(tmp_path: Path) -> None:
    said = ended_by(tmp_path, lambda _process: None, limit="8", STEADY_FAILS_AT="3")
    assert said.startswith(
        "misstep: --model: steady/x: 2 questions have no answer: too long a question once; "
        "14 of 16 answers are kept in "
    )
    (run,) = (tmp_path / "logs").iterdir()
    assert (manifest.read(run).state, manifest.read(run).faults.left) == ("stopped", 2)
    assert manifest.read(run).faults.calls == {"refused": 2}
    assert len(go_on(tmp_path, "--limit", "8")) == 16
    assert len(called(tmp_path)) == 16 + 2


def ended_by(
    folder: Path, end: Callable[[subprocess.Popen[str]], None], limit: str = "24", **env: str
) -> str:
    """The last line that the run said, when something has ended it after its first calls."""
    before = len(called(folder))
    words = ("--workers", "2", "--limit", limit)
    with begun(folder, *words, **{"STEADY_SECONDS": "0.2", **env}) as process:
        if not env:
            wait_for(lambda: len(called(folder)) >= before + 8)
        end(process)
        _, err = process.communicate(timeout=120)
    if process.returncode != -signal.SIGKILL:
        assert process.returncode == 1
        assert err.strip().endswith("the same command goes on from there")
    return err.strip().splitlines()[-1] if err.strip() else ""


def _is_alive(pid: str) -> bool:
    """A zombie, which nobody has waited for, is not."""
    path = Path(f"/proc/{pid}/stat")
    return path.exists() and path.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(
    ("settings", "workers", "said"),
    [
        ({}, 0, "--workers: 0 is not between 1 and 256"),
        ({"sequential": True}, 2, "--workers: --sequential looks at every group"),
        ({"sequential": True, "shard": "1/2"}, 1, "--shard: 1/2: --sequential looks at every"),
    ],
)
def test_what_workers_and_shards_can_t_keep_is_refused(
    tmp_path: Path,
    settings: dict[str, Any],  # Any: settings of a run
    workers: int,
    said: str,
) -> None:
    with pytest.raises(BadInput, match=f"^{said}"):
        misstep.run("grammar", "ref/acs", workers=workers, log_dir=tmp_path, **settings)
    assert not list(tmp_path.iterdir())


def test_a_budget_is_of_the_whole_run_and_a_shard_has_its_part(tmp_path: Path) -> None:
    asked = misstep.request("grammar", "ref/acs", shard="2/4", budget=6.0, log_dir=tmp_path)
    assert asked.till is not None
    assert asked.till.purse.budget == 1.5


def test_a_model_inside_the_process_is_refused(tmp_path: Path) -> None:
    made = plan(Request(FAMILY, "oracle/x", log_dir=tmp_path))
    inside = replace(made, manifest=replace(made.manifest, model="embedded/some"))
    with pytest.raises(BadInput, match=r"^--workers: embedded/some runs inside the process"):
        crew.check(inside, 2)
    crew.check(inside, 1)
    serving = replace(made, manifest=replace(made.manifest, model="vllm/some"))
    with pytest.raises(BadInput, match="would start a server in each worker"):
        crew.check(serving, 2)


def test_a_shard_of_a_run_is_shared_by_workers_too_and_from_python(tmp_path: Path) -> None:
    heard: list[Record] = []
    done = misstep.run(
        "grammar", "ref/acs", shard="2/2", workers=2, listener=heard.append, limit=24,
        log_dir=tmp_path,
    )  # fmt: skip
    assert done.manifest.shard == "2/2"
    assert len(heard) == SAMPLES // 2
    # Those of a run are known to be a run's; what is heard, one by one, is not.
    records = [replace(record, first_arm=None) for record in timeless(done.records)]
    assert sorted(map(repr, timeless(heard))) == sorted(map(repr, records))
    alone = misstep.run("grammar", "ref/acs", shard="2/2", limit=24, log_dir=tmp_path / "alone")
    assert timeless(alone.records) == timeless(done.records)
