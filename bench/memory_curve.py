"""Memory and time against the number of samples: `make memory`.

`python bench/memory_curve.py [--samples 1000,10000,50000,100000] [--workers 1,2] [--commands C,D]
[--out F]`. Each run is a command of its own, with a provider that answers at once; so is each
command that reads it. Peaks are those of the largest process and of all processes together, and
processor time is that of all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

_HERE = Path(__file__).parent
_EVERY = 0.1
"""Seconds between two looks at the processes."""
_READERS = ("compare", "records", "report", "regrade")


@dataclass
class Peaks:
    """Megabytes: of the largest process, and the most that all held at one moment."""

    largest: float = 0.0
    together: float = 0.0


@dataclass(frozen=True)
class Point:
    """One command at one size."""

    command: str
    samples: int
    largest_mb: float
    together_mb: float
    wall_seconds: float
    cpu_seconds: float

    @property
    def cells(self) -> tuple[str, ...]:
        return (
            self.command,
            f"{self.samples:,}",
            f"{self.largest_mb:,.0f}",
            f"{self.together_mb:,.0f}",
            f"{self.wall_seconds:,.1f}",
            f"{self.cpu_seconds:,.1f}",
            f"{1000 * self.cpu_seconds / self.samples:.2f}",
        )


_HEADS = ("command", "samples", "MB, largest", "MB, all", "s", "s of CPU", "ms of CPU a sample")


def curve(sizes: Sequence[int], workers: Sequence[int], readers: Sequence[str]) -> Iterator[Point]:
    """A run of each size and number of workers; the first of each size is read by the commands."""
    for samples in sizes:
        for place, number in enumerate(workers):
            with tempfile.TemporaryDirectory() as folder:
                yield measured(
                    f"run --workers {number}", samples, asking(samples, number, Path(folder))
                )
                for reader in readers if place == 0 else ():
                    yield measured(reader, samples, _reading(reader, Path(folder)))


def asking(samples: int, workers: int, folder: Path) -> list[str]:
    """The command line, with the provider of the bench made known."""
    words = ("run", "grammar", "--model", "instant/x", "--limit", str(samples // 2))
    return _misstep(*words, "--workers", str(workers), "--log-dir", str(folder / "logs"))


def _reading(command: str, folder: Path) -> list[str]:
    logs, out = str(folder / "logs"), {"records": "records.parquet", "report": "report.html"}
    further = ["--out", str(folder / out[command])] if command in out else []
    return _misstep(command, logs, *(["--dry-run"] if command == "regrade" else []), *further)


def _misstep(*words: str) -> list[str]:
    start = "import harness_bench, misstep.cli; misstep.cli.main()"
    return [sys.executable, "-c", start, *words]


def measured(command: str, samples: int, words: Sequence[str]) -> Point:
    """What a command took. Its children are counted in."""
    before, began = _cpu(), time.monotonic()
    process = subprocess.Popen(
        words, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(_HERE)}
    )
    with _watched(process.pid) as peaks:
        code = process.wait()
    seconds, spent = time.monotonic() - began, _cpu() - before
    if code not in (0, 3):
        raise SystemExit(f"{' '.join(words[2:])} ended with {code}")
    return Point(command, samples, peaks.largest, peaks.together, seconds, spent)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def _watched(pid: int) -> Iterator[Peaks]:
    peaks, is_over = Peaks(), threading.Event()

    def watch() -> None:
        while not is_over.wait(_EVERY):
            held = [_megabytes(one) for one in _family(pid)]
            peaks.largest = max([peaks.largest, *held])
            peaks.together = max(peaks.together, sum(held))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peaks
    finally:
        is_over.set()
        thread.join()


def _family(pid: int) -> list[int]:
    """The process and its children's children, as the kernel lists them."""
    found = [pid]
    for one in found:
        for path in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found.extend(map(int, path.read_text().split()))
            except OSError:
                continue
    return found


def _megabytes(pid: int) -> float:
    """Resident; pages that processes share are counted in each."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", default="1000,10000,50000,100000")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--commands", default=",".join(_READERS), help="that read the run")
    parser.add_argument("--out", type=Path, default=_HERE / "results" / "memory.json")
    args = parser.parse_args()
    sizes, workers = (list(map(int, one.split(","))) for one in (args.samples, args.workers))
    points: list[Point] = []
    for point in curve(sizes, workers, [one for one in args.commands.split(",") if one]):
        points.append(point)
        print("  ".join(point.cells), flush=True)
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps([asdict(one) for one in points], indent=2) + "\n")
    Console(width=100).print(_table(points))
    return 0


def _table(points: Sequence[Point]) -> Table:
    table = Table(*_HEADS, box=None, pad_edge=False)
    for point in points:
        table.add_row(*point.cells)
    return table


if __name__ == "__main__":
    sys.exit(main())
