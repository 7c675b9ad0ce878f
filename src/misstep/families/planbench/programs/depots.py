"""Depots: load every crate into one truck, from the tops of the stacks, then build the goal."""

from __future__ import annotations

from misstep.families.planbench.programs.trace import Trace, goal_facts


def program(trace: Trace) -> None:
    truck = trace.problem.objects_of["truck"][0]
    for place in _places(trace, truck):
        while (on := _top(trace, place)) is not None:
            _go(trace, truck, place)
            hoist = _hoist(trace, place)
            trace.do("lift", hoist, *on, place)
            trace.do("load", hoist, on[0], truck, place)
    wanted = [fact.terms for fact in goal_facts(trace.problem.goal) if fact.predicate == "on"]
    bases = dict.fromkeys(below for _, below in wanted)
    carried = {upper for upper, _ in wanted}
    taken = [base for base in bases if base in trace.problem.objects_of["pallet"]]
    for base in bases:
        if base not in carried and base not in taken:
            pallet = _free(trace, taken)
            taken.append(pallet)
            wanted.insert(0, (base, pallet))
    _build(trace, truck, wanted)


def _build(trace: Trace, truck: str, wanted: list[tuple[str, ...]]) -> None:
    """Crates on what already stands, until all do or none can."""
    while wanted:
        ready = [on for on in wanted if trace.first("at", on[1], None)]
        if not ready:
            return
        for crate, surface in ready:
            place = trace.all("at", surface, None)[0][1]
            _go(trace, truck, place)
            hoist = _hoist(trace, place)
            trace.do("unload", hoist, crate, truck, place)
            trace.do("drop", hoist, crate, surface, place)
        wanted = [on for on in wanted if on not in ready]


def _places(trace: Trace, truck: str) -> list[str]:
    """Where the truck is, then all others in their order."""
    here = trace.all("at", truck, None)[0][1]
    return [here, *(place for place in trace.problem.objects_of["place"] if place != here)]


def _top(trace: Trace, place: str) -> tuple[str, ...] | None:
    """A crate at the place that nothing stands on, and what it stands on."""
    for on in trace.all("on", None, None):
        if trace.has("clear", on[0]) and trace.has("at", on[0], place):
            return on
    return None


def _free(trace: Trace, taken: list[str]) -> str:
    return next(name for name in trace.problem.objects_of["pallet"] if name not in taken)


def _hoist(trace: Trace, place: str) -> str:
    hoists = trace.problem.objects_of["hoist"]
    return next(name for name in hoists if trace.has("at", name, place))


def _go(trace: Trace, truck: str, place: str) -> None:
    here = trace.all("at", truck, None)[0][1]
    if here != place:
        trace.do("drive", truck, here, place)
