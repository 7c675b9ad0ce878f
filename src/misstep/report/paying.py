"""Sentences on what a user may pay for: non-inferiority, the cheapest arm, repetitions, passes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from misstep.analyse.cheapest import Cheapest, Step
from misstep.analyse.comparison import ArmSummary, Comparison, OneSided, Verdict
from misstep.core.faults import duration
from misstep.core.measures import Measure
from misstep.report import wording


def non_inferiority_lines(one: Comparison) -> tuple[str, ...]:
    """First of the baseline, which is usually the cheap side, then of the other."""
    found = one.non_inferiority
    if found is None:
        return ()
    margin = wording.margin(found.margin, one.measure)
    return tuple(
        f"{this} is at most {margin} worse than {that}: {_shown(claim, one.measure)}"
        for claim, this, that in (
            (found.baseline, one.other, one.one),
            (found.arm, one.one, one.other),
        )
    )


def _shown(claim: OneSided, measure: Measure) -> str:
    if claim.p is None:
        return "not to be tested"
    after = wording.adjusted(claim.p, claim.p_adjusted)
    word = "shown" if claim.is_shown else "not shown"
    reach = bound(claim.bound, measure)
    return f"{word} (p {wording.p_value(claim.p)}, one-sided{after}; 95 %: {reach})"


def bound(most: float | None, measure: Measure) -> str:
    """The most by which something is worse, which may be that it is better."""
    if most is None:
        return wording.NONE
    if most < 0:
        return f"better by {wording.size(most, measure)} or more"
    return f"worse by {wording.size(most, measure)} at most"


def replies_line(one: Comparison) -> str | None:
    """Where the spread comes from; None where nothing was asked twice."""
    found, measure = one.repeated, one.measure
    if found is None:
        return None
    if found.baseline_sampling == found.arm_sampling == 0:
        return "replies to one item never differed: more repetitions would add nothing"
    first, second, items = (
        f"{math.sqrt(max(0.0, variance)):.{wording.digits(measure)}f}"
        for variance in (found.baseline_sampling, found.arm_sampling, found.items)
    )
    text = (
        f"spread (SD, {measure.unit}): replies to one item {first} in {one.other} and {second} in "
        f"{one.one}, the items' differences {items}"
    )
    share = found.sampling_share
    if share is None:
        return text
    return (
        f"{text}; {wording.percent(share, 0)} of the effect's variance is from the replies: "
        f"{found.helps} help (twice the repetitions: an interval {_narrower(share / 2)} narrower; "
        f"twice the items: {_narrower(0.5)})"
    )


def _narrower(share: float) -> str:
    """By how much an interval shrinks that loses this share of its variance."""
    return wording.percent(1 - math.sqrt(1 - share), 0)


def price_line(one: Comparison) -> str | None:
    """What this verdict took, and what deciding may take; None for people, and where no model was
    paid or read anything."""
    sides = (one.baseline_summary, one.arm_summary)
    if one.factor is not None or any(side.participants is not None for side in sides):
        return None
    taken = _taken(sides, 1.0)
    if not taken:
        return None
    replies = sum(side.n * side.repetitions for side in sides)
    said = f"this verdict took {replies:,} replies: {', '.join(taken)}"
    needed = one.to_decide
    if one.verdict is not Verdict.UNDECIDED or needed is None or not one.n:
        return said
    return f"{said}; deciding may take {', '.join(_taken(sides, needed.items / one.n))} more"


def _taken(sides: Sequence[ArmSummary], share: float) -> list[str]:
    """Money, if any was paid, tokens and time: so many times what all replies took."""

    def total(means: Sequence[float | None]) -> float | None:
        pairs = zip(sides, means, strict=True)
        known = [side.n * side.repetitions * mean for side, mean in pairs if mean is not None]
        return share * math.fsum(known) if len(known) == len(sides) else None

    money = total([side.cost for side in sides])
    read = total([side.input_tokens for side in sides])
    written = total([side.output_tokens for side in sides])
    seconds = total([side.seconds for side in sides])
    parts = [f"money {money:.3g}"] if money else []
    if read is not None and written is not None:
        parts += [f"{read:,.0f} tokens read and {written:,.0f} written"]
    if parts and seconds is not None:
        parts += [f"{duration(seconds)} of calls"]
    return parts


def learning_line(one: Comparison) -> str | None:
    """The shares that solved; None for a measure that counts no passes."""
    found = one.learning
    if found is None:
        return None
    text = (
        f"solved: {one.other} {wording.percent(found.baseline.solved)}, "
        f"{one.one} {wording.percent(found.arm.solved)}"
    )
    if found.log_rank is None:
        return text
    chi_square, p = found.log_rank.chi_square, wording.p_value(found.log_rank.p)
    return (
        f"{text}; log-rank, only to describe, as it ignores the pairing: "
        f"chi-square {chi_square:.2f}, p {p}"
    )


def right_line(one: Comparison) -> str | None:
    """Right answers in the first and the last pass; None where the records don't say."""
    found = one.learning
    if found is None or not (found.baseline.right and found.arm.right):
        return None
    sides = ((one.other, found.baseline), (one.one, found.arm))
    parts = [f"{name} {_first_and_last(own.right)}" for name, own in sides]
    of = f" of {found.baseline.pass_size}" if found.baseline.pass_size else ""
    return f"right{of} in the first and the last pass: {', '.join(parts)}"


def _first_and_last(right: Sequence[float | None]) -> str:
    ends = (right[0], right[-1])
    return " and ".join(wording.NONE if at is None else f"{at:.1f}" for at in ends)


def lure_line(one: Comparison) -> str | None:
    """The share of errors that give the lure; None where the records don't say."""
    found = one.learning
    if found is None or found.baseline.errors is None or found.arm.errors is None:
        return None
    sides = ((one.other, found.baseline), (one.one, found.arm))
    parts = [
        f"{name} {wording.percent(own.lure_share)} of {own.errors:,}"
        if own.lure_share is not None
        else f"{name} made none"
        for name, own in sides
    ]
    return f"errors that follow the lure: {', '.join(parts)}"


def cheapest_lines(found: Cheapest) -> tuple[str, ...]:
    """The answer in a sentence, then the steps to it, from the dearest down."""
    asked = f"{wording.asked(found.family, found.variant)}, {found.who}"
    margin = wording.margin(found.margin, found.measure)
    if found.arm is None:
        return (f"{asked}: no arm can be called the cheapest: {found.missing}.",)
    price = next((step.price for step in found.steps if step.arm == found.arm), None)
    share = ""
    if price is not None and found.dearest_price:
        share = f", at {wording.percent(price / found.dearest_price)} of its {found.by}"
    head = (
        f"{asked}: the cheapest arm that isn't worse than {found.dearest} by more than {margin}: "
        f"{found.arm}{share}"
    )
    return (head, *(_step_line(step, found) for step in found.steps))


def _step_line(step: Step, found: Cheapest) -> str:
    price = f"{step.price:.4g} {found.by} a reply"
    if step.p is None:
        return f"{step.arm} ({price}): not to be tested against {found.dearest}"
    reach = bound(step.bound, found.measure)
    p = wording.p_value(step.p)
    return f"{step.arm} ({price}): {_claim(step, found)} (p {p}, one-sided; 95 %: {reach})"


def _claim(step: Step, found: Cheapest) -> str:
    if step.is_shown:
        return "shown"
    first = next(each for each in found.steps if not each.is_shown)
    return "not shown" if first == step else "not claimed after the step before it"
