"""The verdict, one word, and the warnings that belong beside it."""

from __future__ import annotations

from collections.abc import Iterator

from misstep.analyse.comparison import ArmSummary, Comparison, Interval, Verdict
from misstep.analyse.estimate import MID_P, NO_TEST
from misstep.analyse.inference.signflip import smallest_p

ALPHA = 0.05
_FEW_PEOPLE = 10
_FIVE, _SIX = "five or more are needed", "six or more are needed"


def decide(gain: float, p_adjusted: float | None, equivalence_p: float | None) -> Verdict:
    """`gain` is the effect, positive where it is for the better; both ps are Holm-adjusted, each
    in a family of its own, and None where nothing could be tested.

    Equivalence is asked first: a difference that is significant and within the margin is real
    but not meaningful (`is_small`).
    """
    if equivalence_p is not None and equivalence_p < ALPHA:
        return Verdict.NO_MEANINGFUL_DIFFERENCE
    if p_adjusted is not None and p_adjusted < ALPHA:
        return Verdict.HURTS if gain < 0 else Verdict.HELPS
    return Verdict.UNDECIDED


def has_room_to_fall(baseline: ArmSummary, chance: float | None) -> bool:
    """Whether the baseline does better than chance, by the nearer end of its interval."""
    if chance is None:
        return True
    interval = baseline.interval or Interval(baseline.accuracy, baseline.accuracy)
    if baseline.measure.is_more_better:
        return interval.low > chance
    return interval.high < chance


def warnings(one: Comparison) -> tuple[str, ...]:
    """What a reader must know beside the numbers, a sentence each."""
    return tuple(
        line
        for lines in (_too_few, _no_room, _unread, _alike, _about_pairs, _left_out)
        for line in lines(one)
    )


def _too_few(one: Comparison) -> Iterator[str]:
    people, is_mid = one.participants, one.test == MID_P
    if one.n == 1:
        yield f"A single item: there is nothing to test, and no interval; {_SIX}."
    elif one.groups == 1:
        yield (
            "A single independent group: there is no test and no interval, since nothing shows "
            f"how groups differ; {_SIX}."
        )
    elif people == 1:
        yield "A single person: there is no test, since nothing shows how people differ."
    elif people is not None and people < _FEW_PEOPLE:
        yield f"Only {people} people: a standard error from so few may well be too small."
    elif not one.can_decide:
        yield (
            f"{one.groups} independent groups can never be significant: p cannot go below "
            f"{smallest_p(one.groups, is_mid):.4g}; {_FIVE if is_mid else _SIX}."
        )


def _no_room(one: Comparison) -> Iterator[str]:
    chance = one.chance
    if one.has_room_to_fall or chance is None:
        return
    measure = one.measure
    said = f"{100 * chance:.0f} %" if measure.factor == 100 else f"{chance:g} {measure.unit}"
    better = "above" if measure.is_more_better else "better than"
    yield (
        f"No room to fall: {one.other} is not shown to be {better} chance "
        f"({said}), so a loss could hardly be seen."
    )


def _unread(one: Comparison) -> Iterator[str]:
    first, second = one.baseline_summary.unanswered == 1, one.arm_summary.unanswered == 1
    if first and second:
        yield f"No reply of {one.other} or {one.one} could be read: there is nothing to compare."
    elif first or second:
        yield (
            f"No reply of {one.other if first else one.one} could be read: the difference is one "
            "of answering at all, and without such replies nothing is left to compare."
        )
    elif one.left_out is None and (one.baseline_summary.unanswered or one.arm_summary.unanswered):
        yield "No item was answered on both sides; without such replies nothing is left to compare."


def _alike(one: Comparison) -> Iterator[str]:
    """Where no item tells the sides apart, a p of 1 is no finding."""
    if one.lost or one.gained or one.baseline_summary.unanswered == 1:
        return
    mean, measure = one.baseline_summary.accuracy, one.measure
    if mean == measure.best:
        why = "both reached the best on every item, which may be too easy to tell them apart"
    elif mean == measure.worst:
        why = "both did the worst on every item, which may be too hard to tell them apart"
    else:
        why = "the items do not tell them apart"
    tested = "" if one.test == NO_TEST else "; p is 1 for want of any difference"
    yield f"No discordant pairs: {why}{tested}."


def _about_pairs(one: Comparison) -> Iterator[str]:
    if one.interval is not None and one.p is not None and _disagree(one.interval, one.p):
        yield "The interval and the p disagree about zero; the p decides."
    if one.unpaired:
        items, were = ("item has", "was") if one.unpaired == 1 else ("items have", "were")
        side = "in one arm only" if one.baseline_who is None else "on one side only"
        yield f"{one.unpaired} {items} replies {side} and {were} left out."
    thought = one.baseline_summary.reasoning_tokens
    if one.baseline == "direct" and one.baseline_who is None and thought:
        yield f"The direct arm thought anyway: {thought:.0f} reasoning tokens a reply."


def _left_out(one: Comparison) -> Iterator[str]:
    if one.left_out is not None and one.left_out.verdict is not one.verdict:
        yield (
            "The verdict hangs on the unanswered replies: counted as wrong it is "
            f'"{one.verdict}", left out it is "{one.left_out.verdict}".'
        )


def _disagree(interval: Interval, p: float) -> bool:
    excludes_zero = interval.low > 0 or interval.high < 0
    return excludes_zero != (p < ALPHA)
