"""A purse: a sum that is never passed, as the worst of each call is set aside before it is made."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

# Sums of many small numbers are off in the last bits.
_SLACK = 1e-9


@dataclass(frozen=True)
class Reservation:
    """Money set aside for one call; settle it once. `stated`: its worst case, as it was asked."""

    number: int
    worst: float
    stated: float


@dataclass
class Purse:
    """`spent` and what is set aside never exceed `budget` together. Without a budget, it counts.

    `lost` is the part of `spent` that was set aside for calls that broke off and may have been
    charged for. `refused` is the worst case of the call that no longer fitted, if any. `overrun` is
    how many times its worst case a call has cost at most: a provider that doesn't keep its own
    limit can pass the budget by that call, and from then on so much more is set aside. `dearest` is
    the largest worst case of any call that was asked for. `earlier` is the part of `spent` that was
    paid before this purse was opened.
    """

    look_again: ClassVar[float] = math.inf
    """Seconds after which a call that waits looks again though nothing was settled here."""

    budget: float = math.inf
    spent: float = 0.0
    lost: float = 0.0
    calls: int = 0
    refused: float | None = None
    overrun: float = 1.0
    dearest: float = 0.0
    earlier: float = 0.0
    _aside: dict[int, float] = field(default_factory=dict, repr=False)
    _next: int = 0

    @property
    def aside(self) -> float:
        return math.fsum(self._aside.values())

    @property
    def left(self) -> float:
        """What no call has a claim on; never below 0."""
        return max(0.0, self.budget - self.spent - self.aside)

    @property
    def is_idle(self) -> bool:
        """Whether no call is under way."""
        return not self._aside

    @property
    def is_closed(self) -> bool:
        return self.refused is not None

    def inherit(self, spent: float) -> None:
        """So much was paid before, and counts."""
        self.earlier += spent
        self.spent += spent

    def reserve(self, worst: float) -> Reservation | None:
        """Set the worst case aside; None where it does not fit at the moment, or the purse is shut.

        It may fit later, when calls under way have cost less than their worst.
        """
        wide = worst * self.overrun
        self.dearest = max(self.dearest, wide)
        if self.is_closed or wide > self.left * (1 + _SLACK):
            return None
        self._next += 1
        self._aside[self._next] = wide
        return Reservation(self._next, wide, worst)

    def settle(self, reservation: Reservation, actual: float) -> None:
        """The call has ended and cost this much; the rest of what was set aside is free again."""
        self._pay(reservation, actual)

    def lose(self, reservation: Reservation) -> None:
        """The call broke off and may have been charged for: its worst case counts as spent."""
        self._pay(reservation, reservation.worst)
        self.lost += reservation.worst

    def release(self, reservation: Reservation) -> None:
        """The call was refused and cost nothing."""
        del self._aside[reservation.number]

    def close(self, worst: float) -> None:
        """No call is paid from now on: one that may cost `worst` did not fit."""
        self.refused = worst

    def note(self, worst: float) -> None:
        """A call that is paid for already may have cost so much."""
        self.dearest = max(self.dearest, worst)

    def leave(self) -> None:
        """No call of this process waits any more."""

    def _pay(self, reservation: Reservation, actual: float) -> None:
        del self._aside[reservation.number]
        self.spent += actual
        self.calls += 1
        if reservation.stated > 0:
            self.overrun = max(self.overrun, actual / reservation.stated)
