"""Validates many plans: a JSON line in, a result out, in order, at the library's own speed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path

from misstep.planning.errors import PlanningError
from misstep.planning.lexing import LONGEST, quoted
from misstep.planning.model import Domain, Number, Step
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.plans import read_step
from misstep.planning.validation import validate


def validate_lines(lines: Iterable[str], folder: Path) -> Iterator[dict[str, object]]:
    """For each line with domain_pddl, problem_pddl and plan: verdict, failed_step, unmet, cost,
    reason, and the line's id if it has one.

    `domain_pddl` is PDDL, or a file in `folder` or in its `domains` folder. Blank lines are passed
    over. Raises PlanningError that names the line where one can't be used.
    """
    domain_of = lru_cache(maxsize=256)(partial(_domain, folder=folder))
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _validated(_fields(line), domain_of)
            except PlanningError as error:
                raise PlanningError(f"line {number}: {error}") from error


def json_number(value: Number | None) -> int | float | None:
    """For JSON, which has no fractions."""
    return float(value) if isinstance(value, Fraction) else value


def _validated(
    fields: Mapping[str, object], domain_of: Callable[[str], Domain]
) -> dict[str, object]:
    domain = domain_of(_text(fields, "domain_pddl"))
    problem = read_problem(_text(fields, "problem_pddl"), domain, "problem_pddl")
    found = validate(problem, _plan(fields))
    result: dict[str, object] = {"id": fields["id"]} if "id" in fields else {}
    return result | {
        "verdict": found.verdict.value,
        "failed_step": found.failed_step,
        "unmet": list(found.unmet),
        "cost": json_number(found.cost),
        "reason": found.reason,
    }


def _fields(line: str) -> Mapping[str, object]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise PlanningError(f"not JSON: {str(error).splitlines()[0]}") from None
    if not isinstance(fields, dict):
        raise PlanningError("not a JSON object")
    return fields


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise PlanningError(f"{name}: {_shown(value)} is not text")
    return value


def _plan(fields: Mapping[str, object]) -> list[Step]:
    plan = fields.get("plan")
    if not isinstance(plan, list):
        raise PlanningError(f"plan: {_shown(plan)} is not a list of steps")
    steps = []
    for index, step in enumerate(plan):
        if not isinstance(step, str):
            raise PlanningError(f"plan: step {index}: {_shown(step)} is not text")
        try:
            steps.append(read_step(step))
        except PlanningError as error:
            raise PlanningError(f"plan: step {index}: {error}") from None
    return steps


def _shown(value: object) -> str:
    return quoted(json.dumps(value)[:40])


def _domain(text: str, folder: Path) -> Domain:
    """Only files inside of the folder are looked at, whatever the line says."""
    if "(" in text:
        return read_domain(text, "domain_pddl")
    if len(text) <= LONGEST and not Path(text).is_absolute() and ".." not in Path(text).parts:
        for place in (folder / text, folder / "domains" / text):
            if place.is_file():
                return read_domain(place.read_bytes(), str(place))
    raise PlanningError(f"domain_pddl: {quoted(text)} is no file in {folder} or its domains")
