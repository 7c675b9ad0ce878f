"""What a provider is told to cache of a prompt: only what another prompt will read.

Claude caches what is marked, and a token that is written to the cache costs more than one that
isn't. The runner marks every prompt to its end, which is right where it is sent again (a
conversation, several draws) and dear where the next one ends otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inspect_ai.model import ChatMessage, ChatMessageUser, Content, ContentText, GenerateConfig

_MARKED_TO_THE_END = ("anthropic", "bedrock", "litellm-proxy", "openrouter")
_TAKES_MARKS = ("anthropic",)
"""Those of them for which the runner puts a mark where it is told to."""
_LEAST = 4_000
"""Characters: no model of Claude's caches less than 1,024 tokens."""
_MOST_MARKS = 4


def marked(
    model: str, messages: Sequence[ChatMessage], config: GenerateConfig
) -> tuple[list[ChatMessage], GenerateConfig]:
    """As they go out, of a prompt that is sent once; a reply is the same whatever is cached.

    Unchanged where the provider takes no marks, or somebody has said what to cache.
    """
    provider = model.partition("/")[0]
    listed = list(messages)
    if provider not in _MARKED_TO_THE_END or config.cache_prompt is not None:
        return listed, config
    said = listed[-1]
    lengths = [length for length in _lengths(said) if length >= _LEAST][:_MOST_MARKS]
    if provider not in _TAKES_MARKS or not lengths or not isinstance(said.content, str):
        return listed, config.model_copy(update={"cache_prompt": False})
    parts: list[Content] = list(_parts(said.content, lengths))
    return [*listed[:-1], said.model_copy(update={"content": parts})], config


def _lengths(said: ChatMessage) -> Sequence[int]:
    """Of the beginnings that other prompts share (`Asking.message` notes them)."""
    if not isinstance(said, ChatMessageUser):
        return ()
    return sorted(set((said.metadata or {}).get("beginnings") or ()))


def _parts(text: str, lengths: Sequence[int]) -> Iterator[ContentText]:
    begin = 0
    for end in lengths:
        yield ContentText(text=text[begin:end], cache_breakpoint=True)
        begin = end
    if text[begin:]:
        yield ContentText(text=text[begin:])
