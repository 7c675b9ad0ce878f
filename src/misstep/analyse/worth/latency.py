"""How long answers take in two arms: median, 95th percentile, and the difference of the medians."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from misstep.analyse.comparison import Interval
from misstep.analyse.inference.intervals import Floats, Ints
from misstep.analyse.pairing import Paired, Replies
from misstep.core.records import Record
from misstep.core.seeds import Chance, stream

DRAWS = 2_000
LEAST_GROUPS = 6
_MOST_AT_ONCE = 4_000_000
_SEED = 0


@dataclass(frozen=True)
class Latency:
    """Seconds of the replies to the paired items, in the baseline and in the arm.

    `difference` is the arm's median less the baseline's; `interval` is a cluster bootstrap's, None
    with fewer than six groups, of which no bootstrap can know the spread. `replies` of `of` say
    how long they took.
    """

    baseline_median: float
    baseline_p95: float
    arm_median: float
    arm_p95: float
    difference: float
    interval: Interval | None
    replies: int
    of: int


@dataclass(frozen=True)
class _Timed:
    """Seconds in rising order, and the group of each."""

    seconds: Floats
    group: Ints


def latency(paired: Paired) -> Latency | None:
    """None where one of the arms has no reply whose time is known."""
    numbers = {item: int(at) for item, at in zip(paired.baseline, paired.group, strict=True)}
    first, second = (_timed(side, numbers) for side in (paired.baseline, paired.arm))
    if not first.seconds.size or not second.seconds.size:
        return None
    baseline, arm = ([float(np.median(one.seconds)), _p95(one)] for one in (first, second))
    return Latency(
        baseline_median=baseline[0],
        baseline_p95=baseline[1],
        arm_median=arm[0],
        arm_p95=arm[1],
        difference=arm[0] - baseline[0],
        interval=_bootstrap(first, second, int(paired.group.max()) + 1, _chance(paired)),
        replies=first.seconds.size + second.seconds.size,
        of=paired.replies,
    )


def _timed(side: Replies, numbers: dict[str, int]) -> _Timed:
    known = [
        (record.seconds, numbers[item])
        for item, own in side.items()
        for record in own
        if record.seconds is not None
    ]
    known.sort()
    return _Timed(
        np.array([seconds for seconds, _ in known], dtype=np.float64),
        np.array([group for _, group in known], dtype=np.int64),
    )


def _p95(one: _Timed) -> float:
    """Linear between the two nearest, as numpy has it."""
    return float(np.percentile(one.seconds, 95))


def _chance(paired: Paired) -> Chance:
    one, other = (_first(side) for side in (paired.baseline, paired.arm))
    return stream(one.family, one.version, _SEED, "latency", one.who, one.arm, other.arm)


def _first(side: Replies) -> Record:
    return next(iter(side.values()))[0]


def _bootstrap(first: _Timed, second: _Timed, groups: int, chance: Chance) -> Interval | None:
    """Percentiles of the difference of medians, over groups drawn with replacement.

    Both arms of a group are drawn together, which is the pairing.
    """
    if groups < LEAST_GROUPS:
        return None
    rows = max(1, min(DRAWS, _MOST_AT_ONCE // max(first.seconds.size, second.seconds.size)))
    found: list[Floats] = []
    for start in range(0, DRAWS, rows):
        times = _drawn(chance, min(rows, DRAWS - start), groups)
        found.append(_medians(second, times) - _medians(first, times))
    differences = np.concatenate(found)
    # A draw in which one arm has no timed reply says nothing.
    low, high = np.percentile(differences[~np.isnan(differences)], [2.5, 97.5])
    return Interval(float(low), float(high))


def _drawn(chance: Chance, draws: int, groups: int) -> Ints:
    """How often each group (column) is drawn in each draw (row)."""
    count = draws * groups
    bits = chance.below(1 << (32 * count)).to_bytes(4 * count, "little")
    places = np.frombuffer(bits, dtype="<u4").astype(np.uint64) * np.uint64(groups)
    chosen = (places >> np.uint64(32)).astype(np.int64).reshape(draws, groups)
    shifted = chosen + groups * np.arange(draws)[:, None]
    times: Ints = np.bincount(shifted.ravel(), minlength=count).reshape(draws, groups)
    return times


def _medians(one: _Timed, times: Ints) -> Floats:
    """The median of each draw: the mean of the two middle values; NaN where none was drawn."""
    reached = np.cumsum(times[:, one.group], axis=1)
    total = reached[:, -1]
    lower, upper = (
        np.argmax(reached >= ranks[:, None], axis=1) for ranks in ((total + 1) // 2, total // 2 + 1)
    )
    middle = (one.seconds[lower] + one.seconds[upper]) / 2
    return np.where(total > 0, middle, np.nan)
