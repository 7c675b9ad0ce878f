"""A second road for planning: PDDL as nested lists, formulas spelled out, no types of its own kind.

Slow and obvious. It trusts its text: only well-formed PDDL goes in. Lists are read by recursion,
objects are put in for variables by replacing words, and a state is a set of tuples.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

Tree: TypeAlias = "str | list[Tree]"
Fact: TypeAlias = tuple[str, ...]


def tree(text: str) -> Tree:
    words = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text).lower())
    return _take(words)


def _take(words: list[str]) -> Tree:
    word = words.pop(0)
    if word != "(":
        return word
    parts: list[Tree] = []
    while words[0] != ")":
        parts.append(_take(words))
    words.pop(0)
    return parts


def _section(form: Tree, name: str) -> list[Tree]:
    for part in form[1:]:
        if part[0] == name:
            return list(part[1:])
    return []


def typed(parts: list[Tree]) -> list[tuple[str, list[str]]]:
    """(name, types) in order."""
    found: list[tuple[str, list[str]]] = []
    waiting: list[str] = []
    index = 0
    while index < len(parts):
        part = parts[index]
        assert isinstance(part, str)
        if part == "-":
            kind = parts[index + 1]
            kinds = [kind] if isinstance(kind, str) else [str(one) for one in kind[1:]]
            found += [(name, kinds) for name in waiting]
            waiting = []
            index += 2
        else:
            waiting.append(part)
            index += 1
    return found + [(name, ["object"]) for name in waiting]


@dataclass
class World:
    facts: set[Fact]
    values: dict[Fact, Fraction]


class Oracle:
    """A domain and a problem, judged the long way round."""

    def __init__(self, domain: str, problem: str) -> None:
        self.domain, self.problem = tree(domain), tree(problem)
        self.parents = dict(typed(_section(self.domain, ":types")))
        self.objects = typed(_section(self.domain, ":constants")) + typed(
            _section(self.problem, ":objects")
        )
        self.actions = {
            str(part[1]): dict(zip(map(str, part[2::2]), part[3::2], strict=True))
            for part in self.domain[1:]
            if part[0] == ":action"
        }
        self.goal = _section(self.problem, ":goal")[0]
        self.metric = _section(self.problem, ":metric")

    def start(self) -> World:
        world = World(set(), {})
        if any(part[0] == "total-cost" for part in _section(self.domain, ":functions")):
            world.values[("total-cost",)] = Fraction(0)
        for part in _section(self.problem, ":init"):
            if part[0] == "=":
                world.values[tuple(map(str, part[1]))] = Fraction(str(part[2]))
            elif part[0] != "not":
                world.facts.add(tuple(map(str, part)))
        return world

    def is_of(self, kinds: list[str], wanted: list[str]) -> bool:
        """Some of `kinds`, or a type above it, is among `wanted`."""
        if "object" in wanted or any(kind in wanted for kind in kinds):
            return True
        return any(self.is_of(self.parents.get(kind, []), wanted) for kind in kinds)

    def choices(self, variables: list[Tree]) -> list[dict[str, str]]:
        names = typed(variables)
        fitting = [
            [one for one, kinds in self.objects if self.is_of(kinds, wanted)] for _, wanted in names
        ]
        return [
            dict(zip((name for name, _ in names), objects, strict=True))
            for objects in product(*fitting)
        ]

    def holds(self, part: Tree, world: World) -> bool:
        """Of a formula without free variables; KeyError or ZeroDivisionError: no value."""
        if not part or part[0] == "and":
            return all(self.holds(one, world) for one in part[1:])
        if part[0] == "or":
            return any(self.holds(one, world) for one in part[1:])
        if part[0] == "not":
            return not self.holds(part[1], world)
        if part[0] == "imply":
            return not self.holds(part[1], world) or self.holds(part[2], world)
        if part[0] in ("forall", "exists"):
            whole = all if part[0] == "forall" else any
            variables = list(part[1])
            return whole(self.holds(put(part[2], one), world) for one in self.choices(variables))
        if part[0] == "=" and isinstance(part[1], str) and isinstance(part[2], str):
            return part[1] == part[2]
        if part[0] in ("=", "<", ">", "<=", ">="):
            left, right = self.value(part[1], world), self.value(part[2], world)
            return {
                "=": left == right,
                "<": left < right,
                ">": left > right,
                "<=": left <= right,
                ">=": left >= right,
            }[str(part[0])]
        return tuple(map(str, part)) in world.facts

    def value(self, part: Tree, world: World) -> Fraction:
        if isinstance(part, str):
            return Fraction(part)
        if part[0] not in ("+", "-", "*", "/"):
            return world.values[tuple(map(str, part))]
        values = [self.value(one, world) for one in part[1:]]
        if len(values) == 1:
            return -values[0]
        result = values[0]
        for value in values[1:]:
            operator = part[0]
            result = (
                result + value
                if operator == "+"
                else result - value
                if operator == "-"
                else result * value
                if operator == "*"
                else result / value
            )
        return result

    def changes(self, part: Tree, world: World) -> list[Tree]:
        """The atomic effects that take place."""
        if not part or part[0] == "and":
            return [change for one in part[1:] for change in self.changes(one, world)]
        if part[0] == "forall":
            variables = list(part[1])
            return [
                change
                for one in self.choices(variables)
                for change in self.changes(put(part[2], one), world)
            ]
        if part[0] == "when":
            # Nothing depends on a condition under which nothing changes.
            takes_place = any_change(part[2]) and self.holds(part[1], world)
            return self.changes(part[2], world) if takes_place else []
        return [part]

    def misfit(self, step: Fact) -> str | None:
        if step[0] not in self.actions:
            return "unknown_action"
        parameters = typed(list(self.actions[step[0]].get(":parameters", [])))
        if len(parameters) != len(step) - 1:
            return "wrong_arity"
        kinds = dict(self.objects)
        if any(one not in kinds for one in step[1:]):
            return "unknown_object"
        pairs = zip(step[1:], parameters, strict=True)
        if not all(self.is_of(kinds[one], wanted) for one, (_, wanted) in pairs):
            return "wrong_type"
        return None

    def after(self, step: Fact, world: World) -> World | None:
        """None where the precondition does not hold or a number has no value."""
        action = self.actions[step[0]]
        names = [name for name, _ in typed(list(action.get(":parameters", [])))]
        objects = dict(zip(names, step[1:], strict=True))
        try:
            if not self.holds(put(action.get(":precondition", []), objects), world):
                return None
            changes = self.changes(put(action.get(":effect", []), objects), world)
            return self._changed(changes, world)
        except (KeyError, ZeroDivisionError):
            return None

    def _changed(self, changes: list[Tree], world: World) -> World:
        new = World(set(world.facts), dict(world.values))
        for change in changes:
            if change[0] == "not":
                new.facts.discard(tuple(map(str, change[1])))
        for change in changes:
            if change[0] in ("assign", "increase", "decrease", "scale-up", "scale-down"):
                key, amount = tuple(map(str, change[1])), self.value(change[2], world)
                if change[0] == "assign":
                    new.values[key] = amount
                elif change[0] in ("increase", "decrease"):
                    new.values[key] += amount if change[0] == "increase" else -amount
                else:
                    new.values[key] *= amount if change[0] == "scale-up" else 1 / amount
            elif change[0] != "not":
                new.facts.add(tuple(map(str, change)))
        return new

    def judge(self, plan: list[Fact]) -> tuple[str, int | None]:
        """Verdict and failed step."""
        world = self.start()
        for index, step in enumerate(plan):
            fault = self.misfit(step)
            after = None if fault else self.after(step, world)
            if after is None:
                return fault or "precondition_failed", index
            world = after
        try:
            return ("valid" if self.holds(self.goal, world) else "goal_not_reached"), None
        except (KeyError, ZeroDivisionError):
            return "goal_not_reached", None

    def steps(self) -> list[Fact]:
        """Every step that can be named."""
        return [
            (name, *choice.values())
            for name, action in self.actions.items()
            for choice in self.choices(list(action.get(":parameters", [])))
        ]


def any_change(part: Tree) -> bool:
    """Is there an atomic effect in it at all?"""
    if part and part[0] in ("when", "forall"):
        return any_change(part[2])
    return any(any_change(one) for one in part[1:]) if part and part[0] == "and" else bool(part)


def put(part: Tree, objects: dict[str, str]) -> Tree:
    """Objects in place of variables, but those that an inner quantifier declares anew."""
    if isinstance(part, str):
        return objects.get(part, part)
    if part and part[0] in ("forall", "exists"):
        own = {name for name, _ in typed(list(part[1]))}
        left = {name: one for name, one in objects.items() if name not in own}
        return [part[0], part[1], put(part[2], left)]
    return [put(one, objects) for one in part]
