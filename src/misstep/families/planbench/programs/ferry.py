"""Ferry: bring one car after the other to where it should be."""

from __future__ import annotations

from misstep.families.planbench.programs.trace import Trace, goal_facts


def program(trace: Trace) -> None:
    aboard = trace.first("on", None)
    goals = [fact.terms for fact in goal_facts(trace.problem.goal) if fact.predicate == "at"]
    if aboard is not None:
        wanted = next((harbour for car, harbour in goals if car == aboard[0]), None)
        _let_off(trace, aboard[0], wanted)
    for car, harbour in goals:
        place = trace.first("at", car, None)
        if place is None or place[1] == harbour:
            continue
        _sail(trace, place[1])
        trace.do("board", car, place[1])
        _let_off(trace, car, harbour)
    for fact in goal_facts(trace.problem.goal):
        if fact.predicate == "at-ferry":
            _sail(trace, fact.terms[0])


def _let_off(trace: Trace, car: str, harbour: str | None) -> None:
    if harbour is not None:
        _sail(trace, harbour)
    here = trace.first("at-ferry", None)
    if here is not None:
        trace.do("debark", car, here[0])


def _sail(trace: Trace, harbour: str) -> None:
    here = trace.first("at-ferry", None)
    if here is not None and here[0] != harbour:
        trace.do("sail", here[0], harbour)
