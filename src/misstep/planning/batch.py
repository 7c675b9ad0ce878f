"""Validates many plans: a JSON line in, a result out, in order, at the library's own speed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path

from misstep.planning.cases import Fields, domain_of, results, shown, text_of
from misstep.planning.errors import PlanningError
from misstep.planning.model import Domain, Number, Step
from misstep.planning.parsing import read_problem
from misstep.planning.plans import read_step
from misstep.planning.validation import Validation, validate


def validate_lines(
    lines: Iterable[str], folder: Path, file: str = ""
) -> Iterator[dict[str, object]]:
    """For each line with domain_pddl, problem_pddl and plan: the line's id if it has one, and what
    `validation_row` gives.

    `domain_pddl` is PDDL, or a file in `folder` or in its `domains` folder. Blank lines are passed
    over. Raises PlanningError that names the line, in `file`, where one can't be used.
    """
    domains = lru_cache(maxsize=256)(partial(domain_of, folder=folder))
    return results(lines, file, partial(_validated, domains=domains))


def validation_row(found: Validation) -> dict[str, object]:
    """verdict, failed_step, unmet, cost, reason: as JSON has it."""
    return {
        "verdict": found.verdict.value,
        "failed_step": found.failed_step,
        "unmet": list(found.unmet),
        "cost": json_number(found.cost),
        "reason": found.reason,
    }


def json_number(value: Number | None) -> int | float | None:
    """For JSON, which has no fractions."""
    return float(value) if isinstance(value, Fraction) else value


def _validated(fields: Fields, domains: Callable[[str], Domain]) -> dict[str, object]:
    domain = domains(text_of(fields, "domain_pddl"))
    problem = read_problem(text_of(fields, "problem_pddl"), domain, "problem_pddl")
    result: dict[str, object] = {"id": fields["id"]} if "id" in fields else {}
    return result | validation_row(validate(problem, _plan(fields)))


def _plan(fields: Fields) -> list[Step]:
    plan = fields.get("plan")
    if not isinstance(plan, list):
        raise PlanningError(f"plan: {shown(plan)} is not a list of steps")
    steps = []
    for index, step in enumerate(plan):
        if not isinstance(step, str):
            raise PlanningError(f"plan: step {index}: {shown(step)} is not text")
        try:
            steps.append(read_step(step))
        except PlanningError as error:
            raise PlanningError(f"plan: step {index}: {error}") from None
    return steps
