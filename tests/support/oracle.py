"""A small family and an instant provider with usage set, for tests of whatever runs models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    modelapi,
)

from misstep.core.answers import VOCABULARIES, read
from misstep.core.arms import Arm, Strategy
from misstep.core.family import Family, Options, Prediction, Scale, Solution, Spec
from misstep.core.items import Groups, Item
from misstep.core.judging import score_reading
from misstep.core.outcomes import Outcome, Reply, Score

SPEC = Spec(
    name="parity",
    title="Parity",
    version=1,
    source="this test",
    measures="is a number even",
    arms=(
        Arm("direct", "at once", "direct", is_default=True),
        Arm("cot", "reason first", "cot", is_default=True),
        Arm("tot", "five thoughts", "cot", Strategy.TREE, 5),
        Arm("feedback", "told what is wrong, twice", "direct", Strategy.FEEDBACK, 2),
    ),
    options=(),
    factors=("number",),
    scales={"paper": Scale(10), "quick": Scale(3, per_truth=1)},
    vocabulary=VOCABULARIES["yes_no"],
    chance=0.5,
    margin=3.0,
    prediction=Prediction(False, False, "helps", "this test"),
)


@dataclass(frozen=True)
class Payload:
    number: int


def generate(seed: int, options: Options) -> Groups[Payload]:
    for group in count():
        numbers = range(100 * seed + 4 * group, 100 * seed + 4 * group + 4)
        yield tuple(
            Item(
                id=f"parity-{seed}-{number}",
                family="parity",
                version=1,
                group=f"parity-{seed}-g{group}",
                payload=Payload(number),
                truth="No" if number % 2 else "Yes",
                lure=None,
                factors={"number": number},
            )
            for number in numbers
        )


def prompt(item: Item[Payload], wording: str) -> str:
    return f"Is {item.payload.number} even? Yes or No. ({wording})"


def score(item: Item[Payload], reply: Reply) -> Score:
    return score_reading(read(reply.text, SPEC.vocabulary, reply.stop_reason), item.truth)


def feedback(item: Item[Payload], reply: Reply) -> str | None:
    is_right = score(item, reply).outcome is Outcome.CORRECT
    return None if is_right else f"{item.payload.number} is not as you say. Again."


def always_yes(item: Item[Payload]) -> Solution:
    return Solution("Yes", score=float(-item.payload.number))


FAMILY: Family[Payload] = Family(
    spec=SPEC,
    payload=Payload,
    generate=generate,
    prompt=prompt,
    score=score,
    solvers={"yes": always_yes},
    solver_about={"yes": "always Yes"},
    thought=lambda item: f"Think: is {item.payload.number} even?",
    feedback=feedback,
    ballot=lambda item, thoughts: f"Which is best for {item.payload.number}? {len(thoughts)}",
)


@dataclass
class Oracle:
    """What the provider says, and all it was asked; a test sets `answer`."""

    calls: list[tuple[str, GenerateConfig]] = field(default_factory=list)
    answer: Callable[[str], str | Exception | BaseException] = lambda prompt: "Yes"
    stop_reason: StopReason = "stop"

    def reset(self) -> None:
        self.calls.clear()
        self.answer = lambda prompt: "Yes"
        self.stop_reason = "stop"


ORACLE = Oracle()


@modelapi(name="oracle")
class OracleAPI(ModelAPI):
    """Answers at once from the test's function; `connections` bounds how many at a time."""

    def __init__(
        self, model_name: str, connections: int = 1, **kwargs: Any
    ) -> None:  # Any: passed on
        super().__init__(model_name, **kwargs)
        self._connections = connections

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        words = input[-1].text
        ORACLE.calls.append((words, config))
        said = ORACLE.answer(words)
        if isinstance(said, BaseException):
            raise said
        output = ModelOutput.from_content(self.model_name, said, stop_reason=ORACLE.stop_reason)
        output.usage = ModelUsage(input_tokens=10, output_tokens=3, total_tokens=13)
        return output

    def max_connections(self) -> int:
        return self._connections
