"""What went wrong with a run's calls, in counts: kinds, and what waiting for the next try took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Fault(StrEnum):
    """Why a call brought no reply."""

    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    UNREADABLE = "unreadable"
    REFUSED = "refused"

    @property
    def words(self) -> str:
        return _WORDS[self]


_WORDS: Mapping[Fault, str] = {
    Fault.RATE_LIMIT: "too many calls",
    Fault.SERVER_ERROR: "server error",
    Fault.TIMEOUT: "no reply in time",
    Fault.CONNECTION: "connection broken",
    Fault.UNREADABLE: "reply damaged",
    Fault.REFUSED: "refused",
}


@dataclass(frozen=True)
class Faults:
    """Of all processes that worked on a run and came to their end.

    `calls`: those that brought no reply, by kind. `waited`: seconds between a failed call and the
    next try, summed over questions, of which many wait at the same time. `left`: questions that
    had no answer when the latest process ended.
    """

    calls: Mapping[str, int] = field(default_factory=dict)
    waited: float = 0.0
    left: int = 0

    @property
    def total(self) -> int:
        return sum(self.calls.values())

    def plus(self, other: Faults) -> Faults:
        """Both, one after the other: what is left is what the other has left."""
        return Faults(_added([self, other]), round(self.waited + other.waited, 1), other.left)


NO_FAULTS = Faults()


def together(parts: Iterable[Faults]) -> Faults:
    """Those of the parts of one run, side by side."""
    listed = list(parts)
    waited = sum(part.waited for part in listed)
    return Faults(_added(listed), round(waited, 1), sum(part.left for part in listed))


def _added(parts: Iterable[Faults]) -> dict[str, int]:
    """In the order of the kinds."""
    listed = list(parts)
    sums = {fault.value: sum(part.calls.get(fault, 0) for part in listed) for fault in Fault}
    return {kind: count for kind, count in sums.items() if count}


def tell(faults: Faults) -> str | None:
    """ "203 calls brought no reply (server error 101, ...); 34 min waited"; None of none."""
    if not faults.total:
        return None
    kinds = ", ".join(
        f"{fault.words} {faults.calls[fault]:,}" for fault in Fault if fault in faults.calls
    )
    calls = "1 call" if faults.total == 1 else f"{faults.total:,} calls"
    waited = f"; {duration(faults.waited)} waited over all questions" if faults.waited else ""
    return f"{calls} brought no reply ({kinds}){waited}"


def duration(seconds: float) -> str:
    """ "12 s", "34 min", "2.5 h"."""
    if seconds < 120:
        return f"{seconds:.0f} s" if seconds >= 1 else f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
