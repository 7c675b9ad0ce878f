"""The provider on the small real model: the same to the bit in any order, quick to stop, quiet."""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest
from inspect_ai.model import ChatMessageUser, ContentImage, GenerateConfig, ModelOutput, ModelUsage

from misstep.core.errors import BadInput, MisstepError
from misstep.models import running
from misstep.models.embedded import Embedded
from misstep.models.snapshots import Snapshots

pytestmark = pytest.mark.model

RULES = "\nThese strings were generated according to a certain set of rules.\n"
ASKED = "Does the following string also follow the same set of rules?\n"
TRAINING = ("MTV\nMTTV\nVXR\nVXTR", "ABAB\nABBA\nBBAA\nAAAB")
STRINGS = ("MTTTV", "VXRR", "ABBB")
WORDS = ("Please ONLY answer “Yes” or “No”.", "Please reason before answering “Yes” or “No”.")
ANSWER = GenerateConfig(max_tokens=12, logprobs=True, top_logprobs=5)
PROMPTS = [
    (training + RULES + ASKED, string + "\n", words)
    for words in WORDS
    for training in TRAINING
    for string in STRINGS
]
Answer = tuple[str, tuple[tuple[str, float], ...]]


@pytest.fixture
def model(small_model: str) -> Iterator[Embedded]:
    model = Embedded(small_model.removeprefix("embedded/"), threads=1, n_ctx=1024)
    yield model
    model.close()


def message(beginning: str, string: str, words: str) -> ChatMessageUser:
    lengths = [len(beginning), len(beginning + string)]
    return ChatMessageUser(content=beginning + string + words, metadata={"beginnings": lengths})


async def ask(model: Embedded, said: ChatMessageUser, config: GenerateConfig) -> ModelOutput:
    return await model.generate([said], [], "none", config)


def answers(
    model: Embedded, prompts: Sequence[tuple[str, str, str]], config: GenerateConfig = ANSWER
) -> list[ModelOutput]:
    async def all_of_them() -> list[ModelOutput]:
        return [await ask(model, message(*prompt), config) for prompt in prompts]

    return asyncio.run(all_of_them())


def used(output: ModelOutput) -> ModelUsage:
    assert output.usage is not None
    return output.usage


def children(parent: int) -> list[psutil.Process]:
    """The model servers of a process."""
    found = psutil.Process(parent).children()
    return [child for child in found if "misstep.models.server" in child.cmdline()]


def snapshot_folders(model: Embedded) -> list[Path]:
    running_model = running.enter(model.settings)
    running.leave(model.settings)
    assert running_model._child is not None
    return [running_model._child.snapshots]


def exact(output: ModelOutput) -> Answer:
    logprobs = output.choices[0].logprobs
    assert logprobs is not None
    tops = [top for one in logprobs.content for top in one.top_logprobs or ()]
    return output.completion, tuple((top.token, top.logprob) for top in tops)


def evaluated(outputs: Sequence[ModelOutput]) -> int:
    return sum((output.metadata or {})["prompt_tokens_evaluated"] for output in outputs)


def test_answers_are_the_same_to_the_bit_in_any_order_and_from_a_cold_start(
    model: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = answers(model, PROMPTS)
    back = answers(model, PROMPTS[::-1])[::-1]
    assert [exact(one) for one in back] == [exact(one) for one in there]
    assert evaluated(back) < evaluated(there)
    model.close()
    monkeypatch.setattr(running, "Snapshots", functools.partial(Snapshots, most_bytes=0))
    cold = answers(model, PROMPTS[3:5])
    assert [exact(one) for one in cold] == [exact(one) for one in there[3:5]]
    assert all(used(one).input_tokens_cache_read == 0 for one in cold)


def test_a_snapshot_that_somebody_deleted_is_computed_again(model: Embedded) -> None:
    first = answers(model, PROMPTS[:1])
    for folder in snapshot_folders(model):
        for file in folder.iterdir():
            file.unlink()
    assert [exact(one) for one in answers(model, PROMPTS[:1])] == [exact(one) for one in first]


def test_prompt_tokens_computed_stay_within_a_tenth_of_the_prompt_tree(model: Embedded) -> None:
    strings = [f"{a}{b}{c}\n" for a in "MV" for b in "TX" for c in "RSV"]
    prompts = [
        (training + RULES + ASKED, string, words)
        for words in WORDS
        for training in TRAINING
        for string in strings
    ]
    outputs = answers(model, prompts, GenerateConfig(max_tokens=1))

    async def tree() -> int:
        found = [await model.prompt_tokens([message(*prompt)]) for prompt in prompts]
        return len({tokens[:end] for tokens in found for end in range(1, len(tokens) + 1)})

    smallest = asyncio.run(tree())
    assert smallest <= evaluated(outputs) <= 1.1 * smallest


def test_the_usage_splits_the_prompt_into_computed_and_restored(model: Embedded) -> None:
    cold, warm = answers(model, [PROMPTS[0], PROMPTS[0]])
    whole = len(asyncio.run(model.prompt_tokens([message(*PROMPTS[0])])))
    assert (used(cold).input_tokens, used(cold).input_tokens_cache_read) == (whole, 0)
    restored = used(warm).input_tokens_cache_read
    assert restored
    assert 0 < used(warm).input_tokens == whole - restored < whole / 2


def test_log_probabilities_cover_the_whole_answer(model: Embedded) -> None:
    (output,) = answers(model, PROMPTS[:1])
    logprobs = output.choices[0].logprobs
    assert logprobs is not None
    assert "".join(one.token for one in logprobs.content) == output.completion
    first = logprobs.content[0].top_logprobs or []
    assert len(first) == 5
    assert sorted((top.logprob for top in first), reverse=True) == [top.logprob for top in first]


def test_sampling_follows_its_seed(model: Embedded) -> None:
    said = ChatMessageUser(content="Name an animal and tell its story.")

    def story(seed: int) -> str:
        config = GenerateConfig(max_tokens=20, temperature=1.5, seed=seed)
        return asyncio.run(ask(model, said, config)).completion

    first = story(1)
    assert story(1) == first
    assert story(2) != first


def test_an_answer_that_meets_its_limit_is_told_to_be_cut(model: Embedded) -> None:
    output = asyncio.run(
        ask(model, ChatMessageUser(content="Tell a story."), GenerateConfig(max_tokens=4))
    )
    assert output.stop_reason == "max_tokens"
    assert used(output).output_tokens == 4


def test_a_stop_string_ends_the_answer_and_is_left_out(model: Embedded) -> None:
    config = GenerateConfig(max_tokens=60, stop_seqs=["."])
    output = asyncio.run(ask(model, ChatMessageUser(content="Tell a story."), config))
    assert output.stop_reason == "stop"
    assert output.completion
    assert "." not in output.completion


def test_a_prompt_beyond_the_context_is_an_outcome_of_its_item_alone(model: Embedded) -> None:
    said = ChatMessageUser(content="word " * 2000, metadata={"beginnings": [9000]})
    output = asyncio.run(ask(model, said, ANSWER))
    assert (output.stop_reason, output.completion) == ("model_length", "")
    assert answers(model, PROMPTS[:1])[0].completion


def test_pictures_without_a_projector_are_refused(model: Embedded) -> None:
    picture = ContentImage(image="data:image/png;base64,iVBORw0KGgo=")
    with pytest.raises(BadInput, match="sees no pictures without mmproj=FILE"):
        asyncio.run(ask(model, ChatMessageUser(content=[picture]), ANSWER))


def test_a_time_limit_stops_the_generation_within_a_second(model: Embedded) -> None:
    endless = {"ignore_eos": True, "temperature": 0.0, "n_predict": 900, "id_slot": 0}

    async def cut_short() -> float:
        async with running.enter(model.settings).slot() as slot:
            tokens = await slot.llama.tokens("Once upon a time")
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.5):
                    await slot.llama.complete({**endless, "prompt": tokens})
            before = time.monotonic()
            await slot.llama.complete({"prompt": tokens, "n_predict": 1, "id_slot": 0})
            return time.monotonic() - before

    try:
        answers(model, PROMPTS[:1])
        assert asyncio.run(cut_short()) < 1.0
    finally:
        running.leave(model.settings)


def test_a_killed_server_is_one_line_and_the_next_question_starts_another(
    model: Embedded,
) -> None:
    async def killed() -> None:
        asking = asyncio.create_task(
            ask(model, ChatMessageUser(content="Count to 900."), GenerateConfig(max_tokens=900))
        )
        await asyncio.sleep(0.2)
        children(os.getpid())[0].kill()
        await asking

    first = answers(model, PROMPTS[:1])
    with pytest.raises(MisstepError, match=r"the model server stopped: SIGKILL") as caught:
        asyncio.run(killed())
    assert "\n" not in str(caught.value)
    assert [exact(one) for one in answers(model, PROMPTS[:1])] == [exact(one) for one in first]


def test_a_damaged_gguf_is_one_line(small_model: str, tmp_path: Path) -> None:
    path = tmp_path / "cut.gguf"
    whole = Embedded(small_model.removeprefix("embedded/")).settings.path
    with whole.open("rb") as data:
        path.write_bytes(data.read(3_000_000))
    broken = Embedded(str(path), threads=1)
    with pytest.raises(BadInput, match=r"cut\.gguf: the model could not be loaded: ") as caught:
        answers(broken, PROMPTS[:1])
    assert "\n" not in str(caught.value)
    broken.close()


def test_equal_settings_share_one_process_and_the_last_close_ends_it(model: Embedded) -> None:
    twin = Embedded(model.model_name, threads=1, n_ctx=1024)
    answers(model, PROMPTS[:1])
    answers(twin, PROMPTS[:1])
    assert len(children(os.getpid())) == 1
    twin.close()
    assert len(children(os.getpid())) == 1
    folders = snapshot_folders(model)
    model.close()
    assert not children(os.getpid())
    assert not any(folder.exists() for folder in folders)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9 on Windows")
def test_the_server_is_quiet_and_dies_with_a_killed_parent(small_model: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, small_model],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "answered\n"
    (server,) = children(parent.pid)
    parent.send_signal(signal.SIGKILL)
    assert server.wait(timeout=5) is None or not server.is_running()
    assert parent.communicate() == ("", "")


PARENT = """
import asyncio, sys, time
from inspect_ai.model import GenerateConfig, get_model
import misstep.models.embedded
model = get_model(sys.argv[1], threads=1)
asyncio.run(model.generate("Hi", config=GenerateConfig(max_tokens=2)))
print("answered", flush=True)
time.sleep(60)
"""
