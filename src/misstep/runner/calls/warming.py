"""Prompts that share a beginning: the first goes alone, so that the others find it evaluated.

A server keeps what it has evaluated (vLLM, SGLang, llama.cpp, and the clouds beyond a length), but
two prompts sent at once are both evaluated from the start. Only where enough would be evaluated
twice is anything held back.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import anyio

_WITHIN = ("embedded", "mockllm", "none", "ref")
"""Providers of this process: no server keeps anything, or it is told what to keep."""
_SERVERS = ("llama-cpp-python", "ollama", "openai-api", "sglang", "vllm")
"""Providers of a server of one's own, which keeps beginnings of any length."""
_LEAST, _LEAST_OF_CLOUDS = 128, 4_000
"""Characters that are worth waiting for: some 32 tokens, two blocks of vLLM's, and the 1,024 tokens
from which clouds cache."""
_MOST_KEPT = 4_096
_MOST_WAITED = 60
"""Seconds: a call that takes longer, or is tried again and again, holds nobody up."""


class Warming:
    """Which beginnings have been sent, and which are under way for the first time.

    `least`: the characters beyond a warm beginning from which a prompt waits for a longer one.
    """

    def __init__(self, least: int) -> None:
        self._least = least
        self._warm: OrderedDict[bytes, None] = OrderedDict()
        self._led: dict[bytes, anyio.Event] = {}

    @asynccontextmanager
    async def turn(self, beginnings: Sequence[str]) -> AsyncIterator[None]:
        """Wait until each of these, the shortest first, is warm or nobody else's to warm.

        A beginning whose first call failed is led by the next one that waits.
        """
        mine: list[bytes] = []
        warm_to = 0
        try:
            for text in beginnings:
                if len(text) - warm_to < self._least:
                    continue
                name = hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest()
                if await self._is_warm(name):
                    warm_to = len(text)
                else:
                    # Made where it is waited for: each run has an event loop of its own.
                    self._led[name] = anyio.Event()
                    mine.append(name)
            yield
            for name in mine:
                self._keep(name)
        finally:
            for name in mine:
                self._led.pop(name).set()

    async def _is_warm(self, name: bytes) -> bool:
        """False where it is for the caller to lead it; True also of one that takes too long."""
        with anyio.move_on_after(_MOST_WAITED):
            while name in self._led:
                await self._led[name].wait()
        return name in self._warm or name in self._led

    def _keep(self, name: bytes) -> None:
        self._warm[name] = None
        if len(self._warm) > _MOST_KEPT:
            self._warm.popitem(last=False)


class Warmed:
    """Of each model what it has been sent, for as long as a task lives."""

    def __init__(self) -> None:
        self._models: dict[str, Warming | None] = {}

    def of(self, model: str) -> Warming | None:
        """None where no server is asked."""
        if model not in self._models:
            self._models[model] = _warming(model)
        return self._models[model]


def _warming(model: str) -> Warming | None:
    provider = model.partition("/")[0]
    if provider in _WITHIN:
        return None
    return Warming(_LEAST if provider in _SERVERS else _LEAST_OF_CLOUDS)
