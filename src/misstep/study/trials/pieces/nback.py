"""An n-back of letters, scored: which were to be pressed, and what was."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

from misstep.core.items import Scalar
from misstep.study.screens import NBack


def targets(letters: Sequence[str], n: int) -> tuple[int, ...]:
    """The places, from 0, of letters that are the one of `n` back."""
    return tuple(at for at in range(n, len(letters)) if letters[at] == letters[at - n])


def detected(screen: NBack, pressed: Sequence[int]) -> dict[str, Scalar]:
    """Hits and false alarms, of how many of each there could be, and d', from rates with half a
    letter added to each count and one to each number (Hautus, 1995), so that it is finite."""
    wanted = set(targets(screen.letters, screen.n))
    hits = sum(at in wanted for at in pressed)
    alarms = len(pressed) - hits
    others = len(screen.letters) - len(wanted)
    return {
        "nback_hits": hits,
        "nback_targets": len(wanted),
        "nback_false_alarms": alarms,
        "nback_letters": len(screen.letters),
        "nback_d_prime": round(_z(hits, len(wanted)) - _z(alarms, others), 6),
    }


def _z(count: int, of: int) -> float:
    return NormalDist().inv_cdf((count + 0.5) / (of + 1))
