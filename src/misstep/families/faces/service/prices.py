"""What a call costs, and what a set of problems will: the service counts in credits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from misstep.core.errors import BadInput
from misstep.families.faces.service.calls import Kind

OTHERS = 4
DEAREST = 10_000.0
"""Credits of a call; what is above it is a slip."""


@dataclass(frozen=True)
class Tariff:
    """Credits of each call, and dollars of a credit; `date` says when the list was read."""

    credits: Mapping[Kind, float]
    dollars: float
    date: str

    def of_problem(self) -> float:
        """Credits of a problem of which nothing is drawn twice."""
        return self.credits[Kind.PAIR] + OTHERS * self.credits[Kind.OTHER]

    def money(self, amount: float) -> str:
        return f"${amount * self.dollars:,.2f}"


TARIFF = Tariff({Kind.PAIR: 8.0, Kind.OTHER: 5.0}, 0.01, "2026-06")
"""As published: Stable Image Ultra 8 credits, control by structure 5, a credit 1 US cent."""


def priced(tariff: Tariff, words: tuple[str, ...]) -> Tariff:
    """With prices said by hand, each KIND=CREDITS; then the date is the caller's own."""
    own: dict[Kind, float] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in tuple(Kind):
            raise BadInput(f"--price: {word!r} is not KIND=CREDITS with KIND {' or '.join(Kind)}")
        if Kind(name) in own:
            raise BadInput(f"--price: {name} is given twice")
        own[Kind(name)] = _credits(word, value)
    if not own:
        return tariff
    return replace(tariff, credits={**tariff.credits, **own}, date="--price")


def _credits(word: str, value: str) -> float:
    try:
        found = float(value)
    except ValueError:
        found = -1.0
    if not 0 <= found <= DEAREST:
        raise BadInput(f"--price: {word!r}: {value!r} is no number from 0 to {DEAREST:,.0f}")
    return found
