"""What answers took: tokens, time and money of each arm, and of one arm against the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from misstep.analyse.comparison import ArmSummary, Comparison
from misstep.core.faults import Faults, tell
from misstep.core.outcomes import Outcome
from misstep.report import wording


@dataclass(frozen=True)
class _Quantity:
    """What one of the means over a reply is called, how it is read and how it is printed."""

    name: str
    of: Callable[[ArmSummary], float | None]
    say: Callable[[float | None], str]


def money(amount: float | None) -> str:
    """In the currency of the prices."""
    return wording.NONE if amount is None else f"{amount:.3g}"


_PAID = (
    _Quantity("tokens out", lambda arm: arm.output_tokens, wording.count),
    _Quantity("seconds", lambda arm: arm.seconds, wording.seconds),
    _Quantity("cost", lambda arm: arm.cost, money),
)
_ALL = (
    _Quantity("tokens in", lambda arm: arm.input_tokens, wording.count),
    _PAID[0],
    _Quantity("thinking tokens", lambda arm: arm.reasoning_tokens, wording.count),
    *_PAID[1:],
)
_RATIOS = (
    _Quantity("the money", lambda arm: arm.cost, money),
    _Quantity("the tokens", lambda arm: arm.output_tokens, wording.count),
    _Quantity("the time", lambda arm: arm.seconds, wording.seconds),
)


def per_right_answer(arm: ArmSummary, mean: float | None) -> float | None:
    """What all replies took for each that was right; None where none was."""
    right = arm.outcomes[Outcome.CORRECT]
    return None if mean is None or right == 0 else mean / right


def rows(arms: Sequence[ArmSummary]) -> list[tuple[str, ...]]:
    """Replies, the mean of each quantity over a reply, and over a right answer; a column an arm."""
    found: list[tuple[str, ...]] = [("replies", *(f"{arm.n * arm.repetitions:,}" for arm in arms))]
    found += [(each.name, *(each.say(each.of(arm)) for arm in arms)) for each in _ALL]
    for each in _PAID:
        if any(each.of(arm) is not None for arm in arms):
            cells = (each.say(per_right_answer(arm, each.of(arm))) for arm in arms)
            found.append((f"{each.name} for each right answer", *cells))
    return found


def failed(faults: Faults) -> list[str]:
    """What went wrong with the run's calls, of all its arms."""
    told = tell(faults)
    left = f"{faults.left:,} questions have no answer" if faults.left else None
    return [said for said in (told, left) if said is not None]


def takes(one: Comparison) -> str:
    """ "125 × the tokens (250 against 2), 3 × the time (2.7 against 0.9)"."""
    parts = (_ratio(each, one) for each in _RATIOS)
    return ", ".join(part for part in parts if part is not None) or "not recorded"


def _ratio(each: _Quantity, one: Comparison) -> str | None:
    """None where either is unknown, or neither took any."""
    first, second = each.of(one.baseline_summary), each.of(one.arm_summary)
    if first is None or second is None or first == second == 0:
        return None
    against = f"{each.say(second)} against {each.say(first)}"
    if first == 0:
        return f"{each.name}: {against}"
    ratio = second / first
    if 0.95 < ratio < 1.05:
        return f"{each.name} the same ({against})"
    times = f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"
    return f"{times} × {each.name} ({against})"
