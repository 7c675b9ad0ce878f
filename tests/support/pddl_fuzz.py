"""Random PDDL that is well formed, by the grammar, and the same text with something broken."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

WORDS = [
    "(",
    ")",
    "()",
    "((",
    "))",
    ";",
    "?",
    "?x",
    "??",
    "-",
    "--",
    ":",
    ":action",
    ":types",
    ":derived",
    ":durative-action",
    "either",
    "and",
    "or",
    "not",
    "imply",
    "forall",
    "exists",
    "when",
    "=",
    "<",
    ">=",
    "increase",
    "assign",
    "total-cost",
    "object",
    "number",
    "define",
    "domain",
    "problem",
    ":goal",
    ":init",
    ":requirements",
    ":adl",
    ":durative-actions",
    ":nonsense",
    "0",
    "1.5",
    "-2",
    "1.2.3",
    "1e9",
    "9name",
    "name",
    "ÄÖ",
    "\x00",
    "\ufeff",
    "\u2028",
    "at",
    "start",
    "over",
    "all",
    "preference",
    "minimize",
]


@dataclass(frozen=True)
class Names:
    """What a text declares: types with their parent, predicates and functions with their types."""

    types: dict[str, str]
    predicates: dict[str, list[str]]
    functions: dict[str, list[str]]
    objects: dict[str, str]


class Grammar:
    """Writes one random domain and problem; every choice comes from `chance`."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.fresh = 0
        kinds = ["object", *[f"t{at}" for at in range(chance.randint(0, 3))]]
        types = {name: kinds[chance.randrange(at + 1)] for at, name in enumerate(kinds[1:])}
        self.kinds = kinds
        self.names = Names(
            types,
            {f"p{at}": self._some(kinds, 2) for at in range(chance.randint(1, 4))},
            {f"{at}f": self._some(kinds, 1) for at in range(chance.randint(0, 2))},
            {f"o{at}": chance.choice(kinds) for at in range(chance.randint(1, 4))},
        )

    def _some(self, kinds: list[str], most: int) -> list[str]:
        return [self.chance.choice(kinds) for _ in range(self.chance.randint(0, most))]

    def is_under(self, kind: str, wanted: str) -> bool:
        while kind not in (wanted, "object"):
            kind = self.names.types[kind]
        return wanted in (kind, "object")

    def term(self, wanted: str, scope: dict[str, str]) -> str | None:
        fitting = [name for name, kind in scope.items() if self.is_under(kind, wanted)]
        return self.chance.choice(fitting) if fitting else None

    def applied(self, declared: dict[str, list[str]], scope: dict[str, str]) -> str | None:
        """A predicate or function with terms that fit, if there are any."""
        if not declared:
            return None
        name = self.chance.choice(list(declared))
        terms = [self.term(wanted, scope) for wanted in declared[name]]
        return None if None in terms else f"({' '.join([name, *map(str, terms)])})"

    def number(self, scope: dict[str, str], depth: int) -> str:
        kind = self.chance.randrange(4)
        fluent = self.applied(self.names.functions, scope)
        if kind == 0 and depth > 0:
            left, right = self.number(scope, depth - 1), self.number(scope, depth - 1)
            return f"({self.chance.choice('+-*/')} {left} {right})"
        if kind < 3 and fluent:
            return fluent
        return self.chance.choice(["0", "1", "2", "0.5", "-1"])

    def quantified(self, scope: dict[str, str]) -> tuple[str, dict[str, str]]:
        """A variable list, whose variable may shadow another, and the scope inside."""
        self.fresh += 1
        name = self.chance.choice([f"?v{self.fresh}", *[one for one in scope if one[0] == "?"]])
        kind = self.chance.choice(self.kinds)
        return f"({name} - {kind})", {**scope, name: kind}

    def formula(self, scope: dict[str, str], depth: int) -> str:
        kind = self.chance.randrange(9 if depth > 0 else 4)
        if kind == 3 and scope:
            left, right = self.chance.choice(list(scope)), self.chance.choice(list(scope))
            return f"(= {left} {right})"
        if kind == 4:
            return f"(not {self.formula(scope, depth - 1)})"
        if kind == 5:
            parts = [self.formula(scope, depth - 1) for _ in range(self.chance.randint(0, 3))]
            return f"({self.chance.choice(['and', 'and', 'or'])} {' '.join(parts)})"
        if kind == 6:
            return f"(imply {self.formula(scope, depth - 1)} {self.formula(scope, depth - 1)})"
        if kind == 7:
            variables, inner = self.quantified(scope)
            word = self.chance.choice(["forall", "exists"])
            return f"({word} {variables} {self.formula(inner, depth - 1)})"
        if kind == 8:
            relation = self.chance.choice(["<", ">", "<=", ">=", "="])
            left = f"(+ 0 {self.number(scope, 1)})"
            return f"({relation} {left} {self.number(scope, 1)})"
        return self.applied(self.names.predicates, scope) or "()"

    def effect(self, scope: dict[str, str], depth: int) -> str:
        kind = self.chance.randrange(8 if depth > 0 else 5)
        atom = self.applied(self.names.predicates, scope) or "()"
        if kind in (2, 3) and atom != "()":
            return f"(not {atom})"
        if kind == 4:
            fluent = self.applied(self.names.functions, scope)
            word = self.chance.choice(["assign", "increase", "decrease", "scale-up", "scale-down"])
            # Scaling by fluents would soon need more digits than are allowed.
            value = self.number(scope, 1) if word[0] != "s" else self.number({}, 0)
            return f"({word} {fluent} {value})" if fluent else "(and)"
        if kind == 5:
            parts = [self.effect(scope, depth - 1) for _ in range(self.chance.randint(1, 3))]
            return f"(and {' '.join(parts)})"
        if kind == 6:
            variables, inner = self.quantified(scope)
            return f"(forall {variables} {self.effect(inner, depth - 1)})"
        if kind == 7:
            return f"(when {self.formula(scope, 1)} {self.effect(scope, depth - 1)})"
        return atom

    def action(self, name: str) -> str:
        scope = {f"?x{at}": kind for at, kind in enumerate(self._some(self.kinds, 3))}
        listed = " ".join(f"{one} - {kind}" for one, kind in scope.items())
        effects = " ".join(self.effect(scope, 2) for _ in range(self.chance.randint(1, 3)))
        parts = " ".join(self.formula(scope, 2) for _ in range(self.chance.randint(0, 2)))
        return (
            f"(:action {name} :parameters ({listed})\n"
            f"  :precondition (and {parts})\n  :effect (and {effects}))"
        )

    def domain(self) -> str:
        names = self.names
        types = " ".join(f"{one} - {parent}" for one, parent in names.types.items())
        predicates = " ".join(_signature(*one) for one in names.predicates.items())
        functions = " ".join(_signature(*one) for one in names.functions.items())
        actions = "\n".join(self.action(f"a{at}") for at in range(self.chance.randint(1, 3)))
        return (
            f"; random\n(define (domain d)\n(:requirements :adl :fluents)\n(:types {types})\n"
            f"(:predicates {predicates})\n(:functions {functions})\n{actions})\n"
        )

    def problem(self) -> str:
        scope = self.names.objects
        objects = " ".join(f"{one} - {kind}" for one, kind in scope.items())
        count = self.chance.randint(0, 5)
        facts = [self.applied(self.names.predicates, scope) or "" for _ in range(count)]
        fluents = {self.applied(self.names.functions, scope) for _ in range(3)} - {None}
        values = [f"(= {one} {self.chance.choice('0123')})" for one in sorted(map(str, fluents))]
        goal = self.formula(scope, 3)
        return (
            f"(define (problem p) (:domain d)\n(:objects {objects})\n"
            f"(:init {' '.join(facts + values)})\n(:goal {goal}))\n"
        )


def _signature(name: str, kinds: list[str]) -> str:
    listed = "".join(f" ?x{at} - {kind}" for at, kind in enumerate(kinds))
    return f"({name}{listed})"


def broken(text: str, chance: Random) -> str:
    """One to three words or characters taken out, doubled, swapped, replaced or put in."""
    words = re.findall(r"\s+|[()]|[^\s()]+", text)
    for _ in range(chance.randint(1, 3)):
        at, other = chance.randrange(len(words)), chance.randrange(len(words))
        kind = chance.randrange(7)
        if kind == 0:
            words[at] = ""
        elif kind == 1:
            words[at] += " " + words[at]
        elif kind == 2:
            words[at], words[other] = words[other], words[at]
        elif kind == 3:
            words[at] = chance.choice(WORDS)
        elif kind == 4:
            words[at] += " " + chance.choice(WORDS) + " "
        elif kind == 5:
            words = words[: at + 1]
        else:
            words[at] = words[at][:-1] + chr(chance.randrange(0x250))
    return "".join(words)
