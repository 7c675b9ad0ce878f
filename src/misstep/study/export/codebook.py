"""What each column of a study's records holds, in words, and the unit of what is measured."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

_FACTOR, _DETAIL = "factor.", "detail."
_NUMBERED = re.compile(r"^right_\d+$")


@dataclass(frozen=True)
class Variable:
    """A column; `unit` is "" where it has none."""

    name: str
    holds: str
    unit: str = ""


def variable(column: str, families: tuple[str, ...]) -> Variable:
    """What the codebook says of a column, in a study of these families; a column that it does not
    know is said to be the family's own."""
    return Variable(column, _holds(column, families), _unit(column))


def _holds(column: str, families: tuple[str, ...]) -> str:
    book = _book()
    if column.startswith(_DETAIL):
        name = column.removeprefix(_DETAIL)
        found = book["details"].get("right_N" if _NUMBERED.match(name) else name)
        return found or f"a further score of {', '.join(families)}"
    if column.startswith(_FACTOR):
        name = column.removeprefix(_FACTOR)
        said = {family: book["factors"].get(family, {}).get(name) for family in families}
        known = [f"{family}: {text}" for family, text in said.items() if text]
        return "property of the item. " + ("; ".join(known) or f"{', '.join(families)}: its own")
    return str(book["columns"][column])


def _unit(column: str) -> str:
    if column.endswith("_ms") or column in ("detail.signs_blur", "detail.signs_hidden"):
        return "milliseconds"
    if column == "seconds":
        return "seconds"
    is_text = column.endswith("_chars") or column.startswith("detail.signs_")
    return "characters" if is_text and not column.endswith("untrusted") else ""


@cache
def _book() -> Mapping[str, Any]:  # Any: values of TOML
    text = resources.files(__package__).joinpath("codebook.toml").read_text("utf-8")
    return tomllib.loads(text)
