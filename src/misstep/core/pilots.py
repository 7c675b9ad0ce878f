"""How large a pilot is that a sum of money is planned by."""

from __future__ import annotations

import math

ITEMS, LEAST_GROUPS, LEAST_ITEMS = 30, 3, 5
"""A pilot asks the first 30 items in whole groups, three groups at least; a plan takes 5 items."""
PART = 4
"""It is no more than a quarter of all groups."""
SHARE = 0.2
"""It takes no more than a fifth of the sum."""


def pilot_groups(groups: int, size: float) -> int:
    """How many of the groups a pilot asks; `size`: items a group."""
    wanted = max(LEAST_GROUPS, math.ceil(ITEMS / size))
    return max(1, min(wanted, math.ceil(groups / PART)))
