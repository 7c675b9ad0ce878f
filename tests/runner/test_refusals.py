"""What a run refuses before the first call, and logs that hold nothing or belong to two runs."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from misstep.core.errors import BadInput, MisstepError
from misstep.runner import blocks
from misstep.runner.logged.logs import find_records, log_files, read_items, read_records
from misstep.runner.run import Request, Run, Stopped, carry_out, plan
from misstep.runner.task import arm_names
from oracle import FAMILY, Oracle

Make = Callable[..., Request]


def run(request: Request) -> Run:
    return carry_out(plan(request))


def read_all(files: list[Path]) -> None:
    read_items(find_records(files), lambda _name: FAMILY)


def stop_at_once(oracle: Oracle, request: Request) -> None:
    """Leaves a log in which no sample is finished."""
    oracle.answer = lambda words: RuntimeError("no")
    with pytest.raises(MisstepError):
        run(request)
    oracle.answer = lambda words: "Yes"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"limit": 10**26}, "--limit: 1000+ is above 1000000"),
        ({"repeat": 10**11}, "--repeat: 100000000000 is above 1000"),
        ({"temperature": float("nan")}, "--temperature: nan"),
        ({"temperature": float("inf")}, "--temperature: inf"),
        ({"model": ""}, "--model: '' should be PROVIDER/MODEL"),
    ],
)
def test_numbers_that_no_run_can_mean_are_refused(
    request_for: Make, settings: dict[str, object], words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        plan(request_for(**settings))


def test_a_server_of_this_machine_that_is_not_there_is_one_line(request_for: Make) -> None:
    pytest.importorskip("openai")  # the package that speaks to such servers
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    request = request_for(model="ollama/x", model_args={"base_url": address})
    with pytest.raises(BadInput, match=f"--model: ollama/x: no server answers at {address}"):
        plan(request)
    assert not request.log_dir.exists()


def test_a_run_stopped_before_the_runner_has_a_log_says_where_it_stands(
    request_for: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the runner gives when Ctrl-C meets it between its start and its first call.
    monkeypatch.setattr(blocks, "eval_task", lambda *_args, **_settings: [])
    with pytest.raises(Stopped, match="stopped at answer 0 of 12; all 0 replies so far are kept"):
        run(request_for())


def test_the_replies_of_earlier_processes_count_as_kept(
    oracle: Oracle, request_for: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(request_for())
    monkeypatch.setattr(blocks, "eval_task", lambda *_args, **_settings: [])
    with pytest.raises(Stopped, match="all 12 replies so far are kept"):
        run(request_for())


def test_a_log_without_a_finished_sample_is_named(oracle: Oracle, request_for: Make) -> None:
    request = request_for()
    stop_at_once(oracle, request)
    with pytest.raises(BadInput, match=r"\.eval: the log is empty"):
        read_records(log_files([request.log_dir]))


def test_a_run_stopped_at_once_does_not_hide_the_others(oracle: Oracle, request_for: Make) -> None:
    stop_at_once(oracle, request_for(model="oracle/y"))
    run(request_for())
    records = read_records(log_files([request_for().log_dir]))
    assert {record.who for record in records} == {"oracle/x"}
    assert len(records) == 12


def test_two_runs_that_asked_one_model_the_same_items_are_both_named(
    oracle: Oracle, request_for: Make
) -> None:
    first, second = run(request_for()), run(request_for(max_tokens=7))
    with pytest.raises(BadInput) as refusal:
        read_records(log_files([request_for().log_dir]))
    assert str(first.folder) in str(refusal.value)
    assert str(second.folder) in str(refusal.value)


def test_bad_input_found_by_the_provider_is_told_in_its_own_words(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = lambda words: BadInput('x.gguf: "it" can\'t be loaded')
    with pytest.raises(BadInput, match=r'oracle/x: x\.gguf: "it" can.t be loaded; 0 of'):
        run(request_for())


@pytest.mark.parametrize("line", ['{"begun": [1]}', '{"key": "x", "reply": 5}', "[" * 100_000])
def test_a_strange_line_of_a_journal_is_named(request_for: Make, line: str) -> None:
    request = request_for()
    folder = request.log_dir / plan(request).manifest.folder_name
    folder.mkdir(parents=True)
    (folder / "journal.jsonl").write_text(line + "\n")
    with pytest.raises(BadInput, match=r"journal\.jsonl: line 1 is no line of a journal"):
        run(request)


@pytest.mark.parametrize(
    ("field", "value"), [("truth", None), ("payload", {"x": 1}), ("version", "one")]
)
def test_a_damaged_sample_is_named(
    oracle: Oracle, request_for: Make, field: str, value: object
) -> None:
    (log,) = run(request_for()).folder.glob("*.eval")
    whole = read_eval_log(str(log))
    for sample in whole.samples or []:
        del sample.metadata[field]
        if value is not None:
            sample.metadata[field] = value
    write_eval_log(whole, str(log))
    with pytest.raises(BadInput, match=r"\.eval: sample parity-.*: damaged"):
        read_all([log])


@pytest.mark.parametrize("given", ["direct,cot", "direct, cot", ["direct", "cot"]])
def test_a_door_takes_arms_as_the_runner_hands_them_over(given: str | list[str]) -> None:
    assert arm_names(given) == ["direct", "cot"]
    assert arm_names("") == []
