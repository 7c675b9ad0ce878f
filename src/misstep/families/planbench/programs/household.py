"""Household: one thing after the other, washed if it should be, put where it should be; then the
appliances are shut and switched on."""

from __future__ import annotations

from misstep.families.planbench.programs.trace import Trace, denied_facts, goal_facts


def program(trace: Trace) -> None:
    goals = goal_facts(trace.problem.goal)
    places = {fact.terms[0]: fact.terms[1] for fact in goals if fact.predicate in ("on", "inside")}
    dirty = [fact.terms[0] for fact in goals if fact.predicate == "clean"]
    for (held,) in trace.all("holding", None):
        _wash_and_put(trace, held, places, dirty)
    for item in dict.fromkeys([*places, *dirty]):
        start = _place(trace, item)
        is_home = places.get(item, start) == start
        if start is None or (is_home and (item not in dirty or trace.has("clean", item))):
            continue
        _take(trace, item, start)
        _wash_and_put(trace, item, {item: places.get(item, start)}, dirty)
    for fact in goals:
        if fact.predicate == "open":
            _open(trace, fact.terms[0])
    for fact in denied_facts(trace.problem.goal):
        if fact.predicate == "open":
            _shut(trace, fact.terms[0])
    for fact in goals:
        if fact.predicate == "running" and not trace.has("running", fact.terms[0]):
            _shut(trace, fact.terms[0])
            _go(trace, _room(trace, fact.terms[0]))
            trace.do("switch-on", fact.terms[0], _room(trace, fact.terms[0]))
    for fact in goals:
        if fact.predicate == "in-room":
            _go(trace, fact.terms[0])


def _wash_and_put(trace: Trace, item: str, places: dict[str, str], dirty: list[str]) -> None:
    if item in dirty and not trace.has("clean", item):
        sink = trace.problem.objects_of["sink"][0]
        _go(trace, _room(trace, sink))
        trace.do("wash", item, sink, _room(trace, sink))
    if item not in places:
        return
    goal = places[item]
    if goal not in trace.problem.objects_of["container"]:
        _go(trace, _room(trace, goal))
        trace.do("put-on", item, goal, _room(trace, goal))
        return
    if not trace.has("open", goal):
        # A hand that holds something can't open: put it aside, open, take it again.
        aside = trace.problem.objects_of["surface"][0]
        _wash_and_put(trace, item, {item: aside}, [])
        _open(trace, goal)
        _take(trace, item, aside)
    _go(trace, _room(trace, goal))
    trace.do("put-in", item, goal, _room(trace, goal))


def _take(trace: Trace, item: str, start: str) -> None:
    if start in trace.problem.objects_of["container"]:
        _open(trace, start)
        trace.do("take-out", item, start, _room(trace, start))
        return
    _go(trace, _room(trace, start))
    trace.do("take-off", item, start, _room(trace, start))


def _open(trace: Trace, container: str) -> None:
    _go(trace, _room(trace, container))
    if trace.has("running", container):
        trace.do("switch-off", container, _room(trace, container))
    if not trace.has("open", container):
        trace.do("open-up", container, _room(trace, container))


def _shut(trace: Trace, container: str) -> None:
    if trace.has("open", container):
        _go(trace, _room(trace, container))
        trace.do("shut", container, _room(trace, container))


def _place(trace: Trace, item: str) -> str | None:
    found = trace.first("on", item, None) or trace.first("inside", item, None)
    return found[1] if found else None


def _room(trace: Trace, fixture: str) -> str:
    return trace.all("stands-in", fixture, None)[0][1]


def _go(trace: Trace, room: str) -> None:
    here = trace.all("in-room", None)[0][0]
    for one, other in _way(trace, here, room):
        trace.do("walk", one, other)


def _way(trace: Trace, start: str, goal: str) -> list[tuple[str, str]]:
    """A shortest walk, by breadth."""
    ways: dict[str, list[tuple[str, str]]] = {start: []}
    waiting = [start]
    while waiting:
        here = waiting.pop(0)
        for _, room in trace.all("next-to", here, None):
            if room not in ways:
                ways[room] = [*ways[here], (here, room)]
                waiting.append(room)
    return ways[goal]
