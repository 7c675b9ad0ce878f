"""Before a run: how probably a design decides, for a difference, equivalence, non-inferiority.

Analytic throughout; simulation agrees within two points. Effects and margins are in the family's
unit (points, passes); powers, discordance and standard deviations are in 0..1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import stats

from misstep.analyse.inference.intervals import tango_z
from misstep.analyse.inference.signflip import EXACT_UP_TO, smallest_p
from misstep.analyse.verdict import ALPHA

Floats = npt.NDArray[np.float64]
POWER = 0.8
MOST_GROUPS = 1_000_000
MOST_REPETITIONS = 1_000
_WINDOW = 9.0
_SLICES = 2_000


@dataclass(frozen=True)
class Assumptions:
    """What a design's power hangs on; `docs/power-and-cost.md` says where the defaults are from.

    `discordance` is the share of pairs of single replies that differ (of scores: their mean
    squared difference); an effect larger than it is taken to raise it. `between` is the standard
    deviation of the groups' true differences, of no account where a group is one item. Of the
    rest of the variance, `sampling_share` is chance in the replies, which repetitions average out.
    """

    discordance: float = 0.35
    between: float = 0.1
    sampling_share: float = 0.5


@dataclass(frozen=True)
class Design:
    """How much is asked. `size` is the mean number of items a group.

    `unevenness` is the mean square of the groups' sizes over the square of their mean, 1 where
    all are equal. `comparisons` are decided together (Holm): the first one must pass at
    `ALPHA / comparisons`, which is what power is reckoned with. `span` is the largest difference
    there can be, in the unit, and `step` the smallest between two values, as a share of the span:
    1 where a reply is right or wrong, 0 where a score may take any value.
    """

    groups: int
    size: float = 1.0
    repetitions: int = 1
    comparisons: int = 1
    unevenness: float = 1.0
    span: float = 100.0
    step: float = 1.0

    @property
    def items(self) -> int:
        return round(self.groups * self.size)

    @property
    def alpha(self) -> float:
        return ALPHA / self.comparisons

    @property
    def are_groups_items(self) -> bool:
        return self.size == 1.0

    @property
    def is_mcnemar(self) -> bool:
        """Single items, right or wrong; averaged over repetitions they are neither."""
        return self.are_groups_items and self.repetitions == 1 and self.step == 1.0


Power = Callable[[Design, Assumptions, float], float]


def difference_power(design: Design, assumed: Assumptions, effect: float) -> float:
    """The probability that the primary test says p < alpha where the true effect is `effect`."""
    if smallest_p(design.groups) >= design.alpha:
        return 0.0
    true = effect / design.span
    if design.is_mcnemar:
        discordance = max(assumed.discordance, abs(true))
        return mcnemar_power(design.groups, discordance, true, design.alpha)
    error = standard_error(design, assumed, effect)
    tie = design.step / (design.items * design.repetitions) / error
    return sign_flip_power(design.groups, abs(true) / error, tie, design.alpha)


def mcnemar_power(items: int, discordance: float, effect: float, alpha: float = ALPHA) -> float:
    """Of the exact McNemar test, summed over the number of discordant pairs and their split."""
    if discordance == 0:
        return 0.0
    reach = _WINDOW * math.sqrt(items * discordance * (1 - discordance)) + _WINDOW
    middle = items * discordance
    counts = np.arange(
        max(0, math.floor(middle - reach)), min(items, math.ceil(middle + reach)) + 1
    )
    fewest = stats.binom.ppf(alpha / 2, counts, 0.5)
    # The quantile is the first count whose tail reaches alpha / 2; only those below it reject.
    fewest = np.where(2 * stats.binom.cdf(fewest, counts, 0.5) < alpha, fewest, fewest - 1)
    lost = min(1.0, max(0.0, (discordance - effect) / (2 * discordance)))
    rejected = stats.binom.cdf(fewest, counts, lost) + stats.binom.cdf(fewest, counts, 1 - lost)
    return float(np.sum(stats.binom.pmf(counts, items, discordance) * rejected))


def sign_flip_power(groups: int, shift: float, tie: float = 0.0, alpha: float = ALPHA) -> float:
    """`shift` is the true mean over its standard error.

    By the t test that the sign-flip test approaches, at the level that so few groups' patterns
    of signs can reach. Where only the most extreme pattern rejects, all groups must agree.
    Patterns that tie with the observed sum count against it; sums of whole numbers move by two
    from pattern to pattern, which costs half of that: `tie`, in standard errors.
    """
    level = _reachable(groups, alpha)
    if level == 0:
        return 0.0
    if level == smallest_p(groups):
        each = math.sqrt(groups)
        above = stats.norm.cdf((shift - tie * groups / 2) / each)
        below = stats.norm.cdf((-shift - tie * groups / 2) / each)
        return float(above**groups + below**groups)
    bar = float(stats.t.ppf(1 - level / 2, groups - 1))
    above = _beyond(bar, shift - tie, groups - 1)
    return min(1.0, above + _beyond(bar, -shift - tie, groups - 1))


def _reachable(groups: int, alpha: float) -> float:
    """The largest share of patterns of signs that lies below alpha."""
    if groups > EXACT_UP_TO:
        return alpha
    step = smallest_p(groups)
    return step * (math.ceil(alpha / step) - 1)


def _beyond(bar: float, shift: float, freedom: int) -> float:
    """P(T > bar) of a t that is shifted, averaged over slices of its spread's distribution."""
    return float(np.mean(stats.norm.sf(bar * _spreads(freedom) - shift)))


def _spreads(freedom: int) -> Floats:
    """The observed standard deviation over the true one, in slices that are all as likely."""
    places = (np.arange(_SLICES) + 0.5) / _SLICES
    spreads: Floats = np.sqrt(stats.chi2.ppf(places, freedom) / freedom)
    return spreads


def equivalence_power(
    design: Design, assumed: Assumptions, margin: float, effect: float = 0.0
) -> float:
    """That both one-sided tests against the margin pass where the true effect is `effect`."""
    if design.groups < 2:
        return 0.0
    if design.is_mcnemar:
        return _score_power(design, assumed, margin, effect, is_two_sided=True)
    error = standard_error(design, assumed, effect)
    bars = float(stats.t.ppf(1 - design.alpha, design.groups - 1)) * _spreads(design.groups - 1)
    above = stats.norm.cdf((margin - effect) / design.span / error - bars)
    below = stats.norm.cdf(bars - (margin + effect) / design.span / error)
    passed = float(np.mean(np.maximum(0.0, above - below)))
    return _with_all_alike(design, assumed, margin, effect, passed)


def noninferiority_power(
    design: Design, assumed: Assumptions, margin: float, effect: float = 0.0
) -> float:
    """That the one-sided test shows the arm at most `margin` worse."""
    if design.groups < 2:
        return 0.0
    if design.is_mcnemar:
        return _score_power(design, assumed, margin, effect, is_two_sided=False)
    bar = float(stats.t.ppf(1 - design.alpha, design.groups - 1))
    shift = (margin + effect) / design.span / standard_error(design, assumed, effect)
    passed = _beyond(bar, shift, design.groups - 1)
    return _with_all_alike(design, assumed, margin, effect, passed)


def _with_all_alike(
    design: Design, assumed: Assumptions, margin: float, effect: float, passed: float
) -> float:
    """The power where data may come without a single pair that differs.

    They have no spread to reckon with; the comparison then takes Tango's interval of the groups.
    """
    discordance = max(assumed.discordance, abs(effect / design.span))
    if discordance > 0 and design.step != 1.0:
        return passed
    alike = (1 - discordance) ** (design.items * design.repetitions)
    return (1 - alike) * passed + alike * _passes_alike(design, margin)


def _passes_alike(design: Design, margin: float) -> float:
    """Whether groups that all agree lie within the margin: Tango's score where nothing differs."""
    square = float(stats.norm.ppf(1 - design.alpha)) ** 2
    return float(margin / design.span > square / (design.groups + square))


def _score_power(
    design: Design, assumed: Assumptions, margin: float, effect: float, *, is_two_sided: bool
) -> float:
    """Of Tango's score tests: normal for gained minus lost, with the null's spread as expected."""
    n, true, bound = design.groups, effect / design.span, margin / design.span
    discordance = max(assumed.discordance, abs(true))
    spread = math.sqrt(n * (discordance - true**2))
    if spread == 0:
        return _passes_alike(design, margin)
    bar = float(stats.norm.ppf(1 - design.alpha))
    lowest = math.floor(bar * _null_spread(n, discordance, true, -bound) - n * bound) + 1
    below = stats.norm.cdf((lowest - 0.5 - n * true) / spread)
    if not is_two_sided:
        return float(1 - below)
    highest = math.ceil(n * bound - bar * _null_spread(n, discordance, true, bound)) - 1
    above = stats.norm.cdf((highest + 0.5 - n * true) / spread)
    return max(0.0, float(above - below))


def _null_spread(n: int, discordance: float, true: float, bound: float) -> float:
    """The standard deviation that the score statistic divides by, at the counts expected."""
    gained, lost = n * (discordance + true) / 2, n * (discordance - true) / 2
    distance = n * (true - bound)
    return distance / tango_z(gained, lost, n, bound) if distance else math.sqrt(n * discordance)


def standard_error(design: Design, assumed: Assumptions, effect: float) -> float:
    """Of the mean difference, in 0..1: groups, items within them, and chance in replies."""
    true = effect / design.span
    whole = max(assumed.discordance, abs(true)) - true**2
    between = 0.0 if design.are_groups_items else min(assumed.between**2, whole)
    chance = assumed.sampling_share
    within = (whole - between) * (1 - chance + chance / design.repetitions)
    variance = (between * design.unevenness + within / design.size) / design.groups
    return max(math.sqrt(variance), 1e-9)


def detectable_effect(design: Design, assumed: Assumptions, power: float = POWER) -> float | None:
    """The smallest effect found with this power; None where even the largest is not."""
    return _smallest(lambda effect: difference_power(design, assumed, effect), power, design.span)


def smallest_margin(
    design: Design, assumed: Assumptions, of: Power, power: float = POWER
) -> float | None:
    """The smallest margin that `of` (equivalence or non-inferiority) shows where arms are equal."""
    return _smallest(lambda margin: of(design, assumed, margin), power, design.span)


def _smallest(power_at: Callable[[float], float], power: float, span: float) -> float | None:
    """To a twenty-thousandth of the span."""
    low, high = 0.0, span
    if power_at(high) < power:
        return None
    while high - low > span / 20_000:
        middle = (low + high) / 2
        low, high = (middle, high) if power_at(middle) < power else (low, middle)
    return high


def groups_needed(
    design: Design, assumed: Assumptions, of: Power, points: float, power: float = POWER
) -> int | None:
    """The groups that `of` needs at this effect or margin; None where a million don't do."""
    return _fewest(
        lambda groups: of(replace(design, groups=groups), assumed, points), power, MOST_GROUPS
    )


def repetitions_needed(
    design: Design, assumed: Assumptions, of: Power, points: float, power: float = POWER
) -> int | None:
    """The repetitions of the same items that `of` needs; None where a thousand don't do."""
    return _fewest(
        lambda repetitions: of(replace(design, repetitions=repetitions), assumed, points),
        power,
        MOST_REPETITIONS,
    )


def least_groups(comparisons: int = 1) -> int:
    """The fewest groups that can be significant at all: six, and more under Holm."""
    groups = 1
    while smallest_p(groups) >= ALPHA / comparisons:
        groups += 1
    return groups


def _fewest(power_at: Callable[[int], float], power: float, most: int) -> int | None:
    low, high = 0, 1
    while power_at(high) < power:
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power_at(middle) < power else (low, middle)
    return high
