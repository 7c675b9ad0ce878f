"""`make study-load`: hundreds of participants at once against the study's server, and its kill.

`python bench/study_load.py [--people N] [--family F] [--on sqlite|postgresql]`. All participants
are under way at the same time; each gives an answer 1 to 3 seconds after its screen came, evenly
drawn, which is several times faster than people are. The server, its database and the participants
share this machine. On each database the study is run through once; then again, with the server
killed (`kill -9`) when about half of the answers are in, and started anew on the same database.

Exits with 1 where an answer that was confirmed isn't in the database exactly once, where somebody
did not come to the end, or where replies are slower than stated: median 100 ms, 99 % 500 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from subprocess import Popen
from urllib.parse import urlsplit

import pytest
from lean_robots import FirstFit, LeanWire
from rich.console import Console
from rich.table import Table

from misstep.core.seeds import stream
from misstep.study.course.file import default_study
from misstep.study.course.nouns import Ending, Study
from misstep.study.robots.crowd import Robot, crowd
from misstep.study.robots.running import ANSWERING, Result, Walked, lost
from misstep.study.robots.serving import address_of, start
from misstep.study.robots.telling import percentile
from misstep.study.robots.walking import Pace, walk
from misstep.study.robots.wire import Patient

PEOPLE, THINK = 300, (1.0, 3.0)
MOST_MEDIAN_MS, MOST_P99_MS = 100, 500
DATABASES = ("sqlite", "postgresql")
_MEANINGS = """\
median, 99 %, most: until an answer is confirmed; entering: 99 % of those; CPU: processor time of
the server for an answer; lag: 99 % of how late the participants' own process was; away: until the
next server answers"""
_SUPPORT = Path(__file__).parents[1] / "tests" / "support"


@dataclass
class Server:
    """One process after another on one port and one database; `cpu` is the processor time of all
    of them, in seconds, from when they answered; `away` how long the last one took to get there."""

    words: tuple[str, ...]
    database: str
    port: int = 0
    address: str = ""
    cpu: float = 0.0
    process: Popen[str] | None = None
    away: float = 0.0

    def start(self) -> None:
        began = time.monotonic()
        self.process = start(self.words, self.database, self.port)
        self.address = address_of(self.process)
        self.port = urlsplit(self.address).port or 0
        self.away = time.monotonic() - began
        self.cpu -= _cpu(self.process.pid)

    def kill(self) -> None:
        """As a cut of the power does to a process: nothing is said or closed."""
        assert self.process is not None
        self.cpu += _cpu(self.process.pid)
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        self.cpu += _cpu(self.process.pid)
        self.process.terminate()
        self.process.wait(30)


@dataclass
class Load:
    """What was measured; `lags` is how late the participants' own process was, in ms: that much of
    a reply's time is theirs."""

    took: list[float] = field(default_factory=list)
    entering: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    seconds: float = 0.0
    own_cpu: float = 0.0
    more: asyncio.Event = field(default_factory=asyncio.Event)

    async def reaches(self, count: int) -> None:
        """Returns when so many answers are in."""
        while len(self.took) < count:
            self.more.clear()
            await self.more.wait()

    def note(self, path: str, ms: float) -> None:
        if path == ANSWERING:
            self.took.append(ms)
            self.more.set()
        elif path == "/api/enter":
            self.entering.append(ms)


@dataclass(frozen=True)
class Row:
    """Of one run through the study."""

    kind: str
    is_killed: bool
    load: Load
    server: Server
    result: Result
    lost: int

    @property
    def name(self) -> str:
        return f"{self.kind}, killed" if self.is_killed else self.kind

    @property
    def complete(self) -> int:
        return sum(one.way.ending == Ending.COMPLETE for one in self.result.walked)

    @property
    def answers(self) -> int:
        return sum(len(one.way.onces) for one in self.result.walked)

    def faults(self) -> Iterator[str]:
        """Times are of a server that isn't killed."""
        if self.lost:
            yield f"{self.name}: {self.lost} confirmed answers are not there exactly once"
        if self.complete < len(self.result.walked):
            yield f"{self.name}: {len(self.result.walked) - self.complete} did not come to the end"
        if not self.is_killed and median(self.load.took) >= MOST_MEDIAN_MS:
            yield f"{self.name}: the median reply takes {MOST_MEDIAN_MS} ms or more"
        if not self.is_killed and percentile(self.load.took, 0.99) >= MOST_P99_MS:
            yield f"{self.name}: 1 % of the replies take {MOST_P99_MS} ms or more"


def main() -> int:
    args = _parser().parse_args()
    study = default_study(args.family, args.people)
    words = ("--family", args.family, "--people", str(args.people))
    rows = list[Row]()
    for kind in args.on or DATABASES:
        try:
            rows += _runs(kind, study, words)
        except pytest.skip.Exception as missing:
            print(f"{kind}: not measured: {missing}")
    faults = [fault for row in rows for fault in row.faults()]
    Console(width=110).print(_table(rows))
    print(_MEANINGS)
    print(f"load of the machine in the last minute: {os.getloadavg()[0]:.1f}")
    for fault in faults:
        print(f"FAILED: {fault}")
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--family", default="grammar")
    parser.add_argument("--on", action="append", choices=DATABASES, help="[default: both]")
    return parser


def _runs(kind: str, study: Study, words: tuple[str, ...]) -> list[Row]:
    with _databases(kind) as databases:
        return [
            _run(kind, study, Server(words, next(databases)), is_killed=is_killed)
            for is_killed in (False, True)
        ]


@contextmanager
def _databases(kind: str) -> Iterator[Iterator[str]]:
    """New empty ones, as many as are asked for."""
    with tempfile.TemporaryDirectory(prefix="misstep-load-") as folder:
        if kind == "sqlite":
            yield (f"{folder}/{number}.db" for number in range(100))
            return
        sys.path.insert(0, str(_SUPPORT))
        from postgres import postgres

        with postgres() as server:
            yield (server.made(f"load{number}") for number in range(100))


def _run(kind: str, study: Study, server: Server, *, is_killed: bool) -> Row:
    server.start()
    try:
        result, load = asyncio.run(_loaded(study, server, is_killed=is_killed))
    finally:
        server.stop()
    gone = len(lost(study, server.database, result))
    return Row(kind, is_killed, load, server, result, gone)


async def _loaded(study: Study, server: Server, *, is_killed: bool) -> tuple[Result, Load]:
    load, robots = Load(), crowd(study.people, 0, {}, {})
    began, cpu = time.monotonic(), time.process_time()
    watching = asyncio.create_task(_watch(load))
    killing = asyncio.create_task(_kill(load, study, server)) if is_killed else None
    walked = await asyncio.gather(*(_one(robot, server.port, load) for robot in robots))
    watching.cancel()
    if killing is not None:
        await killing
    load.seconds, load.own_cpu = time.monotonic() - began, time.process_time() - cpu
    return Result(tuple(walked)), load


async def _one(robot: Robot, port: int, load: Load) -> Walked:
    chance = stream("study-load", 1, robot.seed, robot.number)
    least, most = THINK

    def think() -> float:
        return least + (most - least) * chance.uniform()

    await asyncio.sleep(think() - least)
    wire = LeanWire("127.0.0.1", port)
    try:
        patient = Patient(wire, load.note)
        way = await walk(patient, robot, FirstFit(), Pace(think=think), asyncio.Lock())
    finally:
        await wire.close()
    return Walked(robot, way, robot.number, ())


async def _watch(load: Load) -> None:
    step = 0.02
    while True:
        began = time.perf_counter()
        await asyncio.sleep(step)
        load.lags.append(1000 * (time.perf_counter() - began - step))


async def _kill(load: Load, study: Study, server: Server) -> None:
    """After as many answers as there are trials: others follow."""
    await load.reaches(study.people * sum(block.items for block in study.blocks))
    server.kill()
    await asyncio.to_thread(server.start)


def _cpu(pid: int) -> float:
    """Processor seconds of a process so far (proc(5))."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _table(rows: list[Row]) -> Table:
    heads = ("run", "people", "answers", "lost", "/s", "median", "99 %", "most")
    table = Table(*heads, "entering", "CPU", "lag", "away", box=None, pad_edge=False)
    for row in rows:
        table.add_row(*_cells(row))
    return table


def _cells(row: Row) -> Iterator[str]:
    load, people = row.load, len(row.result.walked)
    yield row.name
    yield f"{row.complete}/{people}"
    yield f"{row.answers}"
    yield f"{row.lost}"
    yield f"{row.answers / load.seconds:.0f}"
    yield f"{median(load.took):.0f} ms"
    yield f"{percentile(load.took, 0.99):.0f} ms"
    yield f"{max(load.took):.0f} ms"
    yield f"{percentile(load.entering, 0.99):.0f} ms"
    yield f"{1000 * row.server.cpu / row.answers:.1f} ms"
    yield f"{percentile(load.lags, 0.99):.0f} ms"
    yield f"{row.server.away:.0f} s" if row.is_killed else ""


if __name__ == "__main__":
    sys.exit(main())
