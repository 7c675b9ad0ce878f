"""The nouns of a comparison from labels: what is known of two arms when only their disagreements
were labelled. How often either arm is right stays unknown, and is in none of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from misstep.analyse.comparison import Equivalence, Interval, Needed, NonInferiority, Verdict
from misstep.core.labels import Label
from misstep.core.records import Record


@dataclass(frozen=True)
class Labelling:
    """The records of one run, and what was said of its disagreements."""

    records: Sequence[Record]
    labels: Sequence[Label]


@dataclass(frozen=True)
class ArmUse:
    """What an arm took, and the share of its replies that hold no answer; means over a reply."""

    arm: str
    replies: int
    unanswered: float
    output_tokens: float | None
    reasoning_tokens: float | None
    seconds: float | None
    cost: float | None


@dataclass(frozen=True)
class Found:
    """What all labels together say; the fields are those of `Comparison`."""

    n: int
    groups: int
    effect: float
    interval: Interval | None
    test: str
    p: float | None
    p_adjusted: float | None
    equivalence: Equivalence
    verdict: Verdict
    is_small: bool
    to_decide: Needed | None
    non_inferiority: NonInferiority | None


@dataclass(frozen=True)
class Extreme:
    """What would be found if every label that is missing spoke for the one arm."""

    effect: float
    p: float | None


@dataclass(frozen=True)
class LabelledComparison:
    """One arm against the baseline arm, by the labels of the replies that disagree.

    Pairs are replies of both arms to an item, one for each repetition: `pairs` in all, of which
    `agreeing` tell nothing, `left_out` were seen and can't be judged, and `missing` have no label
    yet, or labels in conflict (`conflicts` are their items). `n` and `groups` count the items that
    are compared; `lost` and `gained` those on which the arm is known to be worse or better.
    `found` is None as long as labels are missing, or where nothing is left to compare; while they
    are missing, `lowest` and `highest` are what they could still lead to. A reply without an
    answer counts as wrong; `answered` is what is found where such pairs are left out instead, None
    where there are none.
    """

    family: str
    version: int
    who: str
    arm: str
    baseline: str
    variant: str
    n: int
    groups: int
    pairs: int
    agreeing: int
    left_out: int
    missing: int
    conflicts: tuple[str, ...]
    lost: int
    gained: int
    found: Found | None
    lowest: Extreme | None
    highest: Extreme | None
    answered: Found | None
    baseline_use: ArmUse
    arm_use: ArmUse
    unpaired: int
    warnings: tuple[str, ...]

    @property
    def labelled(self) -> int:
        """How many pairs that disagree have a label to go by."""
        return self.pairs - self.agreeing - self.left_out - self.missing
