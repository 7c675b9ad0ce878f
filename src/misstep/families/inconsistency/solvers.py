"""Reference solvers: no language model, only the words of the question."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from misstep.core.family import Solution, Solver
from misstep.core.items import Item
from misstep.families.inconsistency.prompts import prompt
from misstep.families.inconsistency.spec import InconsistencyPayload

_ASKED = re.compile(r"\n1\. (?P<first>.+)\n2\. (?P<second>.+)\n")
_RULE = re.compile(r"If (?P<a>.+), then it is always the case that (?P<b>.+?)\.?")
_DENIAL = re.compile(r"(?:(?P<a>.+), but it|It) is not the case that (?P<b>.+?)\.?")


@dataclass(frozen=True)
class Said:
    """The two statements of a question; `second_a` is what the second affirms, if it does."""

    first_a: str
    first_b: str
    second: str
    second_a: str | None
    second_b: str


def exact(item: Item[InconsistencyPayload]) -> Solution:
    said = _read(item)
    denies_then = _same(said.first_b, said.second_b)
    affirms_if = said.second_a is not None and _same(said.first_a, said.second_a)
    return Solution("No" if affirms_if and denies_then else "Yes")


def believer(item: Item[InconsistencyPayload]) -> Solution:
    said = _read(item)
    return Solution("No" if _same(said.first_b, said.second_b) else "Yes")


def explainer(item: Item[InconsistencyPayload]) -> Solution:
    said = _read(item)
    contradicts_itself = said.second_a is not None and _same(said.second_a, said.second_b)
    return Solution("No" if contradicts_itself else "Yes")


def but(item: Item[InconsistencyPayload]) -> Solution:
    return Solution("No" if ", but " in _read(item).second else "Yes")


def always_no(_item: Item[InconsistencyPayload]) -> Solution:
    return Solution("No")


def always_yes(_item: Item[InconsistencyPayload]) -> Solution:
    return Solution("Yes")


SOLVERS: Mapping[str, Solver[InconsistencyPayload]] = {
    "exact": exact,
    "but": but,
    "believer": believer,
    "explainer": explainer,
    "always-no": always_no,
    "always-yes": always_yes,
}
SOLVER_ABOUT = {
    "exact": "No if statement 2 affirms the condition of statement 1 and denies what follows",
    "but": "No if statement 2 has a “but”: right without any logic, as the form gives it away",
    "believer": "takes what statement 1 says to follow for a fact, and denies whatever denies it",
    "explainer": "looks only for a way in which statement 2 could be true, and finds one",
    "always-no": "No each time",
    "always-yes": "Yes each time",
}


def _read(item: Item[InconsistencyPayload]) -> Said:
    asked = _ASKED.search(prompt(item, "direct"))
    first = asked and _RULE.fullmatch(asked["first"])
    second = asked and _DENIAL.fullmatch(asked["second"])
    if not asked or not first or not second:
        raise ValueError(f"{item.id}: the question has other words than Table 12")
    return Said(first["a"], first["b"], asked["second"], second["a"], second["b"])


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
