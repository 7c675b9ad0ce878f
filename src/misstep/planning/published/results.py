"""Published result files: where they lie, and the fields in them that grading needs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from misstep.planning.errors import PlanningError

_RESULTS = "results"
_PROMPTS = "prompts"
_TASK = re.compile(r"task_(\d+)(?:_([1-9])(?=_|$))?")

# Tasks by their number in the file's name.
GENERATION, OPTIMALITY, GENERALIZATION, SHUFFLING = "1", "2", "5", "8_1"
GRADED_BY_PLAN = frozenset((GENERATION, OPTIMALITY, "4", GENERALIZATION, SHUFFLING, "8_2", "8_3"))
NOT_BY_PLAN = {
    "3": "plan verification: its truth is a verdict, not a plan",
    "6": "replanning: the changed state isn't stored with the results",
    "7": "plan execution: its truth is a state, not a plan",
}


@dataclass(frozen=True, slots=True)
class StoredResult:
    """`is_correct` and `reply` are None where the file has none."""

    instance: str
    query: str
    reply: str | None
    stored_plan: str
    reference: str
    is_correct: bool | None


@dataclass(frozen=True, slots=True)
class ResultFile:
    """`path` lies in `root`/results/domain/engine, or in `root`/prompts/domain; the engine's folder
    may be absent."""

    path: Path
    root: Path
    domain: str
    engine: str

    @property
    def task(self) -> str:
        return self.path.stem

    @property
    def number(self) -> str:
        """The task's number, such as "1" or "8_2"; "" where the name has none."""
        found = _TASK.match(self.task)
        return "_".join(part for part in found.groups() if part) if found else ""


def find_results(place: Path) -> list[ResultFile]:
    """All task_*.json under folders called results, by name; `place` may be one such file, too.

    Raises PlanningError where there are none.
    """
    place = place.resolve()
    paths = [place] if place.is_file() else sorted(place.rglob("task_*.json"))
    found = [_result_file(path, (_RESULTS,)) for path in paths if _RESULTS in path.parts[:-1]]
    if not found:
        raise PlanningError(f"{place}: no file {_RESULTS}/**/task_*.json there")
    return found


def published_file(path: Path) -> ResultFile:
    """A file of prompts or of results. Raises PlanningError for any other path."""
    place = path.resolve()
    if not place.is_file():
        raise PlanningError(f"{path}: no such file")
    if not {_RESULTS, _PROMPTS}.intersection(place.parts[:-1]):
        raise PlanningError(f"{path}: lies in no folder {_PROMPTS} or {_RESULTS}")
    return _result_file(place, (_RESULTS, _PROMPTS))


def _result_file(path: Path, tops: tuple[str, ...]) -> ResultFile:
    """`tops`: what the folder that holds the domains' folders may be called."""
    parts = path.parts
    at = max(place for place, name in enumerate(parts[:-1]) if name in tops)
    below = parts[at + 1 : -1]
    domain = below[0] if below else "unnamed"
    return ResultFile(path, Path(*parts[:at]), domain, "/".join(below[1:]))


def read_results(path: Path) -> list[StoredResult]:
    """Raises PlanningError for what isn't such a file."""
    try:
        stored = json.loads(path.read_bytes().decode("utf-8-sig", errors="replace"))
    except OSError as error:
        raise PlanningError(f"can't be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise PlanningError(f"not JSON: {str(error).splitlines()[0]}") from None
    instances = stored.get("instances") if isinstance(stored, dict) else None
    if not isinstance(instances, list):
        raise PlanningError('no list of "instances"')
    return [_result(entry, number) for number, entry in enumerate(instances, 1)]


def _result(entry: object, number: int) -> StoredResult:
    fields = entry if isinstance(entry, dict) else {}
    instance, verdict = fields.get("instance_id"), fields.get("llm_correct")
    reply = fields.get("llm_raw_response")
    return StoredResult(
        instance=str(instance) if isinstance(instance, (int, str)) else f"entry {number}",
        query=_text(fields.get("query")),
        reply=reply if isinstance(reply, str) else None,
        stored_plan=_text(fields.get("extracted_llm_plan")),
        reference=_text(fields.get("ground_truth_plan")),
        is_correct=bool(verdict) if isinstance(verdict, (bool, int)) else None,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
