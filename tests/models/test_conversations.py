"""A conversation on the small real model: each turn computes what is new, to the bit as afresh."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, GenerateConfig

from misstep.models.embedded import Embedded

pytestmark = pytest.mark.model

ASKED = (
    "License plate: A23BCD\nDescriptor: Drives on glaciers\nClass A or B?",
    "Correct.\n\nLicense plate: F78QRS\nDescriptor: Heavily insulated\nClass A or B?",
    "Incorrect. The right class is B.\n\nLicense plate: A23BCD\nClass A or B?",
    "Correct.\n\nLicense plate: F78QRS\nDescriptor: Heavily insulated\nClass A or B?",
)
SETTINGS = GenerateConfig(max_tokens=4, logprobs=True, top_logprobs=5)


@pytest.fixture
def model(small_model: str) -> Iterator[Embedded]:
    model = Embedded(small_model.removeprefix("embedded/"), threads=1, n_ctx=1024)
    yield model
    model.close()


def told(turns: int) -> list[ChatMessage]:
    """The conversation up to the question of that turn, from 1; what was kept is always A."""
    messages: list[ChatMessage] = []
    for words in ASKED[:turns]:
        messages.append(ChatMessageUser(content=words, metadata={"beginnings": [len(words)]}))
        messages.append(ChatMessageAssistant(content="A"))
    return messages[:-1]


def answer(model: Embedded, turns: int) -> tuple[object, int, int]:
    """Its log-probabilities, the tokens of its prompt, and how many of them were computed."""
    output = asyncio.run(model.generate(told(turns), [], "none", SETTINGS))
    logprobs = output.choices[0].logprobs
    assert output.usage is not None
    assert logprobs is not None
    computed = output.usage.input_tokens
    whole = computed + (output.usage.input_tokens_cache_read or 0)
    return [one.model_dump() for one in logprobs.content], whole, computed


def test_a_turn_computes_only_what_is_new_and_answers_as_it_would_afresh(model: Embedded) -> None:
    turns = range(1, len(ASKED) + 1)
    going_on = [answer(model, turn) for turn in turns]
    sizes = [whole for _, whole, _ in going_on]
    assert sizes == sorted(sizes)
    for number in range(1, len(ASKED)):
        new = sizes[number] - sizes[number - 1]
        # The markup that opens the last answer was behind the last cut, so it is computed again.
        assert new <= going_on[number][2] <= new + 8
    model.close()
    afresh, whole, computed = answer(model, len(ASKED))
    assert computed == whole == sizes[-1]
    assert afresh == going_on[-1][0]
