"""What the families predict against the verdicts: how often the heuristic was right.

A prediction is of a model that thinks against the same model that answers at once. Each verdict in
a word counts, right or wrong; undecided ones stand apart. Beside it the base rate: how often one
would have been right by always naming the commonest verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from misstep.analyse.claims import DIRECT
from misstep.analyse.comparison import Comparison, Interval, Verdict
from misstep.analyse.inference import intervals
from misstep.analyse.pairing import numbered
from misstep.analyse.people import PEOPLE
from misstep.analyse.splits import is_reference
from misstep.core.arms import (
    NO_THINKING,
    PREFIX,
    REASONING,
    SELF_CONSISTENCY,
    TREE_OF_THOUGHT,
)
from misstep.core.family import Expected, Prediction, Spec

_DELIBERATE = (REASONING, TREE_OF_THOUGHT, SELF_CONSISTENCY)
_MET = {
    Expected.HURTS: (Verdict.HURTS,),
    Expected.HELPS: (Verdict.HELPS,),
    Expected.HURTS_NOT: (Verdict.HELPS, Verdict.NO_MEANINGFUL_DIFFERENCE),
}


@dataclass(frozen=True)
class Tested:
    """One verdict beside its prediction; `is_right` is None where it is undecided."""

    family: str
    version: int
    variant: str
    who: str
    arm: str
    baseline: str
    prediction: Prediction
    expected: Expected
    verdict: Verdict
    is_right: bool | None


@dataclass(frozen=True)
class Score:
    """How often predictions were right; `who` is None over all models.

    Of `decided` verdicts, from so many `families`, `right` were as predicted, and `commonest` was
    the commonest verdict, with the share `base_rate`. Shares and interval are None where nothing is
    decided, and the interval, which is cluster-robust with families as the clusters, also where
    there is a single family: how families differ can't be told from one.
    """

    who: str | None
    decided: int
    undecided: int
    families: int
    right: int
    share: float | None
    interval: Interval | None
    commonest: Verdict | None
    base_rate: float | None


@dataclass(frozen=True)
class Predicted:
    """All verdicts that a prediction is of, the score of each model, and that over all."""

    tested: tuple[Tested, ...]
    models: tuple[Score, ...]
    overall: Score


def predicted(comparisons: Iterable[Comparison], specs: Mapping[str, Spec]) -> Predicted | None:
    """None where no comparison is one that a family predicts. Reference solvers are left out."""
    tested = [
        found for one in comparisons if (found := _tested(one, specs.get(one.family))) is not None
    ]
    if not tested:
        return None
    names = dict.fromkeys(one.who for one in tested)
    models = [_score(who, [one for one in tested if one.who == who]) for who in names]
    return Predicted(tuple(tested), tuple(models), _score(None, tested))


def _tested(one: Comparison, spec: Spec | None) -> Tested | None:
    expected = spec.prediction.expected if spec else None
    if spec is None or expected is None or not _is_of_thinking(one):
        return None
    is_right = None if one.verdict is Verdict.UNDECIDED else one.verdict in _MET[expected]
    asked = (one.family, one.version, one.variant, one.who, one.arm, one.baseline)
    return Tested(*asked, spec.prediction, expected, one.verdict, is_right)


def _is_of_thinking(one: Comparison) -> bool:
    """A model's arm that deliberates, in words or by itself, against one that answers at once."""
    if one.factor is not None or one.baseline_who is not None:
        return False
    if one.who == PEOPLE or is_reference(one.who):
        return False
    arm = one.arm.split("+")[0]
    is_thinking = arm.startswith(PREFIX) and arm != PREFIX + NO_THINKING
    is_deliberate = arm.split(":")[0] in _DELIBERATE
    return (is_deliberate or is_thinking) and one.baseline in (DIRECT, PREFIX + NO_THINKING)


def _score(who: str | None, tested: Sequence[Tested]) -> Score:
    decided = [one for one in tested if one.is_right is not None]
    undecided = len(tested) - len(decided)
    families = len({one.family for one in decided})
    if not decided:
        return Score(who, 0, undecided, families, 0, None, None, None, None)
    right = np.array([float(bool(one.is_right)) for one in decided])
    tally = Counter(one.verdict for one in decided)
    commonest = max(Verdict, key=lambda verdict: tally[verdict])
    return Score(
        who=who,
        decided=len(decided),
        undecided=undecided,
        families=families,
        right=int(right.sum()),
        share=float(right.mean()),
        interval=_interval(right, [one.family for one in decided]),
        commonest=commonest,
        base_rate=tally[commonest] / len(decided),
    )


def _interval(right: intervals.Floats, families: Sequence[str]) -> Interval | None:
    """Wilson's where each family has one verdict."""
    group = numbered(families)
    return intervals.accuracy_interval(right, group) if group.max() > 0 else None
