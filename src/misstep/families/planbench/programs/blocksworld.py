"""Blocksworld: take every tower apart, then build the goal's towers from the bottom up."""

from __future__ import annotations

from misstep.families.planbench.programs.trace import Trace, goal_facts


def program(trace: Trace) -> None:
    while (on := _top(trace)) is not None:
        trace.do("unstack", *on)
        trace.do("put-down", on[0])
    wanted = [fact.terms for fact in goal_facts(trace.problem.goal) if fact.predicate == "on"]
    while wanted:
        lower = {upper for upper, _ in wanted}
        ready = [on for on in wanted if on[1] not in lower]
        if not ready:
            return  # blocks that should stand on each other
        for upper, below in ready:
            trace.do("pick-up", upper)
            trace.do("stack", upper, below)
        wanted = [on for on in wanted if on not in ready]


def _top(trace: Trace) -> tuple[str, ...] | None:
    return next((on for on in trace.all("on", None, None) if trace.has("clear", on[0])), None)
