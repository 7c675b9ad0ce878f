"""Strategies: the calls that one question takes, for any family."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
)
from inspect_ai.util import collect

from misstep.core.arms import Arm, Strategy
from misstep.core.errors import BadInput
from misstep.core.family import Family
from misstep.core.seeds import stream
from misstep.core.thoughts import ballot
from misstep.core.wording import words
from misstep.runner import pictures
from misstep.runner.calls.asking import Place, at
from misstep.runner.calls.warming import Warming
from misstep.runner.logged.rows import reply_of

# Several draws of one prompt must be able to differ; the papers on voting and trees use this.
SAMPLING_TEMPERATURE = 0.7


@dataclass(frozen=True)
class Asking:
    """One question under way: the model, the place, the arm, and settings for every call.

    In a conversation `history` is what was said before this turn, and `opening` what this turn's
    words begin with, whatever the arm's are. `warming` holds a call back for as long as another
    evaluates what both begin with; None: nothing does. `is_batched`: calls that need no other's
    reply are made at once, for one batch.
    """

    model: Model
    place: Place
    arm: Arm
    seed: int
    is_ranked: bool
    settings: GenerateConfig = field(default_factory=GenerateConfig)
    history: tuple[ChatMessage, ...] = ()
    opening: str = ""
    warming: Warming | None = None
    is_batched: bool = False

    async def say(self, messages: list[ChatMessage], turn: int) -> ModelOutput:
        """The next turn of a conversation."""
        with at(replace(self.place, turn=turn)):
            return await self._generate(messages, self._config(False, turn))

    async def call(self, words: str, number: int, *, is_sampled: bool = False) -> ModelOutput:
        with at(replace(self.place, call=number)):
            return await self._generate(self.messages(words), self._config(is_sampled, number))

    async def _generate(
        self, messages: Sequence[ChatMessage], config: GenerateConfig
    ) -> ModelOutput:
        async with self._turn(messages):
            return await self.model.generate(list(messages), config=config)

    def _turn(self, messages: Sequence[ChatMessage]) -> AbstractAsyncContextManager[None]:
        """A conversation's beginnings are nobody else's."""
        *before, said = messages
        lengths = (said.metadata or {}).get("beginnings")
        if self.warming is None or not lengths or self.place.family.conversation is not None:
            return nullcontext()
        system = "".join(message.text for message in before)
        return self.warming.turn([system + said.text[:length] for length in lengths])

    def messages(self, words: str) -> list[ChatMessage]:
        """What a first call says: the arm's message of the system, if any, what was said before,
        and the words."""
        own = self.arm.wording
        first = [ChatMessageSystem(content=own.system)] if own and own.system else []
        return [*first, *self.history, self.message(words)]

    def message(self, words: str) -> ChatMessageUser:
        text = f"{self.opening}\n\n{words}" if self.opening else words
        said = pictures.content(text, [one.picture for one in self.place.pictures])
        cuts = self._cuts(text)
        return ChatMessageUser(content=said, metadata={"beginnings": cuts} if cuts else None)

    def _cuts(self, text: str) -> list[int]:
        """How much of a message other prompts begin with: of a conversation's, all of it."""
        if self.place.family.conversation is not None:
            return [len(text)]
        texts = self.place.family.beginnings(self.place.item)
        return [len(one) for one in texts if text.startswith(one)]

    def _config(self, is_sampled: bool, number: int) -> GenerateConfig:
        config = self.settings.model_copy()
        if is_sampled and config.temperature is None:
            config.temperature = SAMPLING_TEMPERATURE
        if is_sampled or self.place.repetition > 1:
            config.seed = self._call_seed(number)
        if self.is_ranked:
            config.logprobs = True
            config.top_logprobs = 20
        return config

    def _call_seed(self, number: int) -> int:
        item, place = self.place.item, self.place
        path = ("call", item.id, place.arm, place.repetition, number)
        turn = ("turn", place.turn) if place.turn else ()
        return stream(item.family, item.version, self.seed, *path, *turn).below(2**31)


async def ask(asking: Asking) -> list[ModelOutput]:
    """All replies that the arm's strategy asks for, in a fixed order."""
    return await _STRATEGIES[asking.arm.strategy](asking)


def check_strategy(family: Family[Any], arm: Arm) -> None:  # Any: families of every payload
    """Feedback needs the family's findings."""
    if arm.strategy is Strategy.FEEDBACK and family.feedback is None:
        raise BadInput(f"--arms: {family.spec.name} has no words for {arm.name!r}")


async def _single(asking: Asking) -> list[ModelOutput]:
    return [await asking.call(words(asking.place.family, asking.place.item, asking.arm), 0)]


async def _vote(asking: Asking) -> list[ModelOutput]:
    said = words(asking.place.family, asking.place.item, asking.arm)
    return await _drawn(asking, said, range(asking.arm.draws))


async def _drawn(asking: Asking, said: str, numbers: range) -> list[ModelOutput]:
    """One prompt several times."""
    if asking.is_batched:
        calls = (asking.call(said, number, is_sampled=True) for number in numbers)
        return list(await collect(*calls))
    return [await asking.call(said, number, is_sampled=True) for number in numbers]


async def _tree(asking: Asking) -> list[ModelOutput]:
    family, item, arm = asking.place.family, asking.place.item, asking.arm
    said, draws = words(family, item, arm), arm.draws
    thoughts = await _drawn(asking, said, range(draws))
    voting = ballot(family, item, arm, [thought.completion for thought in thoughts])
    return thoughts + await _drawn(asking, voting, range(draws, 2 * draws))


async def _feedback(asking: Asking) -> list[ModelOutput]:
    """Ask, say what was found, ask again: up to `draws` rounds after the first reply."""
    family, item = asking.place.family, asking.place.item
    if family.feedback is None:
        raise BadInput(f"--arms: {family.spec.name} has no words for {asking.arm.name!r}")
    messages: list[ChatMessage] = [asking.message(family.prompt(item, asking.arm.prompt))]
    outputs: list[ModelOutput] = []
    for turn in range(asking.arm.draws + 1):
        outputs.append(await asking.say(messages, turn))
        finding = family.feedback(item, reply_of(outputs[-1]))
        if finding is None:
            break
        messages += [
            ChatMessageAssistant(content=outputs[-1].completion),
            ChatMessageUser(content=finding),
        ]
    return outputs


_STRATEGIES: dict[Strategy, Callable[[Asking], Awaitable[list[ModelOutput]]]] = {
    Strategy.SINGLE: _single,
    Strategy.VOTE: _vote,
    Strategy.TREE: _tree,
    Strategy.FEEDBACK: _feedback,
}
