"""The seven attributes that a problem's five people are described by (B.1), and their dealing."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.seeds import stream

VALUES: Mapping[str, tuple[str, ...]] = {
    "race": ("asian", "black", "hispanic", "white"),
    "gender": ("man", "woman"),
    "age": ("young", "middle-aged", "old"),
    "eye_colour": ("brown", "blue", "green"),
    "hair_colour": ("brown", "black", "blonde", "red", "gray"),
    "hair_length": ("long", "short"),
    "hair_type": ("curly", "wavy", "straight"),
}
NAMES = tuple(VALUES)
CELL = ("race", "gender", "age")
"""The attributes whose combinations are dealt evenly: 24 cells."""

Rule = Mapping[str, Sequence[str]]
"""Leaves out every combination that has one of the named values in each named attribute."""


@dataclass(frozen=True)
class Attributes:
    """One value of each attribute, in the paper's words."""

    race: str
    gender: str
    age: str
    eye_colour: str
    hair_colour: str
    hair_length: str
    hair_type: str

    @property
    def cell(self) -> tuple[str, str, str]:
        return self.race, self.gender, self.age

    @property
    def words(self) -> str:
        """As the paper describes: 'young asian woman, brown eyes, long straight black hair'."""
        hair = f"{self.hair_length} {self.hair_type} {self.hair_colour} hair"
        return f"{self.age} {self.race} {self.gender}, {self.eye_colour} eyes, {hair}"


def allowed(rules: Sequence[Rule]) -> tuple[Attributes, ...]:
    """All combinations but those that a rule leaves out, in a fixed order."""
    every = (Attributes(*values) for values in product(*VALUES.values()))
    return tuple(one for one in every if not any(_is_left_out(one, rule) for rule in rules))


def _is_left_out(one: Attributes, rule: Rule) -> bool:
    return all(getattr(one, name) in values for name, values in rule.items())


def read_rules(path: Path | None = None) -> tuple[Rule, ...]:
    """The rules of a file, or the family's own; BadInput names what is wrong."""
    name = str(path) if path else "left_out.toml"
    try:
        text = (path or files(__package__) / "left_out.toml").read_text(encoding="utf-8")
        plain = tomllib.loads(text)
    except OSError as error:
        raise BadInput(f"-T left_out: {name}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # UTF-8, TOML, numbers of too many digits
        raise BadInput(f"-T left_out: {name}: {error}") from None
    entries = plain.get("left_out")
    if set(plain) != {"left_out"} or not isinstance(entries, list):
        raise BadInput(f"-T left_out: {name}: holds something other than [[left_out]] entries")
    rules = tuple(_rule(name, number, entry) for number, entry in enumerate(entries, 1))
    _refuse_empty_cells(name, rules)
    return rules


def _rule(name: str, number: int, entry: object) -> Rule:
    if not isinstance(entry, dict):
        raise BadInput(f"-T left_out: {name}: entry {number} is no table")
    rule = {key: value for key, value in entry.items() if key != "why"}
    if not rule:
        raise BadInput(f"-T left_out: {name}: entry {number} names no attribute")
    for key, values in rule.items():
        if key not in VALUES:
            raise BadInput(f"-T left_out: {name}: {key!r} is not one of {', '.join(NAMES)}")
        unknown = [one for one in values if one not in VALUES[key]] if values else [values]
        if not isinstance(values, list) or unknown:
            known = ", ".join(VALUES[key])
            raise BadInput(f"-T left_out: {name}: {key}: {values!r} is not a list of {known}")
    return rule


def _refuse_empty_cells(name: str, rules: Sequence[Rule]) -> None:
    filled = {one.cell for one in allowed(rules)}
    for cell in product(*(VALUES[part] for part in CELL)):
        if cell not in filled:
            raise BadInput(f"-T left_out: {name}: leaves no combination for {' '.join(cell)}")


def dealt(seed: int, version: int, number: int, combinations: Sequence[Attributes]) -> Attributes:
    """The attributes of a seed's problem of that number: all 24 cells come before any comes again;
    within its cell each combination is as likely."""
    cells = tuple(product(*(VALUES[part] for part in CELL)))
    deal, place = divmod(number, len(cells))
    cell = stream("faces", version, seed, "cells", deal).shuffled(cells)[place]
    within = [one for one in combinations if one.cell == cell]
    return stream("faces", version, seed, "attributes", number).choice(within)
