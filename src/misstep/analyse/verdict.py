"""The verdict, one word, and the warnings that belong beside it."""

from __future__ import annotations

from misstep.analyse.comparison import ArmSummary, Interval, LeftOut, Verdict
from misstep.analyse.estimate import Estimate
from misstep.analyse.signflip import smallest_p

ALPHA = 0.05


def decide(effect: float, p_adjusted: float, equivalence_p: float | None) -> Verdict:
    """Both ps are Holm-adjusted, each in a family of its own.

    Equivalence is asked first: a difference that is significant and within the margin is real
    but not meaningful (`is_small`).
    """
    if equivalence_p is not None and equivalence_p < ALPHA:
        return Verdict.NO_MEANINGFUL_DIFFERENCE
    if p_adjusted < ALPHA:
        return Verdict.HURTS if effect < 0 else Verdict.HELPS
    return Verdict.UNDECIDED


def has_room_to_fall(baseline: ArmSummary, chance: float | None) -> bool:
    """Whether the baseline arm is above chance, by its interval's lower end."""
    if chance is None:
        return True
    low = baseline.interval.low if baseline.interval else baseline.accuracy
    return low > chance


def warnings(
    found: Estimate,
    groups: int,
    unpaired: int,
    baseline: ArmSummary,
    room_to_fall: bool,
    chance: float | None,
) -> list[str]:
    """What a reader must know beside the numbers, a sentence each."""
    lines = []
    if smallest_p(groups) >= ALPHA:
        lines.append(
            f"{groups} independent {'group' if groups == 1 else 'groups'} can never be "
            f"significant: p cannot go below {min(1.0, smallest_p(groups)):.4g}; "
            "six or more are needed."
        )
    if not room_to_fall and chance is not None:
        lines.append(
            f"No room to fall: {baseline.arm} is not shown to be above chance "
            f"({100 * chance:.0f} %), so a loss could hardly be seen."
        )
    if found.interval is not None and _disagree(found.interval, found.p):
        lines.append("The interval and the p disagree about zero; the p decides.")
    if unpaired:
        items = "item has" if unpaired == 1 else "items have"
        lines.append(f"{unpaired} {items} replies in one arm only and were left out.")
    if baseline.arm == "direct" and baseline.reasoning_tokens:
        lines.append(
            f"The direct arm thought anyway: {baseline.reasoning_tokens:.0f} reasoning tokens "
            "a reply."
        )
    return lines


def left_out_warning(headline: Verdict, left_out: LeftOut | None) -> list[str]:
    if left_out is None or left_out.verdict is headline:
        return []
    line = (
        "The verdict hangs on the unanswered replies: counted as wrong it is "
        f'"{headline}", left out it is "{left_out.verdict}".'
    )
    return [line]


def _disagree(interval: Interval, p: float) -> bool:
    excludes_zero = interval.low > 0 or interval.high < 0
    return excludes_zero != (p < ALPHA)
