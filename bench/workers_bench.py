"""Samples a second with an instant provider: two workers of ours against `inspect eval`.

Both are commands of their own, from start to end, on the same task with the same samples; theirs
has its defaults. They take turns, so that both suffer alike from whatever else the machine does.
`python workers_bench.py ours|theirs SAMPLES FOLDER` is one of them, and
`python workers_bench.py SAMPLES [ROUNDS]` prints the rows.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass

from figures import Figure

WORKERS = 2


@dataclass(frozen=True)
class Took:
    """Seconds of a command: by the clock, and of the processor in all its processes."""

    wall: float
    cpu: float


def workers_rows(samples: int, rounds: int = 1) -> list[Figure]:
    """By the clock, and what two idle cores would make of the processor time."""
    ours: list[Took] = []
    theirs: list[Took] = []
    for _ in range(rounds):
        theirs.append(_took("theirs", samples))
        ours.append(_took("ours", samples))
    both, other = _total(ours), _total(theirs)
    return [
        _clock_row(samples, both.wall / rounds, other.wall / rounds),
        _cpu_row(samples, both.cpu / rounds, other.cpu / rounds),
    ]


def _total(took: Iterable[Took]) -> Took:
    listed = list(took)
    return Took(sum(one.wall for one in listed), sum(one.cpu for one in listed))


def _clock_row(samples: int, ours: float, theirs: float) -> Figure:
    what = f"a run of {samples}: {WORKERS} workers / inspect eval"
    return Figure(what, f"{samples / ours:.0f} /s", f"{samples / theirs:.0f} /s", theirs / ours)


def _cpu_row(samples: int, ours: float, theirs: float) -> Figure:
    """Two processes scale and one does not: theirs has one core, ours both."""
    what = f"the same, {WORKERS} idle cores, by processor time a sample"
    own, other = 1000 * ours / samples, 1000 * theirs / samples
    return Figure(what, f"{own:.1f} ms", f"{other:.1f} ms", WORKERS * other / own)


def _took(which: str, samples: int) -> Took:
    with tempfile.TemporaryDirectory() as folder:
        began, before = time.monotonic(), _cpu()
        subprocess.run([sys.executable, __file__, which, str(samples), folder], check=True)
        return Took(time.monotonic() - began, _cpu() - before)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _ours(samples: int, folder: str) -> None:
    import misstep

    done = misstep.run("grammar", "instant/x", limit=samples // 2, log_dir=folder, workers=WORKERS)
    assert len(done.records) == samples


def _theirs(samples: int, folder: str) -> None:
    from inspect_ai import eval as eval_task

    (log,) = eval_task(
        "misstep/grammar",
        model="instant/x",
        task_args={"limit_items": samples // 2},
        log_dir=folder,
        display="none",
    )
    assert log.results is not None
    assert log.results.completed_samples == samples


def main() -> None:
    if sys.argv[1].isdecimal():
        rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1
        for figure in workers_rows(int(sys.argv[1]), rounds):
            print("  ".join(figure.cells), flush=True)
        return
    __import__("harness_bench")  # makes the provider known
    {"ours": _ours, "theirs": _theirs}[sys.argv[1]](int(sys.argv[2]), sys.argv[3])


if __name__ == "__main__":
    main()
