"""What a comparison may not come to: the words of `misstep check --fail-on`, and the judgement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from misstep.analyse.comparison import Comparison, Verdict
from misstep.core.errors import BadInput


class FailOn(StrEnum):
    """A reason to fail. NOT_NONINFERIOR: the arm isn't shown to be at most the margin worse.

    NOT_COMPARED: something in the runs could not be compared at all.
    """

    HURTS = "hurts"
    HELPS = "helps"
    NO_DIFFERENCE = "no-difference"
    UNDECIDED = "undecided"
    NOT_NONINFERIOR = "not-noninferior"
    NOT_COMPARED = "not-compared"


_VERDICTS = {
    Verdict.HURTS: FailOn.HURTS,
    Verdict.HELPS: FailOn.HELPS,
    Verdict.NO_MEANINGFUL_DIFFERENCE: FailOn.NO_DIFFERENCE,
    Verdict.UNDECIDED: FailOn.UNDECIDED,
}


@dataclass(frozen=True)
class Check:
    """A comparison, and the reasons to fail that it gives, in the order of `FailOn`."""

    comparison: Comparison
    failed_on: tuple[FailOn, ...]

    @property
    def is_passed(self) -> bool:
        return not self.failed_on


def read_fail_on(text: str, margin: float | None) -> tuple[FailOn, ...]:
    """From "hurts,undecided". BadInput names an unknown word, or one that lacks its margin."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in tuple(FailOn):
            raise BadInput(f"--fail-on: {word!r} is none of {', '.join(FailOn)}")
    asked = tuple(FailOn(word) for word in dict.fromkeys(words))
    if FailOn.NOT_NONINFERIOR in asked and margin is None:
        raise BadInput(f"--fail-on: {FailOn.NOT_NONINFERIOR} needs --margin M")
    return asked


def judge(
    comparisons: Sequence[Comparison], fail_on: Sequence[FailOn], arm: str | None = None
) -> tuple[Check, ...]:
    """A check of each comparison, or of those of one arm; BadInput where there are none.

    A check that has nothing to look at may not pass.
    """
    if not comparisons:
        raise BadInput("RUN: there is nothing to compare, so nothing can be checked")
    chosen = [one for one in comparisons if arm is None or one.arm == arm]
    if not chosen:
        known = ", ".join(dict.fromkeys(one.arm for one in comparisons))
        raise BadInput(f"--arm: {arm!r} is compared nowhere; known: {known}")
    return tuple(Check(one, _failed_on(one, fail_on)) for one in chosen)


def _failed_on(one: Comparison, fail_on: Sequence[FailOn]) -> tuple[FailOn, ...]:
    found = {_VERDICTS[one.verdict]}
    if one.non_inferiority is not None and not one.non_inferiority.arm.is_shown:
        found.add(FailOn.NOT_NONINFERIOR)
    return tuple(word for word in FailOn if word in found and word in fail_on)
