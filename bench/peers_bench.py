"""What a sample costs beside lm-evaluation-harness, where one is installed.

Its many dependencies are none of ours: name a Python that has it by MISSTEP_BENCH_LM_EVAL.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from figures import Better, Figure
from harness_bench import cpu, own_run

import misstep

PYTHON = "MISSTEP_BENCH_LM_EVAL"
_WHAT = "a sample: ours / lm-evaluation-harness"


def peers_rows(samples: int) -> list[Figure]:
    """The same questions, an instant model, processor time of one process each."""
    python = os.environ.get(PYTHON) or (sys.executable if find_spec("lm_eval") else None)
    if python is None:
        return [Figure(_WHAT, "", f"not installed; {PYTHON}=PYTHON")]
    with tempfile.TemporaryDirectory() as folder:
        theirs = _lm_eval(python, samples, Path(folder)) / samples
        ours = cpu(lambda: own_run(samples, Path(folder) / "own")) / samples
    shown = f"{1000 * ours:.1f} ms", f"{1000 * theirs:.1f} ms"
    return [Figure(_WHAT, *shown, ours / theirs, Better.LESS)]


def _lm_eval(python: str, samples: int, folder: Path) -> float:
    rows = misstep.items("grammar", limit=samples // 2)
    asked = [json.dumps({"prompt": row["prompt"], "truth": row["truth"]}) for row in rows]
    questions = folder / "questions.jsonl"
    questions.write_text("\n".join(asked) + "\n", encoding="utf-8")
    script = Path(__file__).with_name("lm_eval_peer.py")
    offline = {"HF_HOME": str(folder / "home"), "HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [python, str(script), str(questions)],
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout.split()[-1])
