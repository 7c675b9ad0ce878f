"""Samples a second with an instant provider: two workers of ours against `inspect eval`.

Both are commands of their own, from start to end, on the same task with the same samples; theirs
has its defaults. `python workers_bench.py ours|theirs SAMPLES FOLDER` is one of them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORKERS = 2
_NAME = "a run of {samples}: {workers} workers / inspect eval"


def workers_rows(samples: int) -> list[tuple[str, str, str, str]]:
    """The rates of both, and the ratio; the target is 2.5 on two idle cores."""
    with tempfile.TemporaryDirectory() as folder:
        theirs = samples / _seconds("theirs", samples, f"{folder}/theirs")
        ours = samples / _seconds("ours", samples, f"{folder}/ours")
    name = _NAME.format(samples=samples, workers=WORKERS)
    return [(name, f"{ours:.0f} /s", f"{theirs:.0f} /s", f"{ours / theirs:.2f}")]


def _seconds(which: str, samples: int, folder: str) -> float:
    began = time.monotonic()
    subprocess.run([sys.executable, __file__, which, str(samples), folder], check=True)
    return time.monotonic() - began


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


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    __import__("harness_bench")  # makes the provider known
    {"ours": _ours, "theirs": _theirs}[sys.argv[1]](int(sys.argv[2]), sys.argv[3])
