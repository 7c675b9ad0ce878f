"""Rows of power: what `misstep power` promises against how often experiments decide."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from misstep.analyse.before.power import (
    Assumptions,
    Design,
    detectable_effect,
    difference_power,
    equivalence_power,
    noninferiority_power,
    smallest_margin,
)
from misstep.analyse.calibration.experiments import chance_of, sums
from misstep.analyse.calibration.nouns import MARGIN, SIZE, SPREADS, Effort, Row, share, spread
from misstep.analyse.calibration.powers import world_of
from misstep.analyse.calibration.twins import clustered_found, sign_flip_ps, singles
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.verdict import ALPHA

_NEAR = 0.02
_GROUPS = (20, 100, 240)


def power_rows(effort: Effort) -> Iterator[Row]:
    """At the effect (or margin) that the design finds in four of five, and at half of it."""
    for groups in _GROUPS:
        for between in SPREADS:
            design, assumed = Design(groups, SIZE), Assumptions(between=between)
            yield from _difference(design, assumed, effort)
        yield from _margins(Design(groups, SIZE), Assumptions(between=0.1), effort)
    yield from _difference(Design(240), Assumptions(), effort)


def _difference(design: Design, assumed: Assumptions, effort: Effort) -> Iterator[Row]:
    found = detectable_effect(design, assumed)
    if found is None:
        return
    for effect in (found, found / 2):
        world = world_of(design, assumed, -effect)
        chance = chance_of("power", world, effort.seed)
        drawn = sums(world, effort.experiments, chance)
        ps = (
            singles(drawn, lambda one: 1.0 if one.p is None else one.p)
            if design.is_mcnemar
            else sign_flip_ps(drawn, chance)
        )
        promised = difference_power(design, assumed, -effect)
        yield _row("power, difference", design, assumed, -effect, ps, promised)


def _margins(design: Design, assumed: Assumptions, effort: Effort) -> Iterator[Row]:
    """No effect, and a margin that is just wide enough."""
    world = world_of(design, assumed, 0.0)
    drawn = sums(world, effort.experiments, chance_of("power", world, effort.seed))
    for what, power in (
        ("power, equivalence", equivalence_power),
        ("power, non-inferiority", noninferiority_power),
    ):
        margin = smallest_margin(design, assumed, power) or MARGIN
        found = clustered_found(drawn, world.sizes, margin)
        ps = found.equivalence_p if power is equivalence_power else found.not_worse_p
        yield _row(what, design, assumed, margin, ps, power(design, assumed, margin))


def _row(
    what: str, design: Design, assumed: Assumptions, points: float, ps: Floats, promised: float
) -> Row:
    kind = "effect" if what.endswith("difference") else "margin"
    size = (
        f"{design.groups} single items"
        if design.are_groups_items
        else f"{design.groups} groups of {SIZE}, {spread(assumed.between)}"
    )
    setting = f"{size}, {kind} {points:.1f}"
    hits = (ps < ALPHA).astype(np.float64)
    return share(what, setting, hits, low=promised - _NEAR, high=promised + _NEAR)
