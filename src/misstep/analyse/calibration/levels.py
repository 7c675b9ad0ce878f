"""Is the test honest? How often the sign-flip p of simulated experiments falls below a level."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from misstep.analyse.calibration.experiments import World, chance_of, sums
from misstep.analyse.inference.signflip import EXACT_UP_TO, Floats, all_signs, drawn_signs
from misstep.core.seeds import Chance

_DRAWS = 4_000
_CELLS = 2_000_000
_WHOLE_SINGLES = 1 << 24  # up to here half of the usual precision holds whole numbers


def type_one_error(world: World, replications: int, alpha: float = 0.05, seed: int = 0) -> float:
    """The share of experiments in which the sign-flip p is below `alpha`.

    One matrix of signs is shared by all replications.
    """
    chance = chance_of("type I", world, seed)
    ps = shared_sign_ps(sums(world, replications, chance), chance)
    return float(np.mean(ps < alpha))


def shared_sign_ps(drawn: Floats, chance: Chance, draws: int = _DRAWS) -> npt.NDArray[np.float64]:
    """The sign-flip p of each row of sums; one matrix of signs, drawn or of all there are."""
    groups = drawn.shape[1]
    is_exact = groups <= EXACT_UP_TO
    signs = all_signs(groups) if is_exact else drawn_signs(chance, draws, groups)
    observed = np.abs(drawn.sum(axis=1)) - 1e-9
    if np.all(drawn == np.round(drawn)) and np.abs(drawn).sum(axis=1).max() < _WHOLE_SINGLES:
        drawn, signs = drawn.astype(np.float32), signs.astype(np.float32)
    batch = max(1, _CELLS // len(signs))
    extreme = np.concatenate(
        [
            np.count_nonzero(
                np.abs(signs @ drawn[at : at + batch].T) >= observed[at : at + batch], axis=0
            )
            for at in range(0, len(drawn), batch)
        ]
    )
    return extreme / len(signs) if is_exact else (1 + extreme) / (1 + len(signs))
