"""The primary p: sign-flip permutation of the groups' sums, and the exact McNemar test."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import stats

from misstep.core.seeds import Chance, digest

Floats = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

EXACT_UP_TO = 14
DRAWS = 100_000
_CHUNK = 10_000
_DECIMALS = 12


def sign_flip(sums: Floats) -> float:
    """Two-sided p of the groups' sums of differences, under signs that are all as likely.

    Exact for up to 14 groups with a sum other than 0 (2^14 patterns), else from 100,000 draws
    that are seeded by the sums themselves: the same data give the same p, in any order of the
    groups and with the arms swapped.
    """
    sizes = np.sort(np.abs(np.round(sums[np.abs(sums) > 10**-_DECIMALS], _DECIMALS)))
    if sizes.size == 0:
        return 1.0
    # Equal sums of fractions may differ in the last bit.
    observed = abs(float(sums.sum())) - 1e-9 * float(sizes.sum())
    if sizes.size <= EXACT_UP_TO:
        return float(np.mean(np.abs(all_signs(sizes.size) @ sizes) >= observed))
    chance = Chance(digest("sign-flip", *map(repr, sizes.tolist())))
    extreme = sum(
        int(np.count_nonzero(np.abs(_flipped(chance, _CHUNK, sizes)) >= observed))
        for _ in range(DRAWS // _CHUNK)
    )
    return (1 + extreme) / (1 + DRAWS)


def is_exact(sums: Floats) -> bool:
    return int(np.count_nonzero(np.abs(sums) > 10**-_DECIMALS)) <= EXACT_UP_TO


def all_signs(groups: int) -> Floats:
    """Every pattern of signs: an array of shape (2^groups, groups)."""
    patterns = np.arange(1 << groups)[:, None] >> np.arange(groups)
    return np.where(patterns & 1, 1.0, -1.0)


def drawn_signs(chance: Chance, draws: int, groups: int) -> Floats:
    """Random patterns of signs: an array of shape (draws, groups)."""
    return np.where(_drawn_bits(chance, draws, groups) == 1, 1.0, -1.0)


def _drawn_bits(chance: Chance, draws: int, groups: int) -> Bytes:
    count = draws * groups
    drawn = chance.below(1 << count).to_bytes((count + 7) // 8, "little")
    bits = np.unpackbits(np.frombuffer(drawn, dtype=np.uint8), count=count, bitorder="little")
    return bits.reshape(draws, groups)


def _flipped(chance: Chance, draws: int, sizes: Floats) -> Floats:
    """Sums of the sizes under drawn signs, eight groups at a time from tables of their sums."""
    packed = np.packbits(_drawn_bits(chance, draws, sizes.size), axis=1, bitorder="little")
    eights = np.zeros(8 * packed.shape[1])
    eights[: sizes.size] = sizes
    tables = (np.arange(256)[:, None] >> np.arange(8) & 1) @ eights.reshape(-1, 8).T
    positive = tables[packed, np.arange(packed.shape[1])].sum(axis=1)
    return np.asarray(2 * positive - sizes.sum(), dtype=np.float64)


def smallest_p(groups: int, mid_p: bool = False) -> float:
    """The p below which no data of so many groups can go; .0625 for five, mid-p half of that."""
    return float(2.0 ** (1 - groups - mid_p))


def mcnemar(lost: int, gained: int, mid_p: bool = False) -> float:
    """Two-sided exact p of the discordant pairs; `mid_p` counts the observed table by half."""
    discordant = lost + gained
    if discordant == 0:
        return 1.0
    fewer = min(lost, gained)
    p = min(1.0, 2 * float(stats.binom.cdf(fewer, discordant, 0.5)))
    return p - float(stats.binom.pmf(fewer, discordant, 0.5)) if mid_p else p
