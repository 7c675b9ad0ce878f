"""Tokens of a text before it is asked: by a tokenizer at hand, else by a stated rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from misstep.core.errors import BadInput
from misstep.models import running, store
from misstep.models.settings import Settings, read_settings

# English prose has 4 to 5 characters a token, strings of random letters 2.
MOST_CHARS, FEWEST_CHARS = 5.0, 2.0
# Tokenizers of large models differ from one another by about this much on the same text.
OTHER_TOKENIZER = 0.2
SAMPLE = 24
_EMBEDDED = "embedded/"


@dataclass(frozen=True)
class Range:
    """A number that is not known: at least `low`, probably at most `high`."""

    low: float
    high: float

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def times(self, low: float, high: float | None = None) -> Range:
        return Range(self.low * low, self.high * (low if high is None else high))


@dataclass(frozen=True)
class Counter:
    """How tokens are counted. `tokenizer` names a cached embedded model; None: by characters."""

    about: str
    tokenizer: Settings | None = None
    is_own: bool = False

    def chars_per_token(self, texts: Sequence[str]) -> Range:
        """Of texts of one kind, measured on a sample of them; `low` is of the most tokens."""
        chars = sum(map(len, texts))
        if self.tokenizer is None or not chars:
            return Range(FEWEST_CHARS, MOST_CHARS)
        step = max(1, len(texts) // SAMPLE)
        sample = texts[::step][:SAMPLE]
        found = sum(map(len, sample)) / max(1, sum(_tokens(self.tokenizer, sample)))
        doubt = 0.0 if self.is_own and step == 1 else 0.02 if self.is_own else OTHER_TOKENIZER
        return Range(found * (1 - doubt), found * (1 + doubt))

    def tokens(self, texts: Sequence[str]) -> Range:
        """Of all the texts together."""
        per_token = self.chars_per_token(texts)
        chars = sum(map(len, texts))
        return Range(chars / per_token.high, chars / per_token.low)


BY_RULE = Counter(f"by {MOST_CHARS:g} (low) to {FEWEST_CHARS:g} (high) characters a token")


def counter_for(model: str) -> Counter:
    """The model's own tokenizer where it is embedded and cached, else the smallest cached one's."""
    own = _settings(model.removeprefix(_EMBEDDED)) if model.startswith(_EMBEDDED) else None
    if own is not None:
        return Counter("counted by the model's own tokenizer", own, is_own=True)
    try:
        held = [one for one in store.listing() if one.state is store.State.CACHED]
    except OSError:
        held = []
    for one in sorted(held, key=lambda listed: listed.weights.size):
        other = _settings(one.weights.name)
        if other is not None:
            about = f"by the tokenizer of {one.weights.name}, ± {OTHER_TOKENIZER:.0%} for others"
            return Counter(about, other)
    return BY_RULE


def _settings(name: str) -> Settings | None:
    """None where the weights or what runs them is missing."""
    try:
        return read_settings(name, {})
    except BadInput:
        return None


def _tokens(settings: Settings, texts: Sequence[str]) -> list[int]:
    async def count() -> list[int]:
        async with running.enter(settings).ask() as llama:
            return [len(await llama.tokens(text)) for text in texts]

    try:
        return anyio.run(count)
    finally:
        running.leave(settings)
