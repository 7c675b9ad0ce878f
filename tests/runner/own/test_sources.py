"""Tasks by name and by file: found, or told in one line what is nearest."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ModelOutput
from inspect_ai.solver import generate

from misstep.core.errors import BadInput
from misstep.runner.own.sources import find_task
from misstep.runner.own.wrapping import OwnTask
from misstep.runner.run import Run
from recorder import Recorder, called, results, said

FILE = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import match

@task
def addition(level: int = 1) -> Task:
    return Task([Sample(input=f"{level} + {n}?", target="5") for n in range(3)], scorer=match())

@task
def subtraction() -> Task:
    return Task([Sample(input="7 - 4?", target="3")], scorer=match())
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_task.py"
    path.write_text(FILE)
    return path


def test_a_task_of_a_file_takes_arguments(file: Path) -> None:
    task = find_task(f"{file}@addition", {"level": 2})
    assert [sample.input for sample in task.dataset] == ["2 + 0?", "2 + 1?", "2 + 2?"]


@pytest.mark.parametrize(
    ("ending", "said_so"),
    [
        ("@adition", "has no task 'adition'; did you mean 'addition'"),
        ("@zzz", "it has addition, subtraction"),
        ("", r"holds 2 tasks \(addition, subtraction\); name one"),
    ],
)
def test_a_file_without_the_task_says_which_it_has(file: Path, ending: str, said_so: str) -> None:
    with pytest.raises(BadInput, match=said_so):
        find_task(f"{file}{ending}", {})


def test_what_cannot_be_found_names_the_nearest(file: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no such file; did you mean 'my_task.py'"):
        find_task(str(tmp_path / "my_tusk.py"), {})
    with pytest.raises(BadInput, match="did you mean 'misstep/grammar'"):
        find_task("misstep/gramar", {})
    with pytest.raises(BadInput, match="no installed package 'nobodys' has tasks"):
        find_task("nobodys/qqqqqq", {})
    (tmp_path / "empty.py").write_text("x = 1\n")
    with pytest.raises(BadInput, match="defines no task"):
        find_task(str(tmp_path / "empty.py"), {})


def test_a_task_that_fails_as_it_is_made_is_one_line(tmp_path: Path, file: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "from inspect_ai import task\n\n@task\ndef bad():\n    raise RuntimeError('a\\nb')\n"
    )
    with pytest.raises(BadInput, match="RuntimeError: a b"):
        find_task(f"{tmp_path}/bad.py@bad", {})


def test_a_task_without_scorer_or_with_an_id_twice_is_refused(
    wrapped: Callable[..., OwnTask],
) -> None:
    with pytest.raises(BadInput, match="has no scorer of its own; --scorer names one"):
        wrapped(Task([Sample(input="A?", target="5")], solver=generate()))
    twice = [Sample(id=1, input="A?", target="5"), Sample(id="1", input="B?", target="5")]
    with pytest.raises(BadInput, match="two samples have the id '1'"):
        wrapped(Task(twice, solver=generate()))
    with pytest.raises(BadInput, match="--group: sample 'a' has no 'team'"):
        wrapped(Task([Sample(id="a", input="A?", target="5")], solver=generate()), group="team")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # those of the package
def test_a_task_of_inspect_evals_with_tools_runs_in_both_arms(
    recorder: Recorder, wrapped: Callable[..., OwnTask], run: Callable[..., Run]
) -> None:
    """`agent_threat_bench` ships its data; of the package only what it needs is imported."""
    found = importlib.util.find_spec("inspect_evals")
    if found is None or not found.submodule_search_locations:
        pytest.skip("inspect_evals is not installed")
    file = Path(found.submodule_search_locations[0]) / "agent_threat_bench/agent_threat_bench.py"
    task = find_task(f"{file}@agent_threat_bench_memory_poison", {})

    def answer(messages: list[ChatMessage]) -> ModelOutput:
        return called("memory_read", key="x") if not results(messages) else said("I don't know.")

    recorder.answer = answer
    done = run(wrapped(task, limit=4, score="utility"))
    assert len(done.records) == 8
    assert {one.calls for one in done.records} == {2}
    none, low = (recorder.bodies("reasoning_effort", "max_tokens")[at::2] for at in (0, 1))
    assert none == low
