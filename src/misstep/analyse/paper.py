"""The p as the paper reckons it: a one-sided pooled two-proportion z, blind to the pairing."""

from __future__ import annotations

import math

from scipy import stats


def pooled_z_p(baseline: float, arm: float, n: float) -> float | None:
    """One-sided p that the arm's accuracy lies below the baseline's, each a share of n items.

    None where both are 0 or both are 1, since the pooled variance is then 0.
    """
    pooled = (baseline + arm) / 2
    variance = 2 * pooled * (1 - pooled) / n
    if variance <= 0:
        return None
    return float(stats.norm.sf((baseline - arm) / math.sqrt(variance)))
