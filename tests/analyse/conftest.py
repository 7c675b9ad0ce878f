"""Small experiments as records, made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from misstep.core.answers.vocabulary import VOCABULARIES
from misstep.core.arms import Arm
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

Experiment = Callable[..., list[Record]]
_LETTERS = {
    "c": Outcome.CORRECT,
    "w": Outcome.WRONG,
    "u": Outcome.UNPARSED,
    "r": Outcome.REFUSED,
    "t": Outcome.TRUNCATED,
    "e": Outcome.EMPTY,
}


@pytest.fixture
def spec() -> Spec:
    return Spec(
        name="grammar",
        title="Artificial grammar",
        version=1,
        source="",
        measures="",
        arms=(Arm("direct", "", "direct"), Arm("cot", "", "cot")),
        options=(),
        factors=("length",),
        scales={"quick": Scale(2)},
        vocabulary=VOCABULARIES["yes_no"],
        chance=0.5,
        margin=3.0,
        prediction=Prediction(True, True, "hurts", ""),
    )


@pytest.fixture
def experiment() -> Experiment:
    """Records from letters: `experiment(direct="cc wc", cot="cw ww")` is two groups of two."""

    def make(who: str = "model", repetition: int = 0, **arms: str) -> list[Record]:
        return [
            _record(who, arm, f"g{group}", place, letter, repetition)
            for arm, groups in arms.items()
            for group, letters in enumerate(groups.split())
            for place, letter in enumerate(letters)
        ]

    return make


def _record(who: str, arm: str, group: str, place: int, letter: str, repetition: int) -> Record:
    outcome = _LETTERS[letter]
    truths: Sequence[str] = ("Yes", "No")
    truth = truths[place % 2]
    answer = {"c": truth, "w": truths[1 - place % 2]}.get(letter)
    return Record(
        family="grammar",
        version=1,
        who=who,
        item=f"{group}/{place}",
        group=group,
        arm=arm,
        repetition=repetition,
        outcome=outcome,
        value=float(letter == "c") if outcome.is_answered else None,
        answer=answer,
        truth=truth,
        factors={"length": 3 + place},
        output_tokens=2 if arm == "direct" else 200,
        seconds=0.5 if arm == "direct" else 20.0,
    )
