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


def test_a_library_that_is_loaded_meanwhile_is_cleared_from_then_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the scorer of somebody's own task, say."""
    loaded = import_module("anthropic")
    monkeypatch.delitem(sys.modules, "anthropic")
    runners = import_module("inspect_ai.model._assistant_internal")
    with left_unloaded():
        assert not getattr(runners, "_HAS_ANTHROPIC")  # noqa: B009 (the runner's own name)
        monkeypatch.setitem(sys.modules, "anthropic", loaded)
        assert getattr(runners, "_HAS_ANTHROPIC")  # noqa: B009 (likewise)


def test_where_the_runner_has_no_such_notes_all_is_as_it_would_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runners = import_module("inspect_ai.model._assistant_internal")
    monkeypatch.delattr(runners, "_HAS_OPENAI")
    with left_unloaded():
        assert not hasattr(runners, "_HAS_OPENAI")
    monkeypatch.setitem(sys.modules, "inspect_ai.model._assistant_internal", None)
    with left_unloaded():
        pass


@pytest.mark.parametrize("library", ["anthropic", "openai"])
def test_a_loaded_library_is_cleared_before_each_sample_as_ever(library: str) -> None:
    import_module(library)
    runners = import_module("inspect_ai.model._assistant_internal")
    with left_unloaded():
        assert getattr(runners, f"_HAS_{library.upper()}")
    assert getattr(runners, f"_HAS_{library.upper()}")
