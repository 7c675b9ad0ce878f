"""The descriptors: sayings that point to a cold or to a warm climate."""

from __future__ import annotations

from collections.abc import Mapping

IN_TABLE_10 = {
    "cold": (
        "Drives on glaciers",
        "Made in Norway",
        "Used in mountain climbing",
        "Has treads",
        "Heavily insulated",
    ),
    "warm": (
        "Drives in jungles",
        "Made in Africa",
        "Has wheels",
        "Lightly insulated",
        "Used on safaris",
    ),
}
"""The paper's own (C.1)."""

OUR_OWN = {
    "cold": (
        "Carries a snow plough",
        "Has heated seats",
        "Starts even at forty below zero",
        "Pulls sledges over ice",
        "Parked on a frozen lake",
        "Fitted with snow chains",
        "Used at ski resorts",
        "Delivers to polar stations",
        "Built in Greenland",
        "Melts frost off its windscreen",
    ),
    "warm": (
        "Carries surfboards",
        "Has a canvas sunshade",
        "Has powerful air conditioning",
        "Crosses sand dunes",
        "Parked under palm trees",
        "Fitted with mosquito nets",
        "Used at beach resorts",
        "Delivers to desert oases",
        "Built in Jamaica",
        "Has no roof or windows",
    ),
}

BANK: Mapping[str, tuple[str, ...]] = {
    climate: IN_TABLE_10[climate] + OUR_OWN[climate] for climate in ("cold", "warm")
}
"""By climate; a list of the paper's protocol may need ten of one."""
