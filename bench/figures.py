"""A row of the bench: a figure, what it is held against, and whether the ratio may be compared."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Better(StrEnum):
    """Which way the ratio is to go."""

    MORE = "more"
    LESS = "less"


@dataclass(frozen=True)
class Figure:
    """`ratio` is measured against `peer` in the same run, None where the peer isn't there.

    `is_bound`: the peer is a stated time or rate, so that the ratio says as much of the machine as
    of us; it is printed and kept, never compared with an earlier one.
    """

    what: str
    measured: str
    peer: str
    ratio: float | None = None
    better: Better = Better.MORE
    is_bound: bool = False

    @property
    def is_compared(self) -> bool:
        return self.ratio is not None and not self.is_bound

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """Of the printed table."""
        shown = "-" if self.ratio is None else f"{self.ratio:.3g}"
        if self.ratio is not None and self.better is Better.MORE:
            shown += " x"
        return self.what, self.measured, self.peer, shown

    def share_kept(self, before: float) -> float:
        """How much of an earlier ratio is left, in the sense of the better: 0.7 is 30 % lost."""
        assert self.ratio is not None
        return self.ratio / before if self.better is Better.MORE else before / self.ratio


def rated(what: str, ours: float, peer: str, theirs: float, *, is_bound: bool = False) -> Figure:
    """Two rates a second."""
    return Figure(what, f"{ours:,.0f} /s", peer, ours / theirs, is_bound=is_bound)
