"""Rows of a fixed number of groups: type I error, coverage, equivalence, non-inferiority."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from misstep.analyse.calibration.experiments import World, chance_of, sums
from misstep.analyse.calibration.nouns import (
    MARGIN,
    SIZE,
    SPREADS,
    Effort,
    Row,
    error_rate,
    share,
    spread,
)
from misstep.analyse.calibration.twins import clustered_found, sign_flip_ps, singles
from misstep.analyse.estimate import Estimate
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.verdict import ALPHA

_GROUPS = (6, 20, 100, 240)
_COVERAGE = (0.94, 0.965)
_FEWEST_BOUND = 20
_AT_MARGIN = MARGIN / 100


def type_one_rows(effort: Effort) -> Iterator[Row]:
    """No effect, and a p below 5 %."""
    for groups in _GROUPS:
        for between in SPREADS:
            world = World(groups, between=between)
            chance = chance_of("type-one", world, effort.seed)
            ps = sign_flip_ps(sums(world, effort.experiments, chance), chance)
            yield error_rate("type I, sign-flip", _setting(world), _hits(ps))
    for n in _GROUPS:
        world = World(n, size=1)
        drawn = _drawn("type-one", world, effort)
        yield error_rate("type I, McNemar", _setting(world), _hits(singles(drawn, _p)))


def coverage_rows(effort: Effort) -> Iterator[Row]:
    """The true effect within the 95 % interval; with six groups that is told, not claimed."""
    worlds = [
        *(World(groups, between=between) for groups in _GROUPS for between in SPREADS),
        *(World(groups, -0.08, 0.1, is_uneven=True) for groups in _GROUPS),
    ]
    for world in worlds:
        found = clustered_found(_drawn("coverage", world, effort), world.sizes)
        covered = found.covers(100 * world.effect)
        yield _coverage("coverage, CR2 and t", world, covered)
    for n in _GROUPS:
        for effect in (0.0, -0.08):
            world = World(n, effect, size=1)
            low, high = (singles(_drawn("coverage", world, effort), end) for end in (_low, _high))
            covered = ((low <= 100 * effect) & (100 * effect <= high)).astype(np.float64)
            yield _coverage("coverage, Tango", world, covered)


def margin_rows(effort: Effort) -> Iterator[Row]:
    """The true effect exactly at the margin, and "equivalent" or "not worse" said all the same."""
    for groups in _GROUPS:
        for between in SPREADS:
            world = World(groups, -_AT_MARGIN, between)
            found = clustered_found(_drawn("margin", world, effort), world.sizes)
            setting = _setting(world)
            yield error_rate("equivalence at margin", setting, _hits(found.equivalence_p))
            yield error_rate("non-inferiority at margin", setting, _hits(found.not_worse_p))
    for n in (240, 1000, 4400):
        world = World(n, -_AT_MARGIN, size=1)
        drawn, setting = _drawn("margin", world, effort), _setting(world)
        yield error_rate("equivalence at margin", setting, _hits(singles(drawn, _equivalence)))
        yield error_rate("non-inferiority at margin", setting, _hits(singles(drawn, _not_worse)))


def _drawn(name: str, world: World, effort: Effort) -> Floats:
    return sums(world, effort.experiments, chance_of(name, world, effort.seed))


def _hits(ps: Floats) -> Floats:
    return (ps < ALPHA).astype(np.float64)


def _coverage(what: str, world: World, covered: Floats) -> Row:
    low, high = _COVERAGE if world.groups >= _FEWEST_BOUND else (None, None)
    return share(what, _setting(world), covered, low=low, high=high)


def _setting(world: World) -> str:
    effect = f", effect {100 * world.effect:+g}" if world.effect else ""
    if world.size == 1:
        return f"{world.groups:,} single items{effect}"
    size = f"{world.sizes[0]:g} to {world.sizes[-1]:g}" if world.is_uneven else str(SIZE)
    return f"{world.groups} groups of {size}, {spread(world.between)}{effect}"


def _p(one: Estimate) -> float:
    return 1.0 if one.p is None else one.p


def _low(one: Estimate) -> float:
    return one.interval.low if one.interval else -math.inf


def _high(one: Estimate) -> float:
    return one.interval.high if one.interval else math.inf


def _equivalence(one: Estimate) -> float:
    return 1.0 if one.equivalence_p is None else one.equivalence_p


def _not_worse(one: Estimate) -> float:
    return 1.0 if one.basis is None else one.basis.p_above(-MARGIN)
