"""Cases for many at once: lines of JSON, their fields, and faults named with their line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from misstep.planning.errors import PlanningError
from misstep.planning.lexing import LONGEST, quoted
from misstep.planning.model import Domain
from misstep.planning.parsing import read_domain

Fields: TypeAlias = Mapping[str, object]


def results(
    lines: Iterable[str], file: str, result: Callable[[Fields], dict[str, object]]
) -> Iterator[dict[str, object]]:
    """One for each line but blank ones, in order.

    A PlanningError is raised again with the line before it: "cases.jsonl:3: …", or "line 3: …"
    where there is no file.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found = result(_fields(line))
            except PlanningError as error:
                place = f"{file}:{number}" if file else f"line {number}"
                raise PlanningError(f"{place}: {error}") from error
            yield found


def text_of(fields: Fields, name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise PlanningError(f"{name}: {shown(value)} is not text")
    return value


def domain_of(text: str, folder: Path) -> Domain:
    """PDDL, or a file in `folder` or in its `domains`: only files there are looked at, whatever the
    line says."""
    if "(" in text:
        return read_domain(text, "domain_pddl")
    if len(text) <= LONGEST and not Path(text).is_absolute() and ".." not in Path(text).parts:
        for place in (folder / text, folder / "domains" / text):
            if place.is_file():
                return read_domain(place.read_bytes(), str(place))
    raise PlanningError(f"domain_pddl: {quoted(text)} is no file in {folder} or its domains")


def shown(value: object) -> str:
    """For a message."""
    return quoted(json.dumps(value)[:40])


def _fields(line: str) -> Fields:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise PlanningError(f"not JSON: {str(error).splitlines()[0]}") from None
    if not isinstance(fields, dict):
        raise PlanningError("not a JSON object")
    return fields
