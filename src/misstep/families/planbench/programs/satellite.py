"""Satellite: one image after the other: power, calibration, aim, picture; then the last aims."""

from __future__ import annotations

from misstep.families.planbench.programs.trace import Trace, goal_facts


def program(trace: Trace) -> None:
    goals = goal_facts(trace.problem.goal)
    for fact in goals:
        if fact.predicate == "have_image" and not trace.has("have_image", *fact.terms):
            _take(trace, *fact.terms)
    for fact in goals:
        if fact.predicate == "pointing":
            _turn(trace, *fact.terms)


def _take(trace: Trace, direction: str, mode: str) -> None:
    fitting = [name for name, _ in trace.all("supports", None, mode) if _target(trace, name)]
    instrument = fitting[0]
    satellite = trace.all("on_board", instrument, None)[0][1]
    if not trace.has("power_on", instrument):
        _give_power(trace, instrument, satellite)
    if not trace.has("calibrated", instrument):
        target = _target(trace, instrument)
        if target is not None:
            _turn(trace, satellite, target)
            trace.do("calibrate", satellite, instrument, target)
    _turn(trace, satellite, direction)
    trace.do("take_image", satellite, direction, instrument, mode)


def _give_power(trace: Trace, instrument: str, satellite: str) -> None:
    for (other,) in trace.all("power_on", None):
        if trace.has("on_board", other, satellite):
            trace.do("switch_off", other, satellite)
    trace.do("switch_on", instrument, satellite)


def _target(trace: Trace, instrument: str) -> str | None:
    found = trace.first("calibration_target", instrument, None)
    return found[1] if found else None


def _turn(trace: Trace, satellite: str, direction: str) -> None:
    now = trace.all("pointing", satellite, None)[0][1]
    if now != direction:
        trace.do("turn_to", satellite, direction, now)
