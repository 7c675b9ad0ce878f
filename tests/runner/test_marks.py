"""What goes out to be cached, seen by a server through the real client of Anthropic's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.model import ChatMessageUser, GenerateConfig

import misstep
from claude_server import Sums, claude_server
from misstep.core.prices import Price, Prices
from misstep.runner.calls.marks import marked
from misstep.runner.run import Run, carry_out, plan

MODEL = "anthropic/claude-sonnet-4-6"
PRICE = Price(3.0, 0.3, 3.75, 15.0, 15.0, "USD", "2026-11-30", "this test")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Sums]]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "no-key-of-anybody")
    with claude_server() as (address, sums):
        yield address, sums


def run(address: str, folder: Path, family: str, **settings: object) -> Run:
    asked = misstep.request(
        family,
        MODEL,
        limit=2,
        max_tokens=500,
        log_dir=folder,
        model_args={"base_url": address, "streaming": False},
        prices=Prices({MODEL: PRICE}),
        **settings,  # type: ignore[arg-type]  # settings of a request, by name
    )
    return carry_out(plan(asked))


def test_a_long_beginning_is_written_once_and_read_by_the_other_arm(
    server: tuple[str, Sums], tmp_path: Path
) -> None:
    address, sums = server
    done = run(address, tmp_path, "apartments")
    content = [request["messages"][0]["content"] for request in sums.requests]
    assert len(content) == 4
    assert all(["cache_control" in part for part in parts] == [True, False] for parts in content)
    assert not any("cache_control" in request for request in sums.requests)
    assert sums.written == sums.read > 9_000
    assert sums.plain < 400
    paid = 3.0 * sums.plain + 3.75 * sums.written + 0.3 * sums.read + 15.0 * 3 * 4
    assert sum(record.cost or 0 for record in done.records) == pytest.approx(paid / 1e6)
    assert sum(record.cached_tokens or 0 for record in done.records) == sums.read


def test_what_no_other_prompt_reads_is_not_written(
    server: tuple[str, Sums], tmp_path: Path
) -> None:
    address, sums = server
    run(address, tmp_path, "planbench")
    assert sums.requests
    assert not any("cache_control" in str(request) for request in sums.requests)


def test_several_draws_of_one_prompt_are_cached_to_its_end(
    server: tuple[str, Sums], tmp_path: Path
) -> None:
    address, sums = server
    run(address, tmp_path, "apartments", arms=["self-consistency:3"])
    assert all("cache_control" in request for request in sums.requests)
    assert sums.read == 2 * sums.written > 0


def test_a_reply_that_is_known_is_found_whatever_is_marked(
    server: tuple[str, Sums], tmp_path: Path
) -> None:
    address, sums = server
    run(address, tmp_path, "apartments", arms=["direct"])
    calls = len(sums.requests)
    run(address, tmp_path, "apartments")
    assert len(sums.requests) == 2 * calls


def test_others_go_out_as_they_are() -> None:
    said = ChatMessageUser(content="x" * 9_000, metadata={"beginnings": [8_000]})
    for model in ("openai/gpt-4o", "google/gemini-2.5-pro", "vllm/x"):
        assert marked(model, [said], GenerateConfig()) == ([said], GenerateConfig())
    kept = GenerateConfig(cache_prompt=True)
    assert marked(MODEL, [said], kept) == ([said], kept), "somebody has said what to cache"


def test_a_provider_that_takes_no_marks_is_told_not_to_write(tmp_path: Path) -> None:
    said = ChatMessageUser(content="x" * 9_000, metadata={"beginnings": [8_000]})
    messages, config = marked("bedrock/anthropic.claude", [said], GenerateConfig())
    assert messages == [said]
    assert config.cache_prompt is False
