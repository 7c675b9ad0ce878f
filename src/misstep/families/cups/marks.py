"""Where the four marks stand: around the right one, by either rule.

Heights are whole numbers of grains, a thousand to a unit of 100 px, so that the same seed gives
the same marks on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import exp, factorial, sqrt

from misstep.core.seeds import Chance

GRAINS = 1_000
EDGE = 100
"""No mark is closer to the bottom or to the rim, where it could not be seen. The right levels of
the 243 are at least 375 grains above the bottom and 500 below the rim, so this tells nothing."""

RANKS = range(4)


@dataclass(frozen=True)
class Scene:
    """A right level to be hidden among three others. Lengths are in grains; `deviation` is σ."""

    level: int
    height: int
    epsilon: int
    deviation: float

    def holds(self, rank: int) -> bool:
        """Whether that many marks go below the right one, and the rest above it."""
        return rank * self.epsilon <= self._below and (3 - rank) * self.epsilon <= self._above

    @property
    def _below(self) -> int:
        return self.level - EDGE

    @property
    def _above(self) -> int:
        return self.height - EDGE - self.level

    def around(self, rank: int, chance: Chance) -> tuple[int, ...]:
        """The four marks, lowest first: the others by the noise, given the rank."""
        return self._stood(
            self._noise(rank, self._below, chance), self._noise(3 - rank, self._above, chance)
        )

    def by_noise(self, chance: Chance) -> tuple[int, ...]:
        """The four marks, lowest first, as E.1 makes them: the rank falls out.

        What independent normal draws come to, repeated until they keep ε and stay inside, and
        quick even where that would hardly ever happen.
        """
        weights = [self._weight(rank) if self.holds(rank) else 0.0 for rank in RANKS]
        while True:
            rank = _weighted(weights, chance)
            below = self._proposed(rank, self._below, chance)
            above = self._proposed(3 - rank, self._above, chance)
            if chance.uniform() < exp(-self._excess(below) - self._excess(above)):
                return self._stood(below, above)

    def _stood(self, below: tuple[int, ...], above: tuple[int, ...]) -> tuple[int, ...]:
        lower = (self.level - away for away in reversed(below))
        return (*lower, self.level, *(self.level + away for away in above))

    def _noise(self, count: int, room: int, chance: Chance) -> tuple[int, ...]:
        """Distances from the right level on one side, nearest first, by the noise."""
        while True:
            away = self._proposed(count, room, chance)
            if chance.uniform() < exp(-self._excess(away)):
                return away

    def _proposed(self, count: int, room: int, chance: Chance) -> tuple[int, ...]:
        """Distances that keep ε and the room, all as likely."""
        spare = sorted(chance.below(self._spare(count, room)) for _ in range(count))
        return tuple(place * self.epsilon + extra for place, extra in enumerate(spare, 1))

    def _spare(self, count: int, room: int) -> int:
        return room - count * self.epsilon + 1

    def _excess(self, away: tuple[int, ...]) -> float:
        """Minus the logarithm of their density, in parts of the highest for as many."""
        squares = _squares(away) - _squares(self._closest(len(away)))
        return squares / (2 * self.deviation**2)

    def _closest(self, count: int) -> list[int]:
        return [place * self.epsilon for place in range(1, count + 1)]

    def _weight(self, rank: int) -> float:
        """The rank's proposals times the highest density of any: what `_excess` is a part of."""
        closest = self._closest(rank) + self._closest(3 - rank)
        highest = exp(-_squares(closest) / (2 * self.deviation**2))
        below: float = self._spare(rank, self._below) ** rank / factorial(rank)
        above: float = self._spare(3 - rank, self._above) ** (3 - rank) / factorial(3 - rank)
        return highest * below * above


def scene(level: int, height: int, epsilon: float, sigma2: float) -> Scene:
    """`level` and `height` in grains, `epsilon` in units, `sigma2` as the option has it."""
    variance = sigma2 * (height - level) / GRAINS
    return Scene(level, height, round(epsilon * GRAINS), sqrt(variance) * GRAINS)


def dealt(scenes: Sequence[Scene], chance: Chance) -> tuple[int, ...]:
    """A rank for each of up to four scenes: all different, each way that fits as likely.

    Where none fits, each scene has a rank of its own, each that fits as likely.
    """
    fitting = [
        ranks
        for ranks in permutations(RANKS, len(scenes))
        if all(one.holds(rank) for one, rank in zip(scenes, ranks, strict=True))
    ]
    if fitting:
        return chance.choice(fitting)
    return tuple(chance.choice([rank for rank in RANKS if one.holds(rank)]) for one in scenes)


def _squares(lengths: Sequence[int]) -> int:
    return sum(one * one for one in lengths)


def _weighted(weights: Sequence[float], chance: Chance) -> int:
    """A place, in proportion to its weight."""
    left = chance.uniform() * sum(weights)
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    return max(place for place, weight in enumerate(weights) if weight)
