"""Batches through the real client of OpenAI's, against a server of this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai.model import BatchConfig

import misstep
from batch_server import INPUT_TOKENS, OUTPUT_TOKENS, Desk, batch_server
from misstep.core.errors import BadInput
from misstep.core.prices import Price, Prices
from misstep.runner.calls import batching
from misstep.runner.failures import BudgetReached
from misstep.runner.paying.purse import Purse
from misstep.runner.paying.till import Till
from misstep.runner.preflight import ask_first
from misstep.runner.run import Request, carry_out, plan

Make = Callable[..., Request]
MODEL = "openai/gpt-4o-mini"
SOON = BatchConfig(size=1_000, send_delay=0.5, tick=0.05)
WHOLE = BatchConfig(size=12, send_delay=60, tick=0.05)
PRICE = Price(2.0, 2.0, 2.0, 10.0, 10.0, "USD", "2026-11-30", "this test", batch=0.5)
CALL = (INPUT_TOKENS * 2.0 + OUTPUT_TOKENS * 10.0) / 1e6


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Desk]]:
    monkeypatch.setenv("OPENAI_API_KEY", "no-key-of-anybody")
    with batch_server() as (address, desk):
        yield address, desk


def asked(make: Make, address: str, *arms: str, **settings: object) -> Request:
    usual: dict[str, object] = {
        "model": MODEL, "model_args": {"base_url": address}, "batch": SOON,
        "prices": Prices({MODEL: PRICE}),
    }  # fmt: skip
    return make(*arms, **usual | settings)


def test_all_questions_go_out_in_one_batch_at_the_price_of_a_batch(
    request_for: Make, server: tuple[str, Desk]
) -> None:
    address, desk = server
    desk.answer = lambda words: "Yes" if int(words.split()[1]) % 2 == 0 else "No"
    done = carry_out(plan(asked(request_for, address, batch=WHOLE)))
    assert [len(words) for words in desk.asked] == [12]
    assert not desk.alone
    assert {record.outcome for record in done.records} == {"correct"}, "each got its own reply"
    assert {record.seconds for record in done.records} == {None}, "its time is that of the queue"
    assert [record.cost for record in done.records] == pytest.approx([CALL / 2] * 12)


def test_draws_of_one_question_go_out_together(request_for: Make, server: tuple[str, Desk]) -> None:
    address, desk = server
    carry_out(plan(asked(request_for, address, "self-consistency:3", "tot:2")))
    assert sum(map(len, desk.asked)) == 6 * 3 + 6 * (2 + 2)
    assert max(Counter(desk.asked[0]).values()) == 3


def test_the_first_answers_are_asked_at_once_and_at_the_full_price(
    request_for: Make, server: tuple[str, Desk]
) -> None:
    address, desk = server
    first = ask_first(plan(asked(request_for, address)))
    assert len(desk.alone) == 6
    assert not desk.batches
    done = carry_out(first.plan)
    assert sum(map(len, desk.asked)) == 6
    assert sorted(record.cost or 0 for record in done.records) == pytest.approx(
        [CALL / 2] * 6 + [CALL] * 6
    )


def test_a_budget_holds_for_what_goes_into_a_batch(
    request_for: Make, server: tuple[str, Desk]
) -> None:
    address, desk = server
    till = Till(Purse(0.012))
    with pytest.raises(BudgetReached):
        carry_out(plan(asked(request_for, address, till=till, max_tokens=1_000)))
    sent = sum(map(len, desk.asked))
    assert 0 < sent < 12
    assert till.purse.spent == pytest.approx(sent * CALL / 2)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"model": "mockllm/x"}, "has no batch interface that is known"),
        ({"model": "openai-api/own/x"}, "has no batch interface that is known"),
        ({"arms": ("direct", "feedback")}, "asks round by round"),
    ],
)
def test_what_no_batch_takes_is_refused_in_a_line(
    request_for: Make,
    server: tuple[str, Desk],
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, object],
    said: str,
) -> None:
    monkeypatch.setenv("OWN_API_KEY", "no-key-of-anybody")
    request = asked(request_for, server[0], **settings)
    with pytest.raises(BadInput, match=said):
        batching.check(request, plan(request), 1)


KILLED = """
import sys
from inspect_ai.model import BatchConfig
import misstep
from dataclasses import replace
from misstep.runner.run import carry_out, plan

asked = misstep.request(
    "grammar", "openai/gpt-4o-mini", limit=4, log_dir=sys.argv[2],
    model_args={"base_url": sys.argv[1]},
)
carry_out(plan(replace(asked, batch=BatchConfig(size=1_000, send_delay=0.2, tick=0.05))))
"""


def test_a_batch_in_flight_at_a_kill_is_asked_again_and_counted(
    server: tuple[str, Desk], tmp_path: Path
) -> None:
    address, desk = server
    desk.is_held = True
    command = [sys.executable, "-c", KILLED, address, str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(3_000):
        if any(one["looks"] for one in desk.batches.values()):
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    sent = sum(map(len, desk.asked))
    assert 0 < sent <= 8
    desk.is_held = False
    asked = misstep.request(
        "grammar", MODEL, limit=4, log_dir=tmp_path, model_args={"base_url": address}
    )
    done = carry_out(plan(replace(asked, batch=SOON)))
    counted = (done.manifest.asked, done.manifest.asked_again, len(done.records))
    assert counted == (8, 8, 8), "all eight were under way, and each is counted"
    assert sum(map(len, desk.asked)) == sent + 8, "the provider was asked again"
    (journal,) = tmp_path.glob("*/journal.jsonl")
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    assert sum("reply" in line for line in lines) == 8
