"""`python bench/faults.py`: thousands of questions to a server that fails, and what it took.

`[--samples 5000] [--share 0.2] [--seed 0] [--folder DIR]`. The server (tests/support/faulty.py)
speaks like OpenAI's, so that the provider's own client and the runner are what is tried. First the
questions are asked of a server without faults; then of one that fails, whose model disappears after
half of them and is back when the same command is given again. Exits with 1 where a question has no
answer, was paid for twice, or has another record than without faults.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from misstep.core.faults import Fault, Faults, duration
from misstep.runner import manifest
from misstep.runner.logged.logs import log_files, read_records

if TYPE_CHECKING:
    from faulty import Faulty

SUPPORT = Path(__file__).parents[1] / "tests" / "support"
_TIMEOUT = 4
"""Seconds after which a call counts as failed; the server's slow answers take far less."""


@dataclass(frozen=True)
class Found:
    """What became of the run: the last line of its first process, its records, and its faults."""

    first: str
    records: list[str]
    outcomes: Counter[str]
    faults: Faults
    seconds: float


def run(address: str, folder: Path, samples: int) -> tuple[int, str]:
    """The command, its exit code, and the last line it said on standard error."""
    command = [sys.executable, "-m", "misstep", "run", "grammar", "--model", "openai-api/faulty/m"]
    words = [
        "-M", f"base_url={address}", "-M", "api_key=none", "--limit", str(samples // 2),
        "--attempt-timeout", str(_TIMEOUT), "--log-dir", str(folder), "--preflight", "no", "--json",
    ]  # fmt: skip
    done = subprocess.run(
        [*command, *words], capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"}
    )
    return done.returncode, (done.stderr.strip().splitlines() or [""])[-1]


def found(folder: Path, first: str, began: float) -> Found:
    files = log_files([folder])
    records = read_records(files)
    outcomes = Counter(
        "refused by a content filter" if one.stop_reason == "content_filter" else one.outcome.value
        for one in records
    )
    kept = sorted(repr(replace(one, seconds=None)) for one in records)
    faults = manifest.read(files[0].parent).faults
    return Found(first, kept, outcomes, faults, time.monotonic() - began)


def asked(server: Faulty, folder: Path, samples: int) -> Found:
    """Asked, and asked once more with the model back where the first process failed."""
    from faulty import serving

    began = time.monotonic()
    with serving(server) as address:
        code, said = run(address, folder, samples)
        first = said if code else ""
        server.gone_after = None
        if code:
            code, said = run(address, folder, samples)
        if code:
            raise SystemExit(f"the second process ended with {code}: {said}")
    return found(folder, first, began)


def faults_table(server: Faulty, result: Found) -> Table:
    table = Table(title="What the server did, and what the run counted", show_header=False)
    for met, count in sorted(server.met.items()):
        table.add_row(f"server: {'answered at once' if met == 'none' else met}", f"{count:,}")
    table.add_section()
    for fault in Fault:
        table.add_row(f"run: {fault.words}", f"{result.faults.calls.get(fault, 0):,}")
    table.add_row("run: waited over all questions", duration(result.faults.waited))
    table.add_row("run: from start to end", duration(result.seconds))
    table.add_section()
    for outcome, count in result.outcomes.most_common():
        table.add_row(f"records: {outcome}", f"{count:,}")
    table.add_section()
    table.add_row("calls", f"{server.tries.total():,}")
    table.add_row("questions answered", f"{len(server.answered):,}")
    table.add_row("questions paid for twice", f"{server.paid_twice:,}")
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=5_000)
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="keep the runs there")
    words = parser.parse_args()
    sys.path.insert(0, str(SUPPORT))
    from faulty import ODD, Faulty

    with tempfile.TemporaryDirectory() as temporary:
        folder = words.folder or Path(temporary)
        calm = Faulty(words.share, words.seed, kinds=ODD)
        quiet = asked(calm, folder / "quiet", words.samples)
        server = Faulty(words.share, words.seed, gone_after=words.samples // 2)
        result = asked(server, folder / "faults", words.samples)
    console = Console(width=100)
    console.print(faults_table(server, result))
    console.print(f"first process: {result.first}", highlight=False)
    is_equal = result.records == quiet.records
    console.print(f"records equal to those without faults, but for times: {is_equal}")
    is_complete = len(server.answered) == len(result.records) == words.samples
    return 0 if is_equal and is_complete and not server.paid_twice else 1


if __name__ == "__main__":
    sys.exit(main())
