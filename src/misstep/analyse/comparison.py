"""The nouns of a comparison: intervals, arm summaries, verdicts and what they were drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from misstep.analyse.detection import Detection
from misstep.core.items import Scalar
from misstep.core.measures import ACCURACY, Measure
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
    """What one arm of one model did. Shares are in 0..1, `bias` is in points.

    `accuracy` is the mean of the measure: a share of right answers, a score, or passes.

    `outcomes` and `answers` are shares of all replies and of all read answers. `bias` is how much
    oftener the first answer of a two-answer vocabulary was given than it was true, among the
    replies that were read. Tokens, seconds and cost are means over a reply. `ranking` is the
    mean area under the curve within groups (of the baseline arm, where log-probabilities came).
    `participants` is their number where people answered, all as one side; None for a model.
    `detection` is of a two-answer vocabulary, where items of either truth were answered and no
    passes are counted.
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
    measure: Measure = ACCURACY
    participants: int | None = None
    detection: Detection | None = None

    @property
    def unanswered(self) -> float:
        """The share of replies in which no answer could be read."""
        return sum(share for outcome, share in self.outcomes.items() if not outcome.is_answered)


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests against the family's margin; margins are in the measure's unit.

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
    p: float | None
    p_adjusted: float | None
    verdict: Verdict


@dataclass(frozen=True)
class OneSided:
    """Whether one side is at most the margin worse than the other.

    `bound` is the most by which it may be worse, one-sided at 95 %. All None where a single group
    leaves no measure of the spread, or where no reply could be read.
    """

    p: float | None
    p_adjusted: float | None
    bound: float | None
    is_shown: bool


@dataclass(frozen=True)
class NonInferiority:
    """Both questions at the user's margin; usually the baseline, direct, is the cheap side."""

    margin: float
    baseline: OneSided
    arm: OneSided


@dataclass(frozen=True)
class Repeated:
    """Where the spread comes from when every item is asked several times, in squared units.

    `baseline_sampling` and `arm_sampling` are the variance of a reply about its item's own mean;
    `items` that of the items' true differences about the effect (without sampling, unbiased, so
    it may fall below 0). `sampling_share` is the share of the effect's squared standard error
    that more repetitions could remove. `helps` is "more items" or "more repetitions".
    """

    baseline_sampling: float
    arm_sampling: float
    items: float
    sampling_share: float | None
    helps: str


@dataclass(frozen=True)
class Solving:
    """Passes of one arm: the share that ever solved, and by each pass from the first.

    Where the records say so (docs/records.md), `right` is the mean of right answers in each pass,
    of `pass_size`, and `lure_share` the share of all `errors` that give the lure. `right` is empty
    and the others None where they don't, or where there is no error.
    """

    solved: float
    curve: tuple[float, ...]
    right: tuple[float | None, ...] = ()
    pass_size: int | None = None
    errors: int | None = None
    lure_share: float | None = None


@dataclass(frozen=True)
class LogRank:
    """A description only, since it takes both arms for different items."""

    chi_square: float
    p: float


@dataclass(frozen=True)
class Learning:
    """Passes of both arms; `log_rank` is None where nobody solved anything."""

    baseline: Solving
    arm: Solving
    log_rank: LogRank | None


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
    """One arm against the baseline arm of one model on one family, paired by item.

    Or, with `between` "models", one model (`who`) against another (`baseline_who`) in one arm.
    Effects and their intervals are in the measure's unit, `relative_change` is a share of the
    baseline's mean (None where that is 0). `p` is None where nothing can be tested. `is_small`
    says that a significant difference lies inside the margin. `lost` and `gained` count the items
    on which the arm (or model) was worse or better. `factor` and `level` are set where only the
    items of one level of a factor are compared. With `is_sequential` the run could stop after any
    group: intervals and ps are anytime-valid, `looks` groups of `looks_planned` were looked at,
    `answers` of `answers_planned` used (None where groups differ in size, or in a level).
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
    p: float | None
    p_adjusted: float | None
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
    measure: Measure = ACCURACY
    between: str = "arms"
    baseline_who: str | None = None
    non_inferiority: NonInferiority | None = None
    repeated: Repeated | None = None
    learning: Learning | None = None
    is_sequential: bool = False
    looks: int | None = None
    looks_planned: int | None = None
    answers: int | None = None
    answers_planned: int | None = None

    @property
    def unit(self) -> str:
        """What effects and margins are in: "points" or "passes"."""
        return self.measure.unit

    @property
    def one(self) -> str:
        """The name of the side that is held against the other."""
        return self.arm if self.baseline_who is None else self.who

    @property
    def other(self) -> str:
        """The name of the baseline side."""
        return self.baseline if self.baseline_who is None else self.baseline_who

    @property
    def participants(self) -> int | None:
        """How many people answered on either side; None where only models did."""
        counts = (self.baseline_summary.participants, self.arm_summary.participants)
        return max((count for count in counts if count is not None), default=None)
