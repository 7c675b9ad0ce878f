"""What a planner's call comes to: the outcomes told apart, the plan, what it cost to find."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from misstep.planning.model import Number, Step


class Outcome(StrEnum):
    """Only `SOLVED` and `UNSOLVABLE` say anything about the problem; all others are about the
    planner, and never count as "no plan exists"."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """Proven: the planner says so in its exit code and in words, or the whole space was seen."""
    GAVE_UP = "gave_up"
    """An incomplete search ended with neither a plan nor a proof."""
    OUT_OF_TIME = "out_of_time"
    OUT_OF_MEMORY = "out_of_memory"
    OUT_OF_NODES = "out_of_nodes"
    """The in-process search has seen as many states as it may."""
    REFUSED = "refused"
    """The input can't be read by this planner, or uses what it doesn't support."""
    MISSING = "missing"
    CRASHED = "crashed"
    NONSENSE = "nonsense"
    """A success without a plan that can be read, is valid and costs what is said; a proof without
    the words of one."""


DECIDED = frozenset((Outcome.SOLVED, Outcome.UNSOLVABLE))
OUT_OF_LIMITS = frozenset((Outcome.OUT_OF_TIME, Outcome.OUT_OF_MEMORY))


@dataclass(frozen=True, slots=True)
class Limits:
    """For one problem, all calls together. CPU seconds decide, so that a busy machine doesn't
    change results; wall seconds end what hangs. Memory is of each process, in MiB (2**20), and
    isn't limited on macOS."""

    cpu_seconds: int = 60
    wall_seconds: float = 300.0
    memory_mib: int = 2048

    def within(self, other: Limits) -> bool:
        """No limit is wider than the other's."""
        return (
            self.cpu_seconds <= other.cpu_seconds
            and self.wall_seconds <= other.wall_seconds
            and self.memory_mib <= other.memory_mib
        )


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the search counted (None: not said), and what the calls used."""

    expanded: int | None = None
    evaluated: int | None = None
    generated: int | None = None
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_kib: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """`plan` and `cost` are there exactly when the outcome is solved; `is_optimal` says that the
    cost is proven least (by the search, not by the plan's text). `said` is one line: why nothing
    was decided, "" otherwise."""

    outcome: Outcome
    planner: str
    plan: tuple[Step, ...] | None = None
    cost: Number | None = None
    is_optimal: bool = False
    said: str = ""
    exit_code: int | None = None
    statistics: Statistics = Statistics()
    is_cached: bool = False

    @property
    def is_decided(self) -> bool:
        """The problem was solved or proven unsolvable."""
        return self.outcome in DECIDED


DEFAULT_LIMITS = Limits()
