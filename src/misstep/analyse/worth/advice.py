"""Which arm to take: the cheap one if it isn't worse, the dear one if it pays, or more items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from misstep.analyse.cheapest import Cheapest, Step
from misstep.analyse.comparison import Comparison
from misstep.analyse.verdict import ALPHA
from misstep.analyse.worth.worth import BreakEven, Worth
from misstep.core.measures import Measure


class Why(StrEnum):
    """WORSE: the dearest arm is shown to be worse than the cheapest. ENOUGH: a cheaper arm is shown
    to be at most the margin worse. BETTER: the dearest is shown to be better than the cheapest.
    OPEN: none of these is shown. UNPRICED: nothing says what a reply takes.
    """

    WORSE = "worse"
    ENOUGH = "enough"
    BETTER = "better"
    OPEN = "open"
    UNPRICED = "unpriced"


@dataclass(frozen=True)
class Advice:
    """Which of a model's arms to take.

    `arm` is None where nothing is shown. `cheap` and `dear` are the two arms that it is about: the
    dearest of all, and the cheapest that isn't worse, or failing that the cheapest. `share` is the
    cheap one's price over the dear one's (`by` says of what), None where the dear one is free or
    nothing is known. `worse` is the most by which the cheap arm may be worse, in the unit,
    one-sided at 95 %; `effect` the dear arm less the cheap one. `more` is a guess at the items that
    would decide.
    """

    family: str
    version: int
    variant: str
    who: str
    why: Why
    arm: str | None
    margin: float
    measure: Measure
    by: str | None = None
    share: float | None = None
    worse: float | None = None
    effect: float | None = None
    break_even: BreakEven | None = None
    more: int | None = None
    cheap: str | None = None
    dear: str | None = None


def advise(found: Cheapest, comparisons: Sequence[Comparison], worths: Sequence[Worth]) -> Advice:
    """From the cheapest arm that isn't worse than the dearest, and what is shown of these two.

    `comparisons` and `worths` may be those of a whole call; the ones of this model are used.
    """
    named = (found.family, found.version, found.variant, found.who)
    if found.by is None or found.dearest is None or not found.steps:
        return Advice(*named, Why.UNPRICED, None, found.margin, found.measure)
    chosen = next((step for step in reversed(found.steps) if step.arm == found.arm), None)
    step = chosen or found.steps[-1]
    one = _between(comparisons, named, step.arm, found.dearest)
    why = _why(one, step, found, is_enough=chosen is not None)
    takes = {Why.WORSE: step.arm, Why.ENOUGH: step.arm, Why.BETTER: found.dearest}
    return Advice(
        *named,
        why,
        takes.get(why),
        found.margin,
        found.measure,
        by=found.by,
        share=step.price / found.dearest_price if found.dearest_price else None,
        worse=step.bound,
        effect=None if step.effect is None else -step.effect,
        break_even=_break_even(worths, named, step.arm, found.dearest),
        more=one.to_decide.items if one is not None and one.to_decide is not None else None,
        cheap=step.arm,
        dear=found.dearest,
    )


def _why(one: Comparison | None, step: Step, found: Cheapest, *, is_enough: bool) -> Why:
    """The verdict decides between the baseline and another arm; else the interval."""
    side = _shown_side(one, step, found)
    if side < 0:
        return Why.WORSE
    if is_enough:
        return Why.ENOUGH
    return Why.BETTER if side > 0 else Why.OPEN


def _shown_side(one: Comparison | None, step: Step, found: Cheapest) -> int:
    """1 where the dearest arm is shown to be better than the step's, -1 where worse, else 0."""
    if one is not None:
        if one.p_adjusted is None or one.p_adjusted >= ALPHA:
            return 0
        is_arm_better = one.effect * one.measure.sign > 0
        return 1 if is_arm_better == (one.arm == found.dearest) else -1
    if step.interval is None:
        return 0
    low, high = sorted(found.measure.sign * end for end in (step.interval.low, step.interval.high))
    return 1 if high < 0 else -1 if low > 0 else 0


_Named = tuple[str, int, str, str]


def _between(
    comparisons: Sequence[Comparison], named: _Named, one: str, other: str
) -> Comparison | None:
    """None where neither of the two arms is the baseline."""
    for each in comparisons:
        own = (each.family, each.version, each.variant, each.who)
        is_whole = each.factor is None and each.baseline_who is None
        if own == named and is_whole and {each.arm, each.baseline} == {one, other}:
            return each
    return None


def _break_even(worths: Sequence[Worth], named: _Named, cheap: str, dear: str) -> BreakEven | None:
    """Between these two, the dear one in the arm's place."""
    for each in worths:
        own = (each.family, each.version, each.variant, each.who)
        if own == named and {each.arm, each.baseline} == {cheap, dear}:
            found = each.break_even
            return found if found is None or each.arm == dear else found.swapped()
    return None
