"""Many replies at once: lines of JSON in, one reading for each out, in order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from misstep.planning.errors import PlanningError
from misstep.planning.model import Domain, Problem
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.reading.lexicon import Lexicon, lexicon_for
from misstep.planning.reading.reader import read_with


def read_lines(lines: Iterable[str], folder: Path | str) -> Iterator[dict[str, Any]]:  # Any: JSON
    """Each line has `domain_pddl` (a file beside the lines, in `folder` or its `domains/`, or the
    text), `problem_pddl`, `response` and, if it is there, `query` and `stop_reason`.

    Out come `id`, `outcome`, `value` (plan, no_plan, null), `plan` (list of texts or null) and
    `line`. Raises PlanningError naming the line for anything that isn't such a case.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _read_line(line, number, Path(folder))


def _read_line(line: str, number: int, folder: Path) -> dict[str, Any]:  # Any: JSON
    case = _case(line, number)
    domain = _domain(_text(case, "domain_pddl", number), str(folder), number)
    lexicon = _lexicon(domain, _text(case, "problem_pddl", number))
    reading = read_with(
        _text(case, "response", number),
        lexicon,
        str(case.get("query") or ""),
        case.get("stop_reason"),
    )
    return {
        "id": case.get("id"),
        "outcome": reading.outcome,
        "value": reading.value,
        "plan": reading.texts,
        "line": reading.line,
    }


def _case(line: str, number: int) -> dict[str, Any]:  # Any: JSON
    try:
        case = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise PlanningError(f"line {number}: not JSON ({error})") from error
    if not isinstance(case, dict):
        raise PlanningError(f"line {number}: an object is expected, not {type(case).__name__}")
    return case


def _text(case: dict[str, Any], field: str, number: int) -> str:  # Any: JSON
    value = case.get(field)
    if not isinstance(value, str):
        raise PlanningError(f"line {number}: field {field} must be text, not {value!r:.40}")
    return value


def _domain(given: str, folder: str, number: int) -> Domain:
    if "(" in given:
        return _read_domain(given, "")
    for path in (Path(folder, given), Path(folder, "domains", given)):
        if path.is_file():
            return _read_domain(path.read_text("utf-8"), str(path))
    raise PlanningError(f"line {number}: field domain_pddl: no file {given!r} in {folder}")


@lru_cache(maxsize=64)
def _read_domain(text: str, file: str) -> Domain:
    return read_domain(text, file)


def _lexicon(domain: Domain, problem_text: str) -> Lexicon:
    problem: Problem = read_problem(problem_text, domain)
    return lexicon_for(domain, problem)
