"""From the runner's messages and settings to the server's requests, and back."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Sequence
from pathlib import Path

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelOutput,
    StopReason,
    TopLogprob,
)

from misstep.core.errors import BadInput
from misstep.models.llama import Completion, Json, Token


def has_pictures(messages: Sequence[ChatMessage]) -> bool:
    return any(
        isinstance(part, ContentImage)
        for message in messages
        if not isinstance(message.content, str)
        for part in message.content
    )


def plain(messages: Sequence[ChatMessage]) -> list[Json]:
    return [{"role": message.role, "content": message.text} for message in messages]


def beginnings(messages: Sequence[ChatMessage], prompt: str) -> list[int]:
    """The lengths of the shared beginnings in characters of the whole prompt.

    They are counted in the text of each user message that has any. None of a message whose text
    the model's markup does not hold as it is.
    """
    found: list[int] = []
    end = len(prompt)
    # From the last to the first: an earlier message may hold the text of a later one.
    for message in reversed(messages):
        lengths = (message.metadata or {}).get("beginnings")
        if isinstance(message, ChatMessageUser) and lengths:
            at = prompt.rfind(message.text, 0, end)
            if at >= 0:
                found += [at + min(length, len(message.text)) for length in lengths]
                end = at
    return sorted(found)


def completion(tokens: Sequence[int], slot: int, goes_on: bool, config: GenerateConfig) -> Json:
    """The request for a text prompt; `goes_on` keeps the state that the slot was brought to."""
    body = _sampling(config) | {
        "prompt": tokens,
        "id_slot": slot,
        "cache_prompt": goes_on,
        "n_predict": config.max_tokens,
    }
    if config.logprobs:
        body["n_probs"] = config.top_logprobs or 1
    if config.response_schema:
        schema = config.response_schema.json_schema
        body["json_schema"] = schema.model_dump(exclude_none=True)
    return body


def chat(messages: Sequence[ChatMessage], slot: int, config: GenerateConfig) -> Json:
    """The request for a conversation with pictures."""
    return _sampling(config) | {
        "messages": [
            {"role": message.role, "content": _parts(message.content)} for message in messages
        ],
        "id_slot": slot,
        "cache_prompt": False,
        "max_tokens": config.max_tokens,
    }


def _sampling(config: GenerateConfig) -> dict[str, object]:
    """Greedy unless a temperature is given; no filter that wasn't asked for."""
    body: dict[str, object] = {
        "temperature": config.temperature or 0.0,
        "top_p": 1.0 if config.top_p is None else config.top_p,
        "top_k": config.top_k or 0,
        "min_p": 0.0,
        "seed": -1 if config.seed is None else config.seed,
        "frequency_penalty": config.frequency_penalty or 0.0,
        "presence_penalty": config.presence_penalty or 0.0,
    }
    return body | ({"stop": config.stop_seqs} if config.stop_seqs else {})


def _parts(content: str | list[Content]) -> list[Json]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [_part(part) for part in content]


def _part(part: Content) -> Json:
    if isinstance(part, ContentText):
        return {"type": "text", "text": part.text}
    if isinstance(part, ContentImage):
        return {"type": "image_url", "image_url": {"url": _data_uri(part.image)}}
    raise BadInput(f"embedded model: takes text and pictures, not {part.type}")


def _data_uri(image: str) -> str:
    if image.startswith("data:"):
        return image
    if "://" in image:
        raise BadInput(f"embedded model: fetches no picture from the network: {image}")
    path = Path(image)
    try:
        data = base64.b64encode(path.read_bytes()).decode()
    except OSError as error:
        raise BadInput(f"embedded model: picture {path}: {error.strerror}") from error
    return f"data:{mimetypes.guess_type(path)[0] or 'image/png'};base64,{data}"


def choice(model: str, done: Completion, config: GenerateConfig) -> ChatCompletionChoice:
    return ChatCompletionChoice(
        message=ChatMessageAssistant(content=done.text, source="generate", model=model),
        stop_reason=_stop_reason(done, config),
        logprobs=_logprobs(done.tokens) if config.logprobs else None,
    )


def _stop_reason(done: Completion, config: GenerateConfig) -> StopReason:
    """An answer is cut by its own limit, or by the end of the context."""
    if not done.limited:
        return "stop"
    return "max_tokens" if done.generated >= (config.max_tokens or 0) else "model_length"


def _logprobs(tokens: Sequence[Token]) -> Logprobs:
    return Logprobs(
        content=[
            Logprob(
                token=token.chosen.token,
                logprob=token.chosen.logprob,
                bytes=list(token.chosen.bytes),
                top_logprobs=[
                    TopLogprob(token=top.token, logprob=top.logprob, bytes=list(top.bytes))
                    for top in token.top
                ],
            )
            for token in tokens
        ]
    )


def too_long(model: str, message: str) -> ModelOutput:
    """The outcome of an item whose prompt doesn't fit the context: nothing was answered."""
    return ModelOutput.from_content(model, "", stop_reason="model_length", error=message)
