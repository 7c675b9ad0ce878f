"""Calls that fail: what is tried again, when a question is left, and when a run stops."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    RetryDecision,
    modelapi,
)
from tenacity import wait_none

import misstep
from misstep.core.errors import BadInput, MisstepError
from misstep.core.faults import Fault, Faults, tell, together
from misstep.runner import manifest
from misstep.runner.calls import patience
from misstep.runner.calls.failing import asked_wait, failure_of
from misstep.runner.calls.patience import Tries
from misstep.runner.failures import Incomplete
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.preflight import ask_first
from misstep.runner.run import Request, Run, carry_out, plan
from oracle import FAMILY, ORACLE, Oracle

Make = Callable[..., Request]


class Refusal(Exception):
    """As a provider's library raises it; `status` None: the connection broke."""

    def __init__(self, status: int | None, said: str = "", after: str | None = None) -> None:
        super().__init__(said or f"status {status}")
        self.status_code = status
        headers = {} if after is None else {"retry-after": after}
        self.response = SimpleNamespace(headers=headers)


class ReadTimeout(Exception):
    """Named as such errors are."""


class ConnectionBroken(Exception):
    """Likewise."""


class Moody(ModelAPI):
    """Answers as the oracle does, and tells the runner what may pass; a call at a time, or six."""

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        words = input[-1].text
        ORACLE.calls.append((words, config))
        said = ORACLE.answer(words)
        if isinstance(said, BaseException):
            raise said
        if said == "never":
            await anyio.sleep_forever()
        if said == "late":
            await anyio.sleep(1)
        output = ModelOutput.from_content(self.model_name, said)
        output.usage = ModelUsage(input_tokens=10, output_tokens=3, total_tokens=13)
        return output

    def should_retry(self, ex: Exception) -> bool | RetryDecision:
        status = getattr(ex, "status_code", 0)
        if status == 429:
            return RetryDecision.rate_limit()
        return status in (500, 503) or isinstance(ex, (ReadTimeout, ConnectionBroken))

    def max_connections(self) -> int:
        return 6 if self.model_name == "six" else 1


modelapi(name="moody")(Moody)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(patience, "_USUAL_WAIT", wait_none())
    ORACLE.reset()
    yield
    ORACLE.reset()


def run(request: Request) -> Run:
    return carry_out(plan(request))


def calls_of(words: str) -> int:
    return sum(words in said for said, _ in ORACLE.calls)


def failing(words: str, error: Exception) -> Callable[[str], str | Exception]:
    return lambda said: error if words in said else "Yes"


def test_a_question_that_always_fails_is_left_and_all_others_are_answered(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = failing("Is 4 even? Yes or No. (direct)", Refusal(500))
    request = request_for(model="moody/x", tries=Tries(max_retries=3))
    with pytest.raises(Incomplete) as failure:
        run(request)
    assert str(failure.value).startswith(
        "--model: moody/x: 1 question has no answer: HTTP 500 (server error) once; "
        "11 of 12 answers are kept in "
    )
    assert calls_of("Is 4 even? Yes or No. (direct)") == 4
    folder = failure.value.folder
    assert len(read_records(log_files([folder]))) == 11
    kept = manifest.read(folder)
    assert (kept.state, kept.faults.calls, kept.faults.left) == ("stopped", {"server_error": 4}, 1)

    oracle.reset()
    done = run(request)
    assert len(oracle.calls) == 1
    assert len(done.records) == 12
    assert (done.manifest.faults.total, done.manifest.faults.left) == (4, 0)


def test_a_call_that_fails_for_a_while_is_made_again_and_counted(
    oracle: Oracle, request_for: Make
) -> None:
    errors: list[Exception] = [
        Refusal(429), Refusal(503), ReadTimeout(), ConnectionBroken(),
        json.JSONDecodeError("Expecting value", '{"choi', 6),
    ]  # fmt: skip
    oracle.answer = lambda words: errors.pop() if errors else "Yes"
    done = run(request_for(model="moody/x"))
    assert len(done.records) == 12
    assert len(oracle.calls) == done.manifest.asked == 12 + 5
    kinds = ("rate_limit", "server_error", "timeout", "connection", "unreadable")
    assert done.manifest.faults.calls == dict.fromkeys(kinds, 1)


def test_a_model_that_answers_nothing_ends_the_run_after_five_questions(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = lambda words: Refusal(500)
    with pytest.raises(MisstepError) as failure:
        run(request_for(model="moody/x", limit=12, tries=Tries(max_retries=6)))
    said = "--model: moody/x: 5 questions in a row had no answer: HTTP 500 (server error), tried 4"
    assert str(failure.value).startswith(said)
    assert str(failure.value).endswith("; the same command goes on from there")
    assert "; 0 of 24 answers are kept in " in str(failure.value)
    # The first question has all its tries, the others fewer, as nothing is answered.
    assert len(oracle.calls) == 7 + 4 * 4


def test_a_model_that_disappears_and_comes_back_loses_nothing(
    oracle: Oracle, request_for: Make
) -> None:
    gone = Refusal(404, "model_not_found: no such model")
    oracle.answer = lambda words: gone if len(oracle.calls) > 8 else "Yes"
    with pytest.raises(MisstepError, match=r"in a row had no answer: .*HTTP 404: model_not_found"):
        run(request_for(model="moody/x", limit=12))
    assert len(oracle.calls) == 8 + 5
    oracle.reset()
    assert len(run(request_for(model="moody/x", limit=12)).records) == 24
    assert len(oracle.calls) == 24 - 8


def test_what_is_under_way_when_a_model_seems_gone_is_waited_for_and_paid_for_once(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = lambda words: "late" if "(cot)" in words else Refusal(404, "gone")
    with pytest.raises(Incomplete, match=r"HTTP 404: gone 6 times; 6 of 12 answers"):
        run(request_for(model="moody/six"))
    assert calls_of("(cot)") == 6
    oracle.reset()
    assert len(run(request_for(model="moody/six")).records) == 12
    assert calls_of("(cot)") == 0


def test_a_call_without_a_reply_is_given_up_after_its_time(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = lambda words: "never" if "Is 4 even? Yes or No. (cot)" in words else "Yes"
    began = time.monotonic()
    with pytest.raises(Incomplete, match=r"1 question has no answer: no reply in time once; 11 of"):
        run(request_for(model="moody/x", tries=Tries(max_retries=1, attempt_timeout=1)))
    assert calls_of("Is 4 even? Yes or No. (cot)") == 2
    assert time.monotonic() - began < 30


def test_what_a_run_waits_for_is_said_in_a_line(
    oracle: Oracle, request_for: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "_FIRST_WORD", 0.0)
    monkeypatch.setattr(patience, "_NEXT_WORD", 0.0)
    oracle.answer = lambda words: ConnectionBroken() if len(oracle.calls) < 9 else "Yes"
    lines: list[str] = []
    with patience.telling(lines.append):
        run(request_for(model="moody/x"))
    said = "waiting for moody/x: connection broken; "
    assert lines[0].startswith(f"{said}1 call failed and none was answered in 0.0 s; Ctrl-C keeps")
    assert lines[1].startswith(f"{said}2 calls failed") or lines[1].startswith(f"{said}3 calls")
    # At ever longer distances.
    assert len(lines) < 8


def test_one_call_of_a_tree_that_is_given_up_leaves_its_question_alone(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = failing("Which is best for 4?", Refusal(400, "too long"))
    with pytest.raises(Incomplete, match=r"HTTP 400: too long once; 5 of 6 answers"):
        run(request_for("tot", model="moody/x"))
    oracle.reset()
    assert len(run(request_for("tot", model="moody/x")).records) == 6
    assert len(oracle.calls) == 5


def test_looks_are_taken_in_turn_so_that_no_question_may_be_left(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = lambda words: Refusal(400, "no") if len(oracle.calls) == 7 else "Yes"
    settings: dict[str, Any] = {"sequential": True, "limit": 24}  # Any: settings of a run
    with pytest.raises(MisstepError, match=r"--model: moody/x: HTTP 400: no; "):
        misstep.run("grammar", "moody/x", log_dir=request_for().log_dir, **settings)


def test_the_first_questions_may_fail_one_by_one_but_not_a_whole_arm(
    oracle: Oracle, request_for: Make
) -> None:
    made = plan(request_for(model="moody/x"))
    oracle.answer = failing("(direct)", Refusal(400, "no"))
    assert ask_first(made, 1, ["direct"]).records == ()
    with pytest.raises(Incomplete):
        ask_first(made)
    oracle.answer = lambda words: Refusal(400, "no") if calls_of("(cot)") == 1 else "Yes"
    first = ask_first(made)
    assert {record.arm for record in first.records} == {"direct", "cot"}
    assert manifest.read(made.folder).faults.calls["refused"] > 1


def test_a_full_disk_is_no_fault_of_the_model(oracle: Oracle, request_for: Make) -> None:
    oracle.answer = lambda words: OSError(28, "No space left on device")
    with pytest.raises(MisstepError, match="cannot write: No space left on device"):
        run(request_for(model="moody/x"))
    assert len(oracle.calls) == 1


@pytest.mark.parametrize(
    ("error", "fault", "said", "is_passing"),
    [
        (Refusal(429), Fault.RATE_LIMIT, "HTTP 429 (too many calls)", True),
        (Refusal(500), Fault.SERVER_ERROR, "HTTP 500 (server error)", True),
        (Refusal(401, "no key"), Fault.REFUSED, "HTTP 401: no key", False),
        (ReadTimeout(), Fault.TIMEOUT, "no reply in time", True),
        (ConnectionBroken(), Fault.CONNECTION, "connection broken", True),
        (json.JSONDecodeError("x", "{", 1), Fault.UNREADABLE, "reply damaged", True),
        (ValueError("a\nb"), Fault.REFUSED, "a b", False),
        (KeyError(), Fault.REFUSED, "KeyError", False),
    ],
)
def test_an_error_is_known_by_what_the_provider_makes_of_it(
    error: Exception, fault: Fault, said: str, is_passing: bool
) -> None:
    found = failure_of(Moody("x"), error)
    assert (found.fault, found.said, found.is_passing) == (fault, said, is_passing)


def test_the_wait_that_a_server_asks_for_is_a_number_or_a_date() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=30)
    assert asked_wait(Refusal(429, after="7")) == 7
    assert 25 < asked_wait(Refusal(429, after=format_datetime(soon, usegmt=True))) <= 30
    assert [asked_wait(Refusal(429, after=text)) for text in ("", "soon", "-1")] == [0, 0, 0]
    assert asked_wait(ValueError()) == 0


def test_a_wait_that_is_asked_for_is_kept_and_one_of_an_hour_is_not(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = lambda words: Refusal(429, after="1") if len(oracle.calls) == 1 else "Yes"
    assert run(request_for(model="moody/x")).manifest.faults.waited >= 1
    oracle.reset()
    oracle.answer = lambda words: Refusal(429, after="3600") if len(oracle.calls) == 1 else "Yes"
    with pytest.raises(Incomplete, match=r"HTTP 429 \(too many calls\) once"):
        run(request_for(model="moody/x", seed=1))


@pytest.mark.parametrize(("retries", "timeout"), [(-1, None), (1001, None), (1, 0), (1, 86_401)])
def test_tries_that_no_run_can_mean_are_refused(retries: int, timeout: int | None) -> None:
    with pytest.raises(BadInput, match=r"^--(max-retries|attempt-timeout): "):
        Tries(retries, timeout)


def test_the_counts_of_processes_add_up_and_of_parts_side_by_side() -> None:
    first, second = Faults({"timeout": 2, "rate_limit": 1}, 61.25, 3), Faults({"timeout": 1}, 1.0)
    assert first.plus(second) == Faults({"rate_limit": 1, "timeout": 3}, 62.2, 0)
    assert together([first, second]) == Faults({"rate_limit": 1, "timeout": 3}, 62.2, 3)
    assert tell(Faults()) is None
    assert tell(first) == (
        "3 calls brought no reply (too many calls 1, no reply in time 2); "
        "61 s waited over all questions"
    )


def test_the_tries_of_a_client_are_off_while_a_run_is_under_way(tmp_path: Path) -> None:
    made = plan(Request(FAMILY, "moody/x", arms=("direct",), log_dir=tmp_path))
    client = SimpleNamespace(max_retries=2)
    vars(made.model.api)["client"] = client
    with patience.patient([made.model]):
        assert client.max_retries == 0
    assert client.max_retries == 2
    assert "should_retry" not in vars(made.model.api)
