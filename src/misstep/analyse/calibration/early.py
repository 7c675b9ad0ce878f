"""Rows of runs that are looked at after every group: false verdicts, and what stopping saves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from misstep.analyse.calibration.experiments import World, chance_of, sums
from misstep.analyse.calibration.looks import first_refuted, first_within
from misstep.analyse.calibration.nouns import (
    ERRORS,
    MARGIN,
    SIZE,
    SPREADS,
    Effort,
    Row,
    error_rate,
    spread,
)
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.sequential.evidence import bet_mixture, log_mixed
from misstep.analyse.verdict import ALPHA

_GROUPS = (6, 20, 100, 240)
_SINGLES = 240
_AT_MARGIN = MARGIN / 100
# Groups, effect, spread between groups, and the share of the full design that it may take.
_SHARES = (
    (100, -0.08, 0.1, 0.35),
    (100, -0.23, 0.1, 0.10),
    (100, -0.08, 0.2, 0.59),
    (100, -0.23, 0.2, 0.14),
)


def looks_rows(effort: Effort) -> Iterator[Row]:
    """A look after every group, a stop at p < .05: the errors of whoever stops when they like."""
    for groups in _GROUPS:
        for between in SPREADS:
            world = World(groups, between=between)
            hits = _refuted(world, effort, 0.0)
            yield error_rate("type I, all looks", _setting(world), hits)
    for between in SPREADS:
        world = World(100, -0.08, between)
        hits = _refuted(world, effort, world.effect)
        yield error_rate("true effect left out, all looks", _setting(world), hits)
        world = World(240, -_AT_MARGIN, between)
        hits = _found_equivalent(world, effort)
        yield error_rate("equivalence at margin, all looks", _setting(world), hits)
    yield from _single_rows(replace(effort, experiments=max(200, effort.experiments // 10)))


def share_rows(effort: Effort) -> Iterator[Row]:
    """The mean share of the full design that is asked until p < .05, 1 where it never is."""
    for groups, effect, between, most in _SHARES:
        world = World(groups, effect, between)
        means = _means("shares", world, effort)
        stops = first_refuted(means, SIZE)
        shares = np.minimum(stops, groups) / groups
        error = ERRORS * float(shares.std(ddof=1)) / math.sqrt(shares.size)
        yield Row("share asked", _setting(world), float(shares.mean()), error, high=most)


def _single_rows(effort: Effort) -> Iterator[Row]:
    world = World(_SINGLES, size=1)
    setting = f"{_SINGLES} single items"
    values = _means("looks", world, effort)
    stops = np.minimum(first_looks_at_singles(values, 0, 1), first_looks_at_singles(values, 0, -1))
    yield error_rate("type I, all looks", setting, _by(stops, _SINGLES))
    values = _means("looks", replace(world, effect=-_AT_MARGIN), effort)
    above = first_looks_at_singles(values, -_AT_MARGIN, 1)
    below = first_looks_at_singles(values, _AT_MARGIN, -1)
    hits = _by(np.maximum(above, below), _SINGLES)
    yield error_rate("equivalence at margin, all looks", f"{setting}, effect {-MARGIN:+g}", hits)
    left_out = np.minimum(above, first_looks_at_singles(values, -_AT_MARGIN, -1))
    hits = _by(left_out, _SINGLES)
    yield error_rate("true effect left out, all looks", f"{setting}, effect {-MARGIN:+g}", hits)


def first_looks_at_singles(values: Floats, mean: float, sign: int) -> Floats:
    """The first look, from 1, that refutes a true mean on this side of `mean` at half of 5 %.

    `sign` 1: at or below it, -1: at or above it. One more than all looks if none does. `values` are
    differences of items, -1, 0 or 1, of shape (experiments, items).
    """
    mixture = bet_mixture()
    stakes = mixture.bets / (1 + sign * mean)
    steps = {value: np.log1p(sign * (value - mean) * stakes) for value in (-1.0, 0.0, 1.0)}
    table = np.stack([steps[value] for value in (-1.0, 0.0, 1.0)])
    experiments, looks = values.shape
    wealth = np.zeros((experiments, mixture.bets.size))
    first = np.full(experiments, looks + 1.0)
    for look in range(looks):
        wealth += table[values[:, look].astype(np.int64) + 1]
        evidence = log_mixed(wealth[:, None, :], mixture.shares)[:, 0]
        first = np.where(evidence > math.log(2 / ALPHA), np.minimum(first, look + 1), first)
    return first


def _refuted(world: World, effort: Effort, effect: float) -> Floats:
    """1 where a look takes the effect out of the confidence sequence."""
    means = _means("looks", world, effort) - effect
    return _by(first_refuted(means, SIZE), world.groups)


def _found_equivalent(world: World, effort: Effort) -> Floats:
    """1 where a look puts the confidence sequence within the margin."""
    means = _means("margin", world, effort)
    return _by(first_within(means, SIZE, _AT_MARGIN), world.groups)


def _by(stops: Floats, last: int) -> Floats:
    return (stops <= last).astype(np.float64)


def _means(name: str, world: World, effort: Effort) -> Floats:
    chance = chance_of(name, world, effort.seed)
    return sums(world, effort.experiments, chance) / world.sizes


def _setting(world: World) -> str:
    effect = f", effect {100 * world.effect:+g}" if world.effect else ""
    return f"{world.groups} groups of {SIZE}, {spread(world.between)}{effect}"
