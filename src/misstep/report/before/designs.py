"""The words of `misstep power`: what a design can decide, and what it would take."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass

from misstep.analyse.before.design import Needs, Outlook
from misstep.analyse.before.power import MOST_GROUPS, MOST_REPETITIONS
from misstep.core.measures import Measure


@dataclass(frozen=True)
class Asked:
    """The comparison that an outlook is of; `sources` says where each assumption is from."""

    family: str
    baseline: str
    arm: str
    measure: Measure
    sources: Mapping[str, str]
    margin_source: str


def lines(asked: Asked, found: Outlook) -> Iterator[str]:
    """The whole answer, line by line."""
    design = found.design
    yield f"{asked.family}: {asked.arm} against {asked.baseline}"
    yield f"  {_size(found)}"
    yield from _assumed(asked, found)
    yield f"  test: {_test(found)}, two-sided, at p < {design.alpha:.3g}{_holm(found)}"
    yield ""
    if found.refusal is not None:
        yield f"CAN'T DECIDE: {found.refusal}."
    else:
        yield f"With {found.power:.0%} power this design"
        yield f"  finds a difference of {_points(asked, found.detectable)} or more;"
        within, worse = (_points(asked, one) for one in (found.equivalence, found.noninferiority))
        yield f"  shows equivalence within {within}, if there is no difference;"
        yield f"  shows {asked.arm} at most {worse} worse, if it is no worse."
        yield _what_helps(asked, found)
    yield ""
    yield from _needed(asked, found)
    yield from _early(asked, found)


def folded(found: Iterable[str], width: int) -> Iterator[str]:
    """The lines, none wider than the terminal; what goes on keeps its line's indent."""
    for line in found:
        indent = line[: len(line) - len(line.lstrip())]
        yield from textwrap.wrap(
            line,
            width,
            subsequent_indent=indent + "  ",
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]


def _size(found: Outlook) -> str:
    design = found.design
    repeated = "" if design.repetitions == 1 else f", {design.repetitions} repetitions"
    size = f"{design.items:,} items in {design.groups:,} groups"
    each = "" if design.are_groups_items else f" of {design.size:.3g}"
    return f"{size}{each}{repeated}; {found.least_groups} groups or more can be significant"


def _assumed(asked: Asked, found: Outlook) -> Iterator[str]:
    assumed, sources = found.assumed, asked.sources
    yield f"  discordance {_share(assumed.discordance)} ({sources['discordance']})"
    if not found.design.are_groups_items:
        yield f"  SD between groups {_share(assumed.between)} ({sources['between']})"
    yield (
        f"  {assumed.sampling_share:.0%} of the other variance is chance in the replies, which "
        f"repetitions lessen ({sources['sampling_share']})"
    )


def _share(value: float) -> str:
    return f"{value:.3f}".rstrip("0").lstrip("0").rstrip(".") or "0"


def _test(found: Outlook) -> str:
    return "exact McNemar" if found.design.is_mcnemar else "sign-flip of the groups' sums"


def _holm(found: Outlook) -> str:
    comparisons = found.design.comparisons
    return "" if comparisons == 1 else f" (Holm over {comparisons} comparisons)"


def _what_helps(asked: Asked, found: Outlook) -> str:
    items, repeats = found.with_twice_groups, found.with_twice_repetitions
    if items is None or (repeats is not None and repeats < items):
        return f"More repetitions help more: twice as many, {_points(asked, repeats)}."
    more = f"More items help more: twice the groups, {_points(asked, items)}"
    return f"{more}; twice the repetitions, {_points(asked, repeats)}."


def _points(asked: Asked, value: float | None) -> str:
    return "no size at all" if value is None else f"{value:.1f} {asked.measure.unit}"


def _needed(asked: Asked, found: Outlook) -> Iterator[str]:
    if found.at_effect is not None:
        yield from _needs(
            f"To find {_points(asked, found.at_effect.points)}", found.at_effect, found
        )
    margin = found.at_margin.points
    said = f"{_points(asked, margin)}, {asked.margin_source}"
    yield from _needs(f"To show equivalence within {said}", found.at_margin, found)
    yield from _needs(
        f"To show {asked.arm} at most {_points(asked, margin)} worse",
        found.at_margin_one_sided,
        found,
    )


def _needs(what: str, needs: Needs, found: Outlook) -> Iterator[str]:
    yield f"{what}: {needs.power:.0%} power as it stands."
    if needs.groups is None or needs.items is None:
        yield f"  {found.power:.0%} isn't reached with {MOST_GROUPS:,} groups."
        return
    repeated = found.design.repetitions
    times = "" if repeated == 1 else f" with {repeated} repetitions"
    takes = f"  {found.power:.0%} takes {needs.items:,} items in {needs.groups:,} groups{times}"
    if needs.power >= found.power:
        yield f"{takes}."
    elif needs.repetitions is not None:
        yield f"{takes}, or {needs.repetitions:,} repetitions of these items."
    else:
        yield f"{takes}; repetitions of these items, up to {MOST_REPETITIONS:,}, would not do."


def _early(asked: Asked, found: Outlook) -> Iterator[str]:
    if found.early is None:
        return
    aim = found.at_effect.points if found.at_effect else found.detectable
    yield (
        f"Looking after every group (--sequential), at a true difference of {_points(asked, aim)}:"
    )
    yield f"  {found.early.stopped:.0%} of runs stop with a verdict on the difference;"
    yield f"  on average a run asks {found.early.share:.0%} of the design (simulated)."


def to_json(asked: Asked, found: Outlook) -> dict[str, object]:
    """Effects and margins in the measure's unit."""
    plain = asdict(found)
    return {
        "family": asked.family,
        "baseline": asked.baseline,
        "arm": asked.arm,
        "unit": asked.measure.unit,
        "items": found.design.items,
        "alpha": found.design.alpha,
        "sources": dict(asked.sources),
        **plain,
    }
