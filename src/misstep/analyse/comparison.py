"""The nouns of a comparison: intervals, arm summaries, verdicts and what they were drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome


class Verdict(StrEnum):
    """One word for a comparison. There is no word for "no effect": a large p never shows that."""

    HURTS = "hurts"
    HELPS = "helps"
    NO_MEANINGFUL_DIFFERENCE = "no meaningful difference"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


@dataclass(frozen=True)
class ArmSummary:
    """What one arm of one model did. Shares and accuracy are in 0..1, `bias` is in points.

    `outcomes` and `answers` are shares of all replies and of all read answers. `bias` is how much
    oftener the first answer of a two-answer vocabulary was given than it was true, among the
    replies that were read. Tokens, seconds and cost are means over a reply. `ranking` is the
    mean area under the curve within groups (of the baseline arm, where log-probabilities came).
    """

    family: str
    version: int
    who: str
    arm: str
    n: int
    groups: int
    repetitions: int
    accuracy: float
    interval: Interval | None
    outcomes: Mapping[Outcome, float]
    answers: Mapping[str, float]
    bias: float | None
    input_tokens: float | None
    output_tokens: float | None
    reasoning_tokens: float | None
    seconds: float | None
    cost: float | None
    ranking: float | None
    variant: str = ""

    @property
    def unanswered(self) -> float:
        """The share of replies in which no answer could be read."""
        return sum(share for outcome, share in self.outcomes.items() if not outcome.is_answered)


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests against the family's margin; margins are in points.

    `smallest_margin` is what this amount of data could establish if the observed effect were
    zero; `established_margin` is the smallest one that it does establish. Each is None, as is
    `p`, where a single group leaves no measure of the spread.
    """

    margin: float
    p: float | None
    p_adjusted: float | None
    smallest_margin: float | None
    established_margin: float | None


@dataclass(frozen=True)
class LeftOut:
    """The second line: replies without an answer are left out of both arms, in pairs."""

    pairs: int
    n: int
    groups: int
    effect: float
    interval: Interval | None
    p: float
    p_adjusted: float
    verdict: Verdict


@dataclass(frozen=True)
class Needed:
    """A guess at what would decide: 80 % power if the effect and spread stay as observed."""

    items: int
    groups: int
    by: str


@dataclass(frozen=True)
class BestConstant:
    """The answer that is right most often if it is always given."""

    answer: str
    accuracy: float


@dataclass(frozen=True)
class Comparison:
    """One arm against the baseline arm, of one model on one family, paired by item.

    Effects and their intervals are in points, `relative_change` is a share of the baseline's
    accuracy (None where that is 0). `is_small` says that a significant difference lies inside
    the margin. `lost` and `gained` count the items on which the arm was worse or better.
    `factor` and `level` are set where only the items of one level of a factor are compared.
    """

    family: str
    version: int
    who: str
    arm: str
    baseline: str
    factor: str | None
    level: Scalar
    n: int
    groups: int
    repetitions: int
    baseline_summary: ArmSummary
    arm_summary: ArmSummary
    effect: float
    interval: Interval | None
    relative_change: float | None
    test: str
    p: float
    p_adjusted: float
    paper_p: float | None
    equivalence: Equivalence
    verdict: Verdict
    is_small: bool
    left_out: LeftOut | None
    lost: int
    gained: int
    unpaired: int
    chance: float | None
    best_constant: BestConstant | None
    has_room_to_fall: bool
    can_decide: bool
    to_decide: Needed | None
    warnings: tuple[str, ...]
    variant: str = ""
