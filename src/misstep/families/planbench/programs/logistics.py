"""Logistics: one package after the other, by truck, and by air where the cities differ."""

from __future__ import annotations

from misstep.families.planbench.programs.trace import Trace, goal_facts


def program(trace: Trace) -> None:
    for package, vehicle in trace.all("in", None, None):
        _unload(trace, package, vehicle)
    for fact in goal_facts(trace.problem.goal):
        thing, goal = fact.terms
        if trace.has("obj", thing):
            _bring(trace, thing, goal)
    for fact in goal_facts(trace.problem.goal):
        thing, goal = fact.terms
        if trace.has("truck", thing):
            _drive(trace, thing, goal)
        elif trace.has("airplane", thing):
            _fly(trace, thing, goal)


def _bring(trace: Trace, package: str, goal: str) -> None:
    here = _place(trace, package)
    city, other = _city(trace, here), _city(trace, goal)
    if city != other:
        _by_truck(trace, package, _airport(trace, city))
        _by_air(trace, package, _airport(trace, other))
    _by_truck(trace, package, goal)


def _by_truck(trace: Trace, package: str, goal: str) -> None:
    here = _place(trace, package)
    if here == goal:
        return
    city = _city(trace, here)
    truck = next(
        name for (name,) in trace.all("truck", None) if _city(trace, _place(trace, name)) == city
    )
    _drive(trace, truck, here)
    trace.do("load-truck", package, truck, here)
    _drive(trace, truck, goal)
    trace.do("unload-truck", package, truck, goal)


def _by_air(trace: Trace, package: str, goal: str) -> None:
    here = _place(trace, package)
    airplane = trace.all("airplane", None)[0][0]
    _fly(trace, airplane, here)
    trace.do("load-airplane", package, airplane, here)
    _fly(trace, airplane, goal)
    trace.do("unload-airplane", package, airplane, goal)


def _unload(trace: Trace, package: str, vehicle: str) -> None:
    kind = "truck" if trace.has("truck", vehicle) else "airplane"
    trace.do(f"unload-{kind}", package, vehicle, _place(trace, vehicle))


def _drive(trace: Trace, truck: str, goal: str) -> None:
    here = _place(trace, truck)
    if here != goal:
        trace.do("drive-truck", truck, here, goal, _city(trace, here))


def _fly(trace: Trace, airplane: str, goal: str) -> None:
    here = _place(trace, airplane)
    if here != goal:
        trace.do("fly-airplane", airplane, here, goal)


def _place(trace: Trace, thing: str) -> str:
    return trace.all("at", thing, None)[0][1]


def _city(trace: Trace, place: str) -> str:
    return trace.all("in-city", place, None)[0][1]


def _airport(trace: Trace, city: str) -> str:
    return next(place for (place,) in trace.all("airport", None) if _city(trace, place) == city)
