"""Client libraries of other providers stay unloaded in a run, and are there for who uses them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from misstep.runner.unused import left_unloaded

RUN = """
import sys, misstep
done = misstep.run("grammar", "ref/bigram-rule", limit=2, arms=["direct"], log_dir=sys.argv[1])
assert len(done.records) == 2, done.records
print(sorted({"anthropic", "openai"} & set(sys.modules)))
from inspect_ai import eval as eval_task
(log,) = eval_task(
    "misstep/grammar", model="ref/bigram-rule", task_args={"limit_items": 2, "arms": "direct"},
    log_dir=sys.argv[1], display="none",
)
assert log.status == "success", log.error
print(sorted({"anthropic", "openai"} & set(sys.modules)))
"""


def test_a_run_loads_no_library_of_another_provider(tmp_path: object) -> None:
    """And the runner by itself, in the same process, does as it always does."""
    told = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines() == ["[]", "['anthropic', 'openai']"]


@pytest.mark.parametrize("library", ["anthropic", "openai"])
def test_a_loaded_library_is_cleared_before_each_sample_as_ever(library: str) -> None:
    import_module(library)
    runners = import_module("inspect_ai.model._assistant_internal")
    with left_unloaded():
        assert getattr(runners, f"_HAS_{library.upper()}")
    assert getattr(runners, f"_HAS_{library.upper()}")
