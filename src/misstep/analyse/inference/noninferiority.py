"""Non-inferiority: one side is at most so much worse than the other, one-sided at 5 %."""

from __future__ import annotations

import math

from misstep.analyse.comparison import NonInferiority, OneSided
from misstep.analyse.estimate import Basis, Estimate
from misstep.analyse.verdict import ALPHA
from misstep.core.errors import BadInput
from misstep.core.measures import Measure

_OPTION = "--non-inferiority"


def check_margin(margin: float, measures: dict[str, Measure], option: str = _OPTION) -> None:
    """One margin can't hold for points and passes at once; `measures` by family."""
    units = {measure.unit: family for family, measure in measures.items()}
    if len(units) > 1:
        meant = " and ".join(f"{unit} for {family}" for unit, family in units.items())
        raise BadInput(f"{option}: {margin:g} would be {meant}; compare one of them at a time")
    if not math.isfinite(margin) or margin <= 0:
        raise BadInput(f"{option}: {margin:g} is not above 0")
    for measure in measures.values():
        if margin >= measure.span:
            raise BadInput(f"{option}: {margin:g} is not below {measure.span:g} {measure.unit}")


def p_at_most_worse(basis: Basis | None, margin: float, direction: float) -> float | None:
    """One-sided p of the claim, by the road that the interval takes (Tango, or t).

    `direction` is 1 for the side that a positive effect puts at a disadvantage, else -1.
    """
    if basis is None:
        return None
    return basis.p_below(margin) if direction > 0 else basis.p_above(-margin)


def bound_of(basis: Basis | None, measure: Measure, direction: float) -> float | None:
    """The most by which that side is worse, one-sided at 95 %; below 0 where it is better."""
    if basis is None:
        return None
    reach = basis.interval(1 - 2 * ALPHA)
    return min(measure.span, reach.high if direction > 0 else -reach.low)


def ps(found: Estimate, margin: float | None, measure: Measure) -> tuple[float | None, ...]:
    """Of the baseline, then of the arm; unknown without a margin."""
    if margin is None:
        return None, None
    return tuple(
        p_at_most_worse(found.basis, margin, direction)
        for direction in (measure.sign, -measure.sign)
    )


def non_inferiority(
    found: Estimate,
    margin: float,
    measure: Measure,
    adjusted: tuple[float | None, float | None],
) -> NonInferiority:
    """Both questions; `adjusted` are their ps after Holm, each over a family of its own."""
    baseline, arm = (
        OneSided(
            p=p_at_most_worse(found.basis, margin, direction),
            p_adjusted=p,
            bound=bound_of(found.basis, measure, direction),
            is_shown=p is not None and p < ALPHA,
        )
        for direction, p in zip((measure.sign, -measure.sign), adjusted, strict=True)
    )
    return NonInferiority(margin, baseline, arm)
