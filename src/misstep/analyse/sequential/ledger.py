"""The evidence on one arm while a run is under way, at the same cost for every look."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from misstep.analyse.sequential.evidence import Groups, Wealth, two_sided


class Ledger:
    """Takes the groups one after the other; says what `p_path` and `equivalence_path` end in."""

    def __init__(self, margin: float) -> None:
        """`margin` is a share of the largest difference."""
        self._margin = margin
        self._groups: list[Groups] = []
        self._are_singles = True
        self._total = self._items = 0.0
        self._start()

    def _start(self) -> None:
        self._above, self._below = Wealth(0.0, 1), Wealth(0.0, -1)
        self._above_margin, self._below_margin = Wealth(-self._margin, 1), Wealth(self._margin, -1)

    def add(self, group: Groups) -> None:
        """One group more. The first that is no single item changes the bets on all before it."""
        self._groups.append(group)
        self._total += float(group.sums[0])
        self._items += float(group.sizes[0])
        if self._are_singles and not group.are_singles:
            self._are_singles = False
            self._start()
            for one in self._groups:
                self._take(one)
        else:
            self._take(group)

    def _take(self, group: Groups) -> None:
        own = replace(group, are_singles=self._are_singles)
        scale = float(self._groups[0].sizes[0])
        self._above = self._above.after(own, scale)
        self._below = self._below.after(own, scale)
        self._above_margin = self._above_margin.after(own, scale)
        self._below_margin = self._below_margin.after(own, scale)

    @property
    def looks(self) -> int:
        return len(self._groups)

    @property
    def mean(self) -> float:
        """Item-weighted, as a share of the largest difference."""
        return self._total / self._items

    @property
    def p(self) -> float:
        above, below = self._above.highest, self._below.highest
        if self._total == 0:
            return _p(max(above, below))
        return _p(above if self._total > 0 else below)

    @property
    def equivalence_p(self) -> float:
        return _p(min(self._above_margin.highest, self._below_margin.highest))


def _p(log_e: float) -> float:
    return float(two_sided(np.array(log_e))) if math.isfinite(log_e) else 1.0
