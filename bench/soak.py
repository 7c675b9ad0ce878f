"""`make soak`: `kill -9` at random moments, over every family and strategy; is anything lost?

`python bench/soak.py [--kills 50] [--seed 0] [--only WORD] [--folder DIR]`. Each case is asked once
undisturbed. Then the same command is started, killed, and started again, until its share of the
kills is used up and it comes to its end. The records of both must be equal but for times, the
journals hold the same questions with the same answers, each once, and the calls made in all must be
no more than one for each question and those in flight at a kill. Exits with 1 where that fails.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.table import Table

from misstep.core.records import Record
from misstep.core.seeds import Chance, stream
from misstep.runner.journal import lines_of
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.run import JOURNAL

SUPPORT = Path(__file__).parents[1] / "tests" / "support"
CONNECTIONS = 2
"""Of the provider, in each process: what may be in flight at a kill."""
_LONGEST = 300.0
_BUSY = "another process is working on this run"


@dataclass(frozen=True)
class Case:
    """A command, without its folder, and with how many processes it asks."""

    family: str
    strategy: str
    words: tuple[str, ...]
    workers: int = 1
    seconds: float = 0.02


@dataclass(frozen=True)
class Row:
    """What became of a case: `repeated` are calls beyond the first of each question."""

    case: Case
    kills: int
    calls: int
    repeated: int
    most: int
    fault: str | None


def _run(family: str, arms: str, limit: int, *further: str, workers: int = 1) -> Case:
    words = ("run", family, "--model", "steady/x", "--preflight", "no", "--arms", arms)
    many = ("--workers", str(workers)) if workers > 1 else ()
    strategy = " ".join([arms, *[one for one in further if one != "-T"], *many])
    return Case(family, strategy, (*words, "--limit", str(limit), *further, *many), workers)


def cases(table: Path) -> list[Case]:
    """Every family, every strategy, and every way of sharing a run; `table`: questions for ab."""
    ab = ("ab", str(table), "--model", "steady/x", "--preflight", "no", "--scorer", "contains")
    return [
        _run("grammar", "direct,cot", 40),
        _run("grammar", "tot", 8),
        _run("grammar", "direct,self-consistency:5", 10),
        _run("grammar", "cot+vote3", 12),
        _run("grammar", "think:none,think:high", 30),
        _run("grammar", "direct,cot", 20, "--repeat", "3"),
        _run("grammar", "direct,cot", 60, workers=2),
        _run("grammar", "direct,cot", 60, "--shard", "1/2"),
        _run("grammar", "direct,cot", 40, "--shard", "2/2", workers=2),
        _run("grammar", "direct,cot", 40, "--sequential"),
        _run("faces", "direct,cot", 12),
        _run("vehicles", "direct,explain", 2, "-T", "mapping=paper"),
        _run("vehicles", "cot+vote3", 1, "-T", "mapping=paper"),
        _run("inconsistency", "direct,judge-then-explain", 40),
        _run("cups", "direct,cot", 20),
        _run("apartments", "direct,cot", 10),
        _run("apartments", "n-back", 6),
        _run("planbench", "direct,cot", 24),
        _run("planbench", "feedback", 12),
        _run("planbench", "tot:2", 8),
        _run("planbench", "direct", 40, workers=2),
        Case("ab", "think:none,think:medium", ab),
        Case("ab", "direct,cot --repeat 2", (*ab, "--arms", "direct,cot", "--repeat", "2")),
    ]


def _started(case: Case, folder: Path) -> int:
    """The case's command in a process of its own, forked, as importing takes seconds."""
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    out = os.open(folder / "said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.environ |= {
        "STEADY_CALLS": str(folder / "calls"),
        "STEADY_SECONDS": str(case.seconds),
        "COLUMNS": "80",
    }
    from misstep.cli import main

    sys.argv = ["misstep", *case.words, "--log-dir", str(folder / "logs")]
    code = 1
    try:
        main()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # No process of ours goes on from here in the place of its parent.
        os._exit(code)


def calls(folder: Path) -> int:
    path = folder / "calls"
    return len(path.read_bytes().splitlines()) if path.exists() else 0


def _ended(pid: int) -> int | None:
    """Its exit code, if it has ended."""
    done, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if done else None


def finish(case: Case, folder: Path) -> str | None:
    """Run the command to its end; what it said where that is no success."""
    deadline = time.monotonic() + _LONGEST
    while time.monotonic() < deadline:
        pid = _started(case, folder)
        while (code := _ended(pid)) is None:
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)
        said = (folder / "said").read_text(errors="replace").strip()
        if _BUSY not in said:
            return None if code == 0 else f"exit code {code}: {said[-300:]}"
        time.sleep(0.5)
    return "workers of a killed run never ended"


def kill_once(case: Case, folder: Path, in_all: int, moment: float) -> bool:
    """Start the command, and kill it when this part of what is left to ask has been asked.

    From 1 on all is asked: then so many seconds later, while logs are closed and put together.
    False where it had ended before.
    """
    before = calls(folder)
    wanted = before + int((in_all - before) * min(moment, 1.0))
    pid = _started(case, folder)
    deadline = time.monotonic() + _LONGEST
    while calls(folder) < wanted and time.monotonic() < deadline:
        if _ended(pid) is not None:
            return False
        time.sleep(0.002)
    time.sleep(max(0.0, moment - 1.0) + 0.03 * (moment * 1000 % 1))
    if _ended(pid) is not None:
        return False
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return True


def answers(folder: Path) -> dict[str, str]:
    """The journal's replies by question, without times; a question twice is named so."""
    found: dict[str, str] = {}
    for path in sorted((folder / "logs").rglob(JOURNAL)):
        for line in lines_of(path):
            if "key" in line:
                twice = "twice " if line["key"] in found else ""
                said = json.loads(line["reply"])["choices"][0]["message"]["content"]
                found[line["key"]] = twice + json.dumps(said)
    return found


def records(folder: Path) -> list[str]:
    """In one order: a run with workers has the order of its parts."""
    found: list[Record] = read_records(log_files([folder / "logs"]))
    return sorted(repr(replace(one, seconds=None)) for one in found)


def soak(case: Case, folder: Path, kills: int, dice: Chance) -> Row:
    """The case undisturbed, then killed so often; the fault is None where all is equal."""
    quiet, killed = folder / "quiet", folder / "killed"
    for place in (quiet, killed):
        place.mkdir(parents=True)
    fault = finish(case, quiet)
    if fault is not None:
        return Row(case, 0, calls(quiet), 0, 0, fault)
    in_all, done = calls(quiet), 0
    for _ in range(kills):
        done += kill_once(case, killed, in_all, dice.below(1200) / 1000)
    fault = finish(case, killed)
    repeated = calls(killed) - in_all
    most = done * CONNECTIONS * case.workers
    return Row(
        case, done, calls(killed), repeated, most, fault or _unlike(quiet, killed, repeated, most)
    )


def _unlike(quiet: Path, killed: Path, repeated: int, most: int) -> str | None:
    if records(quiet) != records(killed):
        return "other records"
    if answers(quiet) != answers(killed):
        return "another journal"
    if not 0 <= repeated <= most:
        return f"{repeated} calls repeated"
    return None


def table_of(rows: Sequence[Row]) -> Table:
    table = Table(title="kill -9 at random moments")
    for name in ("family", "strategy"):
        table.add_column(name)
    for name in ("kills", "calls", "repeated", "in flight at most"):
        table.add_column(name, justify="right")
    table.add_column("equal")
    for row in rows:
        numbers = (row.kills, row.calls, row.repeated, row.most)
        equal = "yes" if row.fault is None else row.fault
        table.add_row(row.case.family, row.case.strategy, *map(str, numbers), equal)
    sums = (
        sum(column)
        for column in zip(*[(r.kills, r.calls, r.repeated, r.most) for r in rows], strict=True)
    )
    table.add_section()
    table.add_row(
        "all", "", *map(str, sums), f"{sum(r.fault is None for r in rows)} of {len(rows)}"
    )
    return table


def write_questions(path: Path) -> None:
    lines = [f"Is {n} more than {n % 7}?,{'Yes' if n > n % 7 else 'No'}" for n in range(40)]
    path.write_text("question,answer\n" + "\n".join(lines) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="cases with this word")
    parser.add_argument("--folder", type=Path, help="keep the runs there")
    asked = parser.parse_args()
    sys.path.insert(0, str(SUPPORT))
    # What the forked processes need is imported once: the provider, which answers alike in all.
    for name in (
        "steady",
        "misstep.cli.running.working",
        "misstep.analyse",
        "misstep.runner.own.planning",
    ):
        import_module(name)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        write_questions(folder / "questions.csv")
        chosen = [
            one
            for one in cases(folder / "questions.csv")
            if asked.only in f"{one.family} {one.strategy}"
        ]
        for number, case in enumerate(chosen):
            share = asked.kills * (number + 1) // len(chosen) - asked.kills * number // len(chosen)
            dice = stream("soak", 1, asked.seed, number)
            rows.append(soak(case, folder / str(number), share, dice))
            row = rows[-1]
            print(case.family, case.strategy, row.kills, row.repeated, row.fault, file=sys.stderr)
    Console(width=120).print(table_of(rows))
    return 0 if all(row.fault is None for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
