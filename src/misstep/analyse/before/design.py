"""What a design can decide, and what it would take: the answers that `misstep power` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from misstep.analyse.before.observed import Observed
from misstep.analyse.before.power import (
    POWER,
    Assumptions,
    Design,
    Power,
    detectable_effect,
    difference_power,
    equivalence_power,
    groups_needed,
    least_groups,
    noninferiority_power,
    repetitions_needed,
    smallest_margin,
    standard_error,
)
from misstep.analyse.calibration.experiments import World
from misstep.analyse.calibration.looks import Stops, stops
from misstep.analyse.inference.signflip import smallest_p
from misstep.core.measures import ACCURACY, PASSES, SCORE, Measure

_SEQUENTIAL_DRAWS = 1_000
_NOTHING = Observed(0.0, None, None, 0, ())
_STEPS = {ACCURACY.name: 1.0, SCORE.name: 0.0, PASSES.name: 1 / 14}


@dataclass(frozen=True)
class Needs:
    """The power that a design has at one effect or margin, and what the asked power would take.

    `groups` and `items` at the design's repetitions, `repetitions` of the design's items; None
    where no number does.
    """

    points: float
    power: float
    groups: int | None
    items: int | None
    repetitions: int | None


@dataclass(frozen=True)
class Outlook:
    """All that can be said of a design before it is asked.

    `refusal` says why it can't decide, if so. `detectable`, `equivalence` and `noninferiority`
    are the smallest effect and margins with the asked power; `with_twice_groups` and
    `with_twice_repetitions` the smallest effects of designs that ask twice as much.
    """

    design: Design
    assumed: Assumptions
    power: float
    least_groups: int
    refusal: str | None
    detectable: float | None
    with_twice_groups: float | None
    with_twice_repetitions: float | None
    equivalence: float | None
    noninferiority: float | None
    at_effect: Needs | None
    at_margin: Needs
    at_margin_one_sided: Needs
    early: Stops | None = None


@dataclass(frozen=True)
class Sourced:
    """Assumptions, and for each where it is from."""

    assumed: Assumptions
    sources: Mapping[str, str] = field(default_factory=dict)


def design_of(
    groups: Iterable[str], *, repetitions: int, comparisons: int, measure: Measure
) -> Design:
    """The design of these items, given by their groups, an entry an item."""
    sizes = np.array(list(Counter(groups).values()), dtype=np.float64)
    return Design(
        groups=sizes.size,
        size=float(sizes.mean()),
        repetitions=repetitions,
        comparisons=max(1, comparisons),
        unevenness=float(np.mean(sizes**2) / sizes.mean() ** 2),
        span=measure.span,
        step=_STEPS.get(measure.name, 0.0),
    )


def usual(measure: Measure) -> Assumptions:
    """The stated defaults; passes differ less, as shares of their range, than right and wrong."""
    return Assumptions(discordance=0.1) if measure.name == PASSES.name else Assumptions()


def source(
    defaults: Assumptions,
    observed: Observed | None,
    *,
    discordance: float | None = None,
    between: float | None = None,
    icc: float | None = None,
) -> Sourced:
    """What was asked for, else what was observed, else the default.

    `icc` is the share of a difference's variance that lies between groups.
    """
    seen = observed or _NOTHING
    found, sources = defaults, {}
    for name, asked, known in (
        ("discordance", discordance, seen.discordance if seen.pairs else None),
        ("between", between, seen.between),
        ("sampling_share", None, seen.sampling_share),
    ):
        chosen = known if asked is None else asked
        sources[name] = "default" if chosen is None else "from the logs"
        if asked is not None:
            sources[name] = "as asked"
        if chosen is not None:
            found = replace(found, **{name: chosen})
    if icc is not None:
        found = replace(found, between=(icc * found.discordance) ** 0.5)
        sources["between"] = f"as asked, from an intraclass correlation of {icc:g}"
    return Sourced(found, sources)


def outlook(
    design: Design,
    assumed: Assumptions,
    margin: float,
    *,
    effect: float | None = None,
    power: float = POWER,
    is_sequential: bool = False,
) -> Outlook:
    """Effects and margins are sizes in the family's unit; the sign of `effect` is of no account."""
    detectable = detectable_effect(design, assumed, power)
    early = None
    if is_sequential and (aim := effect if effect is not None else detectable):
        early = early_stops(design, assumed, aim)
    return Outlook(
        design=design,
        assumed=assumed,
        power=power,
        least_groups=least_groups(design.comparisons),
        refusal=refusal(design, detectable, power),
        detectable=detectable,
        with_twice_groups=detectable_effect(_twice(design), assumed, power),
        with_twice_repetitions=detectable_effect(
            replace(design, repetitions=2 * design.repetitions), assumed, power
        ),
        equivalence=smallest_margin(design, assumed, equivalence_power, power),
        noninferiority=smallest_margin(design, assumed, noninferiority_power, power),
        at_effect=None
        if effect is None
        else _needs(design, assumed, difference_power, effect, power),
        at_margin=_needs(design, assumed, equivalence_power, margin, power),
        at_margin_one_sided=_needs(design, assumed, noninferiority_power, margin, power),
        early=early,
    )


def refusal(design: Design, detectable: float | None, power: float) -> str | None:
    """Why this design can't decide, in one line; None where it can."""
    return too_few_groups(design.groups, design.comparisons) or (
        f"{design.groups} groups of {design.size:g} have less than {power:.0%} power even at the "
        "largest difference there can be"
        if detectable is None
        else None
    )


def too_few_groups(groups: int, comparisons: int = 1) -> str | None:
    """Why so few groups can never be significant, whatever they show; None where they can."""
    least = least_groups(comparisons)
    if groups >= least:
        return None
    holm = f" ({comparisons} comparisons, Holm)" if comparisons > 1 else ""
    noun = "group" if groups == 1 else "groups"
    return (
        f"{groups} independent {noun} can never be significant: p cannot go below "
        f"{min(1.0, smallest_p(groups)):.3g}, and must be below {0.05 / comparisons:.3g}{holm}; "
        f"{least} or more groups are needed"
    )


def early_stops(design: Design, assumed: Assumptions, effect: float) -> Stops:
    """What looking after every group saves, by a seeded simulation at this true effect.

    Repetitions enter by the spread that they leave.
    """
    true = abs(effect) / design.span
    error = standard_error(design, assumed, effect)
    between = 0.0 if design.are_groups_items else assumed.between
    within = max(0.0, error**2 * design.groups - between**2 * design.unevenness) * design.size
    discordance = min(1.0, within + between**2 + true**2)
    size = max(1, round(design.size))
    world = World(design.groups, -true, between, size, discordance)
    return stops(world, _SEQUENTIAL_DRAWS, are_singles=design.is_mcnemar)


def _twice(design: Design) -> Design:
    return replace(design, groups=2 * design.groups)


def _needs(design: Design, assumed: Assumptions, of: Power, points: float, power: float) -> Needs:
    groups = groups_needed(design, assumed, of, points, power)
    return Needs(
        points=points,
        power=of(design, assumed, points),
        groups=groups,
        items=None if groups is None else round(groups * design.size),
        repetitions=repetitions_needed(design, assumed, of, points, power),
    )
