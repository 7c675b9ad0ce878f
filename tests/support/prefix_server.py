"""A server of this machine that speaks like OpenAI's and models a prefix cache, as vLLM's, SGLang's
and llama.cpp's servers have one: it counts the prompt tokens that it would have had to evaluate.

A token is four characters, so that prompts that share a beginning share its tokens. Every reply is
the same word; `Counts` belongs to one server.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from answering import Answering, answering

BLOCK = 16
"""Tokens that a paged cache keeps or drops together."""
_TOKEN = 4
_SECONDS_A_TOKEN = 3e-5
Tokens = tuple[str, ...]


class Cache(Protocol):
    """What a server still knows of the prompts before; both are called with the lock held."""

    def known(self, prompt: Tokens) -> int:
        """How many tokens of the prompt needn't be evaluated."""

    def keep(self, prompt: Tokens) -> None:
        """The prompt has been evaluated."""


class Paged:
    """Blocks of tokens by all that stands before them, the latest used (vLLM, SGLang)."""

    def __init__(self, tokens: int) -> None:
        self._room = tokens // BLOCK
        self._blocks: OrderedDict[bytes, None] = OrderedDict()

    def known(self, prompt: Tokens) -> int:
        count = 0
        # The last token is always evaluated: its state is what the reply begins from.
        for block in _blocks(prompt[:-1]):
            if block not in self._blocks:
                break
            self._blocks.move_to_end(block)
            count += BLOCK
        return count

    def keep(self, prompt: Tokens) -> None:
        # A beginning is dropped after what goes on from it.
        for block in reversed(_blocks(prompt)):
            self._blocks[block] = None
            self._blocks.move_to_end(block)
        while len(self._blocks) > self._room:
            self._blocks.popitem(last=False)


class Slots:
    """The last prompt of each of n slots; the one most like a new prompt takes it (llama.cpp)."""

    def __init__(self, count: int) -> None:
        self._free: OrderedDict[int, Tokens] = OrderedDict((number, ()) for number in range(count))

    def known(self, prompt: Tokens) -> int:
        """Takes the slot; `keep` gives it back."""
        shared = {number: _common(held, prompt) for number, held in self._free.items()}
        best = max(shared, key=lambda number: shared[number])
        if shared[best] < 0.1 * len(prompt):
            best = next(iter(self._free))
        del self._free[best]
        return min(shared[best], len(prompt) - 1)

    def keep(self, prompt: Tokens) -> None:
        used = next(number for number in range(len(self._free) + 64) if number not in self._free)
        self._free[used] = prompt


@dataclass
class Counts:
    """`prompts` in the order in which they came."""

    prompts: list[Tokens] = field(default_factory=list)
    evaluated: int = 0

    @property
    def sent(self) -> int:
        return sum(map(len, self.prompts))

    @property
    def tree(self) -> int:
        """The fewest tokens that any order evaluates: each beginning once."""
        return len({name for prompt in self.prompts for name in _beginnings(prompt)})

    @property
    def in_blocks(self) -> int:
        """The fewest of a cache that keeps whole blocks: what is left of a prompt is its own."""
        whole = {block for prompt in self.prompts for block in _blocks(prompt[:-1])}
        return BLOCK * len(whole) + sum((len(one) - 1) % BLOCK + 1 for one in self.prompts)


@contextmanager
def prefix_server(cache: Cache, slots: int) -> Iterator[tuple[str, Counts]]:
    """The server's address and its counts; it serves so many requests at a time."""
    counts, lock, places = Counts(), threading.Lock(), threading.BoundedSemaphore(slots)

    def answer(prompt: Tokens) -> int:
        with places:
            with lock:
                known = cache.known(prompt)
                counts.prompts.append(prompt)
                counts.evaluated += len(prompt) - known
            time.sleep(_SECONDS_A_TOKEN * (len(prompt) - known))
            with lock:
                cache.keep(prompt)
        return known

    class Handler(Answering):
        def do_POST(self) -> None:  # noqa: N802 (the base class's name)
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said = "".join(f"<{one['role']}>{one['content']}" for one in request["messages"])
            prompt = _tokens(said)
            reply = json.dumps(_completion(request["model"], len(prompt), answer(prompt))).encode()
            self.say(reply)

    with answering(Handler) as address:
        yield f"{address}/v1", counts


def _tokens(text: str) -> Tokens:
    return tuple(text[at : at + _TOKEN] for at in range(0, len(text), _TOKEN))


def _beginnings(prompt: Tokens) -> list[bytes]:
    """A name for each beginning of the prompt, the shortest first."""
    chain, names = hashlib.sha256(), []
    for token in prompt:
        chain.update(token.encode() + b"\0")
        names.append(chain.digest())
    return names


def _blocks(prompt: Tokens) -> list[bytes]:
    return _beginnings(prompt)[BLOCK - 1 :: BLOCK]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _completion(model: str, prompt: int, known: int) -> dict[str, object]:
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Yes"},
            }
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": 1,
            "total_tokens": prompt + 1,
            "prompt_tokens_details": {"cached_tokens": known},
        },
    }
