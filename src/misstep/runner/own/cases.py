"""What scoring knows of an item, and the family that stands for a task of the user's own."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from misstep.core.answers import Vocabulary
from misstep.core.arms import Arm
from misstep.core.errors import MisstepError
from misstep.core.family import Family, Prediction, Scale, Spec
from misstep.core.items import Item, Scalar
from misstep.core.outcomes import Reply, Score
from misstep.core.questions import PREFIX, VERSION, Json, Question

MARGIN = 3.0
ARMS = (
    Arm("plain", "the task's own words and nothing else", "plain"),
    Arm("direct", "the task's own words, and only the answer is asked for", "direct"),
    Arm("cot", "the task's own words, and reasoning is asked for before the answer", "cot"),
)
"""The baseline, on whose words the thinking arms stand, and two wordings after Mind Your Step."""


@dataclass(frozen=True)
class Case:
    """An item as a scorer sees it. `answer` None: not known; `row` are the columns of its row."""

    id: str
    group: str
    words: str
    answer: Json = None
    choices: tuple[str, ...] = ()
    schema: Mapping[str, Json] | None = None
    factors: Mapping[str, Scalar] = field(default_factory=dict)
    row: Mapping[str, Json] = field(default_factory=dict)
    place: str = ""

    @property
    def truth(self) -> str:
        """The answer as records hold it; empty where it isn't known."""
        if self.answer is None:
            return ""
        return self.answer if isinstance(self.answer, str) else json.dumps(self.answer)

    @property
    def accepted(self) -> tuple[str, ...]:
        """The answers that are right, as texts: several where the row has a list of them."""
        listed = self.answer if isinstance(self.answer, list) else [self.answer]
        return tuple(one if isinstance(one, str) else json.dumps(one) for one in listed)


Judge = Callable[[Case, TaskState, Target], Awaitable[Score]]
Grade = Callable[[Case, Reply], Score]


@dataclass(frozen=True)
class Nothing:
    """The payload of items whose words the runner's own task holds."""


def case_of(question: Question) -> Case:
    return Case(
        id=question.id,
        group=question.group,
        words=question.messages[-1].text,
        answer=question.answer,
        choices=question.choices,
        schema=question.schema,
        factors=question.factors,
        row=question.columns,
        place=question.place,
    )


def item_of(name: str, case: Case) -> Item[Nothing]:
    return Item(
        id=case.id,
        family=PREFIX + name,
        version=VERSION,
        group=case.group,
        payload=Nothing(),
        truth=case.truth,
        lure=None,
        factors=case.factors,
    )


def own_family(name: str, groups: int) -> Family[Nothing]:
    """The family of a task of the user's own: what the runner needs to know of every family.

    Its items come from the task, its words and scores from the task's solver and scorer, so that
    none of its own functions is ever called.
    """
    spec = Spec(
        name=PREFIX + name,
        title=name,
        version=VERSION,
        source="a task of the user's own",
        measures="whatever its scorer does",
        arms=ARMS,
        options=(),
        factors=(),
        scales={"quick": Scale(groups)},
        vocabulary=Vocabulary("own", ()),
        chance=0.0,
        margin=MARGIN,
        prediction=Prediction(False, False, "none", "none"),
    )

    def never(*_: object) -> MisstepError:
        raise MisstepError(f"{spec.name}: is asked and scored by its own task")

    return Family(spec, Nothing, never, never, never, {}, {})  # type: ignore[arg-type]  # one function in the place of several that are never called
