"""A provider whose replies are right or wrong by chance, of the item's own right answers.

Every reply is a fixed draw by its place (item, arm, turn, call), so that a test can say without
asking what was drawn. Votes are recognised by what they are asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)

from misstep.core.seeds import stream
from misstep.runner.calls.asking import Place, current_place

_VOTE = re.compile(r"Please ONLY answer with its number: .* or (\d+)\.\Z")
MODEL = "sampler/x"


@dataclass
class Sampler:
    """`accuracy` is the chance of a right reply; `asked` what was asked, each with its place."""

    accuracy: float = 1.0
    asked: list[tuple[Place, list[ChatMessage]]] = field(default_factory=list)

    def reset(self, accuracy: float = 1.0) -> None:
        self.accuracy = accuracy
        self.asked.clear()

    def is_right(self, item: str, arm: str, turn: int, call: int) -> bool:
        chance = stream("sampler", 1, 0, item, arm, turn, call)
        return chance.below(1000) < round(1000 * self.accuracy)

    def vote(self, item: str, arm: str, turn: int, call: int, thoughts: int) -> int:
        return 1 + stream("sampler", 1, 0, "vote", item, arm, turn, call).below(thoughts)

    def said(self, place: Place, words: str) -> str:
        where = (place.item.id, place.arm, place.turn, place.call)
        vote = _VOTE.search(words)
        if vote is not None:
            return str(self.vote(*where, thoughts=int(vote[1])))
        if self.is_right(*where):
            return str(place.item.truth)
        others = [one for one in place.family.spec.vocabulary.answers if one != place.item.truth]
        return others[0] if others else "I can't say."


SAMPLER = Sampler()


class SamplerAPI(ModelAPI):
    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        place = current_place()
        assert place is not None
        SAMPLER.asked.append((place, input))
        output = ModelOutput.from_content(self.model_name, SAMPLER.said(place, input[-1].text))
        output.usage = ModelUsage(input_tokens=10, output_tokens=3, total_tokens=13)
        return output

    def max_connections(self) -> int:
        return 1


modelapi(name="sampler")(SamplerAPI)
