"""Passes to criterion as times: share solved, learning curve, log-rank (Mantel 1966)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from scipy import stats

from misstep.analyse.comparison import Learning, LogRank, Solving
from misstep.analyse.inference.by_pass import error_counts, pass_size, right_by_pass
from misstep.analyse.pairing import value
from misstep.core.measures import Measure
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

Times = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
_SOLVED = "solved"


def log_rank(times: Sequence[Times], events: Sequence[Flags]) -> LogRank | None:
    """Two samples: times, and whether each ended in the event or was cut off there.

    With 1 degree of freedom and the hypergeometric variance. None where no event tells the
    samples apart.
    """
    time, event = np.concatenate(times), np.concatenate(events)
    is_first = np.repeat([True, False], [times[0].size, times[1].size])
    excess = variance = 0.0
    for moment in np.unique(time[event]):
        at_risk = time >= moment
        risk, first = int(at_risk.sum()), int((at_risk & is_first).sum())
        now = event & (time == moment)
        deaths = int(now.sum())
        excess += int((now & is_first).sum()) - deaths * first / risk
        if risk > 1:
            share = first / risk
            variance += deaths * share * (1 - share) * (risk - deaths) / (risk - 1)
    if variance <= 0:
        return None
    chi_square = float(excess**2 / variance)
    return LogRank(chi_square, float(stats.chi2.sf(chi_square, 1)))


def learning_curve(times: Times, events: Flags, last: int) -> tuple[float, ...]:
    """The share that has solved by pass 1, 2, … `last`."""
    return tuple(float(np.mean(events & (times <= at))) for at in range(1, last + 1))


def solving(records: Iterable[Record], measure: Measure) -> Solving:
    listed, last = list(records), round(measure.highest)
    times, events = passes(listed, measure)
    errors, lured = error_counts(listed) or (None, None)
    return Solving(
        solved=float(events.mean()),
        curve=learning_curve(times, events, last),
        right=right_by_pass(listed, last),
        pass_size=pass_size(listed),
        errors=errors,
        lure_share=lured / errors if errors and lured is not None else None,
    )


def learning(baseline: Sequence[Record], arm: Sequence[Record], measure: Measure) -> Learning:
    """Both arms' shares and curves over all replies, and the log-rank between them."""
    first, second = passes(baseline, measure), passes(arm, measure)
    between = log_rank((first[0], second[0]), (first[1], second[1]))
    return Learning(solving(baseline, measure), solving(arm, measure), between)


def passes(records: Iterable[Record], measure: Measure) -> tuple[Times, Flags]:
    """The passes of each reply, capped, and whether they ended in success.

    A family may state it as the detail `solved`; else a correct outcome means solved.
    """
    listed = list(records)
    times = np.array([value(record, measure) for record in listed], dtype=np.float64)
    return times, np.array([is_solved(record) for record in listed], dtype=np.bool_)


def is_solved(record: Record) -> bool:
    stated = record.details.get(_SOLVED)
    return record.outcome is Outcome.CORRECT if stated is None else bool(stated)
