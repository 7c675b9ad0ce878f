"""The options of a family (`-T key=value`): declared as data, read from text in one place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path

from misstep.core.errors import BadInput

OptionValue = str | int | float | bool
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class Option:
    """One option; its type is that of its default. `choices` lists the values of a text option.

    `makes_other_items` is false for what only chooses among the same items, or says where to keep
    something.
    """

    name: str
    default: OptionValue
    about: str
    choices: tuple[str, ...] = ()
    makes_other_items: bool = True


def variant(declared: tuple[Option, ...], values: Mapping[str, OptionValue]) -> str:
    """The options that make other items than the defaults do, as text; "" for the defaults.

    Answers to different variants are never pooled.
    """
    return ", ".join(
        f"{option.name}={values[option.name]}"
        for option in declared
        if option.makes_other_items and values[option.name] != option.default
    )


def by_content(value: str) -> str:
    """Of a file: a digest of what it holds, so that the same file is named alike wherever it is,
    and another one in its place is not; as it stands where it can't be read."""
    try:
        held = hashlib.sha256(Path(value).read_bytes()).hexdigest()
    except OSError:
        return value
    return f"file-{held[:8]}"


def read_options(
    declared: tuple[Option, ...], given: Mapping[str, object], family: str
) -> dict[str, OptionValue]:
    """All declared options, in their order, with the given values in place of the defaults."""
    by_name = {option.name: option for option in declared}
    for name in given:
        if name not in by_name:
            known = ", ".join(by_name) or "none"
            raise BadInput(f"-T {name}: {family} has no such option; known: {known}")
    return {
        option.name: _read(option, given[option.name]) if option.name in given else option.default
        for option in declared
    }


def _read(option: Option, value: object) -> OptionValue:
    if isinstance(option.default, bool):
        return _read_truth(option, value)
    if isinstance(option.default, int):
        return _read_number(option, value)
    if isinstance(option.default, float):
        return _read_decimal(option, value)
    text = str(value)
    if option.choices and text not in option.choices:
        known = ", ".join(option.choices)
        raise BadInput(f"-T {option.name}: {text!r} is not one of {known}")
    return text


def _read_truth(option: Option, value: object) -> bool:
    truth = _TRUTHS.get(str(value).lower())
    if truth is None:
        raise BadInput(f"-T {option.name}: {value!r} is neither true nor false")
    return truth


def _read_number(option: Option, value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise BadInput(f"-T {option.name}: {value!r} is no whole number") from None


def _read_decimal(option: Option, value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = nan
    if not isfinite(number):
        raise BadInput(f"-T {option.name}: {value!r} is no number")
    return number


def read_pairs(flag: str, pairs: Iterable[str]) -> dict[str, str]:
    """`key=value` words of the command line; BadInput names the flag and the word."""
    read: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise BadInput(f"{flag}: {pair!r} is not KEY=VALUE")
        if name in read:
            raise BadInput(f"{flag}: {name!r} is given twice")
        read[name] = value
    return read


def typed(pairs: Mapping[str, str]) -> dict[str, str | int | float | bool]:
    """The same pairs with numbers and true/false as such; all else stays text."""
    return {name: _typed(value) for name, value in pairs.items()}


def _typed(value: str) -> str | int | float | bool:
    if value in ("true", "false"):
        return value == "true"
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value
