"""The data of the family `vehicles`: arms, options, scales, factors and what to expect."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.core.answers import VOCABULARIES
from misstep.core.arms import Arm
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.measures import PASSES
from misstep.core.options import Option

SIZE, PER_CLASS = 10, 5
"""Vehicles of a list, and of each class in it (Table 10)."""

MOST_PASSES = 15
"""After so many passes without a perfect one the list is given up (C.1, C.2)."""

CLASSES = ("A", "B")

OPTIONS = (
    Option(
        "protocol",
        "controlled",
        "controlled: one exception in each class, irrelevant features exactly uncorrelated with "
        "it; paper: each descriptor flipped with probability .2, features drawn freely, cold is A",
        ("controlled", "paper"),
    ),
    Option(
        "mapping",
        "counterbalanced",
        "counterbalanced: of two lists one has cold as Class A, the other as Class B; "
        "paper: cold is always Class A",
        ("counterbalanced", "paper"),
    ),
    Option(
        "history",
        "answers",
        "what the conversation keeps of a reply; answers: A or B; text: its whole text",
        ("answers", "text"),
    ),
)

SPEC = Spec(
    name="vehicles",
    title="Vehicles",
    version=1,
    source="Mind Your Step, §4.3 and C.1-C.3; after Williams, Lombrozo & Rehder (2013)",
    measures="learning a pattern that has exceptions: passes over ten vehicles until all are right",
    arms=(
        Arm("direct", "only the answer is asked for (Table 11)", "direct", is_default=True),
        Arm("cot", "reasoning is asked for before each answer (C.2)", "cot", is_default=True),
        Arm(
            "explain",
            "after each feedback an explanation is asked for, as of people (Williams et al., 2013)",
            "explain",
        ),
    ),
    options=OPTIONS,
    factors=("mapping", "exceptions"),
    scales={"quick": Scale(6), "paper": Scale(240)},
    vocabulary=VOCABULARIES["class_ab"],
    chance=14.9,
    margin=1.0,
    measure=PASSES,
    context=20_480,
    prediction=Prediction(
        hurts_people=True,
        shared_by_models=True,
        direction="thinking hurts",
        source="Williams, Lombrozo & Rehder (2013); Mind Your Step, §3 and §4.3",
        effect="people who explained each vehicle's class took longer to learn them and erred more",
    ),
)


@dataclass(frozen=True)
class VehiclesPayload:
    """A list of ten vehicles, feature by feature, and how far its conversation has come.

    The k-th entries of `plates` to `classes` are the k-th vehicle's; `climates` are what its
    descriptor speaks of, `cold` the class that cold points to. `orders` holds the vehicles' places
    (0-based) in the order of each pass. `answers` are those given so far, in the order of the
    turns; None where no answer was read. `is_explaining`: the last vehicle is to be explained.
    """

    plates: tuple[str, ...]
    descriptors: tuple[str, ...]
    climates: tuple[str, ...]
    transmissions: tuple[str, ...]
    seat_covers: tuple[str, ...]
    doors: tuple[str, ...]
    classes: tuple[str, ...]
    cold: str
    orders: tuple[tuple[int, ...], ...]
    history: str
    answers: tuple[str | None, ...] = ()
    is_explaining: bool = False

    @property
    def warm(self) -> str:
        return other(self.cold)

    @property
    def current(self) -> int:
        """The vehicle that this turn is about."""
        return self.shown(len(self.answers) - self.is_explaining)

    def shown(self, answer: int) -> int:
        """The vehicle of the answer with this number, from 0."""
        return self.orders[answer // SIZE][answer % SIZE]

    def pointed(self, vehicle: int) -> str:
        """The class that the vehicle's descriptor points to: its lure."""
        return self.cold if self.climates[vehicle] == "cold" else self.warm


def other(name: str) -> str:
    """The other class."""
    return CLASSES[1 - CLASSES.index(name)]
