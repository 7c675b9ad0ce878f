"""Asks a running model server: templates, tokens, states of slots, and completions."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

Json = Mapping[str, object]
TOO_LONG = "exceed_context_size_error"
# Loading and long prompts take their time; a dead server closes its connections by itself.
_TIMEOUT = httpx.Timeout(None, connect=5.0)


class LlamaError(Exception):
    """The server refused a request; `kind` is its name for the reason."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class Alternative:
    """A token that could have stood at a place, and the log of its probability."""

    token: str
    bytes: tuple[int, ...]
    logprob: float


@dataclass(frozen=True)
class Token:
    """A generated token with the most likely ones at its place."""

    chosen: Alternative
    top: tuple[Alternative, ...]


@dataclass(frozen=True)
class Completion:
    """What was generated. `evaluated` counts prompt tokens computed, `limited` a cut answer."""

    text: str
    limited: bool
    prompt_tokens: int
    evaluated: int
    generated: int
    tokens: tuple[Token, ...] = field(default=())


class Llama:
    """One conversation with the server, to be used inside `connected`."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def template(self, messages: Sequence[Json]) -> str:
        """The conversation in the model's own markup, up to where its answer begins."""
        return str((await self._post("/apply-template", {"messages": messages}))["prompt"])

    async def tokens(self, text: str) -> tuple[int, ...]:
        body = {"content": text, "add_special": True, "parse_special": True}
        return tuple(_list(await self._post("/tokenize", body), "tokens"))

    async def evaluate(self, slot: int, tokens: Sequence[int], goes_on: bool) -> int:
        """Brings the slot to the state after these tokens; the number that was computed."""
        body = {"prompt": tokens, "n_predict": 0, "cache_prompt": goes_on, "id_slot": slot}
        return _number(_mapping(await self._post("/completion", body), "timings"), "prompt_n")

    async def save(self, slot: int, file: str) -> int:
        """Bytes written."""
        answer = await self._post(f"/slots/{slot}?action=save", {"filename": file})
        return _number(answer, "n_written")

    async def restore(self, slot: int, file: str) -> None:
        await self._post(f"/slots/{slot}?action=restore", {"filename": file})

    async def complete(self, body: Json) -> Completion:
        """Streams, so that leaving early stops the server at its next token."""
        text: list[str] = []
        tokens: list[Token] = []
        last: Json = {}
        async for event in self._stream("/completion", {**body, "stream": True}):
            text.append(str(event["content"]))
            tokens.extend(_tokens(event))
            last = event
        timings = _mapping(last, "timings")
        return Completion(
            text="".join(text),
            limited=last["stop_type"] == "limit",
            prompt_tokens=_number(last, "tokens_evaluated"),
            evaluated=_number(timings, "prompt_n"),
            generated=_number(last, "tokens_predicted"),
            tokens=tuple(tokens),
        )

    async def chat(self, body: Json) -> Completion:
        """The way for pictures, which have no token ids: the server does it all."""
        answer = await self._post("/v1/chat/completions", body)
        choice = _list(answer, "choices")[0]
        usage = _mapping(answer, "usage")
        return Completion(
            text=str(_mapping(choice, "message")["content"] or ""),
            limited=choice["finish_reason"] == "length",
            prompt_tokens=_number(usage, "prompt_tokens"),
            evaluated=_number(_mapping(answer, "timings"), "prompt_n"),
            generated=_number(usage, "completion_tokens"),
        )

    async def _post(self, path: str, body: Json) -> Json:
        response = await self._client.post(path, json=body)
        _raise_refusal(response)
        answer: dict[str, object] = response.json()
        return answer

    async def _stream(self, path: str, body: Json) -> AsyncIterator[Json]:
        async with self._client.stream("POST", path, json=body) as response:
            if response.status_code != 200:
                await response.aread()
                _raise_refusal(response)
            async for line in response.aiter_lines():
                kind, _, data = line.partition(": ")
                if kind == "error":
                    raise _refusal(json.loads(data))
                if kind == "data" and data != "[DONE]":
                    yield json.loads(data)


@asynccontextmanager
async def connected(address: str, key: str) -> AsyncIterator[Llama]:
    """Without the user's proxies: the server is on this machine."""
    async with httpx.AsyncClient(
        base_url=address,
        headers={"Authorization": f"Bearer {key}"},
        timeout=_TIMEOUT,
        trust_env=False,
        verify=False,  # noqa: S501 (plain HTTP; spares the loading of certificates)
    ) as client:
        yield Llama(client)


def _raise_refusal(response: httpx.Response) -> None:
    if response.status_code != 200:
        raise _refusal(_mapping(response.json(), "error"))


def _refusal(error: Json) -> LlamaError:
    return LlamaError(str(error.get("type")), str(error.get("message")))


def _tokens(event: Json) -> list[Token]:
    """The event's tokens; the mark that ends an answer has no bytes and is left out."""
    if "completion_probabilities" not in event:
        return []
    return [
        Token(_alternative(entry), tuple(_alternative(top) for top in entry["top_logprobs"]))
        for entry in _list(event, "completion_probabilities")
        if entry["bytes"]
    ]


def _alternative(entry: Json) -> Alternative:
    written = tuple(_list(entry, "bytes"))
    return Alternative(str(entry["token"]), written, float(str(entry["logprob"])))


def _mapping(source: Json, name: str) -> Json:
    value = source[name]
    if not isinstance(value, dict):
        raise TypeError(f"{name} of the server's answer is no object: {value!r}")
    return value


def _list(source: Json, name: str) -> list[Any]:  # Any: JSON of several shapes
    value = source[name]
    if not isinstance(value, list):
        raise TypeError(f"{name} of the server's answer is no list: {value!r}")
    return value


def _number(source: Json, name: str) -> int:
    return int(str(source[name]))
