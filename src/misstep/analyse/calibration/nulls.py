"""Is the test honest? Simulated experiments without an effect, and how often p falls below 5 %."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from misstep.analyse.inference.signflip import EXACT_UP_TO, Floats, all_signs, drawn_signs
from misstep.core.seeds import Chance, digest

_DRAWS = 4_000
_CELLS = 2_000_000
_WHOLE_SINGLES = 1 << 24  # up to here half of the usual precision holds whole numbers


def type_one_error(
    groups: int,
    items: int,
    replications: int,
    between: float = 0.0,
    discordance: float = 0.35,
    alpha: float = 0.05,
    seed: int = 0,
) -> float:
    """The share of experiments without an effect in which the sign-flip p is below `alpha`.

    Each has `groups` of `items` pairs, of which a share `discordance` differs. The groups' true
    differences are normal with standard deviation `between` about 0. One matrix of signs is
    shared by all replications.
    """
    key = ("type-one-error", groups, items, replications, repr(between), repr(discordance), seed)
    chance = Chance(digest(*key))
    # numpy draws the binomials, from a state that the one source of chance gives.
    draws = np.random.default_rng(chance.below(1 << 64))
    sums = simulated_sums(draws, (replications, groups), items, between, discordance)
    ps = shared_sign_ps(sums, chance)
    return float(np.mean(ps < alpha))


def simulated_sums(
    draws: np.random.Generator,
    shape: tuple[int, int],
    items: int,
    between: float,
    discordance: float,
    effect: float = 0.0,
) -> Floats:
    """Sums of paired differences, of shape (replications, groups), `effect` an item on average."""
    true = np.clip(draws.normal(effect, between, shape), -discordance, discordance)
    gained = (discordance + true) / 2
    lost = (discordance - true) / 2
    gains = draws.binomial(items, gained)
    losses = draws.binomial(items - gains, lost / (1 - gained))
    return (gains - losses).astype(np.float64)


def shared_sign_ps(sums: Floats, chance: Chance, draws: int = _DRAWS) -> npt.NDArray[np.float64]:
    """The sign-flip p of each row of sums; one matrix of signs, drawn or of all there are."""
    groups = sums.shape[1]
    is_exact = groups <= EXACT_UP_TO
    signs = all_signs(groups) if is_exact else drawn_signs(chance, draws, groups)
    observed = np.abs(sums.sum(axis=1)) - 1e-9
    if np.all(sums == np.round(sums)) and np.abs(sums).sum(axis=1).max() < _WHOLE_SINGLES:
        sums, signs = sums.astype(np.float32), signs.astype(np.float32)
    batch = max(1, _CELLS // len(signs))
    extreme = np.concatenate(
        [
            np.count_nonzero(
                np.abs(signs @ sums[at : at + batch].T) >= observed[at : at + batch], axis=0
            )
            for at in range(0, len(sums), batch)
        ]
    )
    return extreme / len(signs) if is_exact else (1 + extreme) / (1 + len(signs))
