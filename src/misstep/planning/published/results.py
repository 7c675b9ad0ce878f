"""Published result files: where they lie, and the fields in them that grading needs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from misstep.planning.errors import PlanningError

_RESULTS = "results"
_PROMPTS = "prompts"
_TASK = re.compile(r"task_(\d+)(?:_([1-9])(?=_|$))?")

# Tasks by their number in the file's name.
GENERATION, OPTIMALITY, VERIFICATION, REUSE, GENERALIZATION = "1", "2", "3", "4", "5"
REPLANNING, EXECUTION, SHUFFLING = "6", "7", "8_1"
GRADED = frozenset(
    (
        *(GENERATION, OPTIMALITY, VERIFICATION, REUSE, GENERALIZATION),
        *(REPLANNING, EXECUTION, SHUFFLING, "8_2", "8_3"),
    )
)
UNKNOWN = "unknown kind of task"


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """What the original took from a reply on a plan: facts and the action as it put them, and None
    for what it didn't find."""

    is_valid: bool | None
    goals: tuple[str, ...] | None
    action: str | None
    preconditions: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class StoredTarget:
    """The start and the goal that the original wrote down to grade on, as PDDL."""

    init: frozenset[str]
    goal: frozenset[str]


@dataclass(frozen=True, slots=True)
class StoredResult:
    """`is_correct` and `reply` are None where the file has none. Of a reply on a plan `is_correct`
    is whether the class is right, `is_validity_right` whether valid or not is, `is_explained`
    whether a fact named is right, too. Extractions and references are plans as text, lists of
    facts ("on_a_b") in plan execution, a verdict in plan verification."""

    instance: str
    query: str
    reply: str | None
    stored_plan: str
    reference: str
    is_correct: bool | None
    facts: tuple[str, ...] = ()
    true_facts: tuple[str, ...] = ()
    verdict: StoredVerdict | None = None
    is_validity_right: bool | None = None
    is_explained: bool | None = None
    target: StoredTarget | None = None


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


def target_of(file: ResultFile, result: StoredResult) -> StoredTarget | None:
    """What the original graded on: in the entry, or in the prompts' file, as results lose it."""
    if result.target is not None:
        return result.target
    path = file.root / _PROMPTS / file.domain / file.path.name
    return _targets(path).get((result.instance, result.query)) if path.is_file() else None


@lru_cache(maxsize=8)
def _targets(path: Path) -> Mapping[tuple[str, str], StoredTarget]:
    try:
        stored = read_results(path)
    except PlanningError:  # such a file is reported where it is graded
        return {}
    return {(one.instance, one.query): one.target for one in stored if one.target is not None}


def _result(entry: object, number: int) -> StoredResult:
    fields = _mapping(entry)
    instance, reply = fields.get("instance_id"), fields.get("llm_raw_response")
    extracted, reference = fields.get("extracted_llm_plan"), fields.get("ground_truth_plan")
    verdict = fields.get("llm_correct", fields.get("llm_correct_w_type"))
    return StoredResult(
        instance=str(instance) if isinstance(instance, (int, str)) else f"entry {number}",
        query=_text(fields.get("query")),
        reply=reply if isinstance(reply, str) else None,
        stored_plan=_text(extracted),
        reference=_text(reference),
        is_correct=_flag(verdict),
        facts=_texts(extracted) or (),
        true_facts=_texts(reference) or (),
        verdict=_verdict(extracted) if isinstance(extracted, dict) else None,
        is_validity_right=_flag(fields.get("llm_correct_binary")),
        is_explained=_flag(fields.get("llm_correct_w_expl")),
        target=_target(fields.get("new_instance")),
    )


def _verdict(extracted: object) -> StoredVerdict:
    fields = _mapping(extracted)
    failing = _mapping(fields.get("unmet_precondition"))
    action = failing.get("action")
    return StoredVerdict(
        is_valid=_flag(fields.get("valid")),
        goals=(_texts(fields["unmet_goal"]) or ()) if "unmet_goal" in fields else None,
        action=_text(action) if "unmet_precondition" in fields else None,
        preconditions=_texts(failing.get("predicate")),
    )


def _target(stored: object) -> StoredTarget | None:
    instance = _mapping(_mapping(stored).get("instance"))
    if not instance:
        return None
    init = _mapping(instance.get("init")).get("pred")
    return StoredTarget(_facts(init), _facts(instance.get("goal")))


def _facts(stored: object) -> frozenset[str]:
    """From ["on", ["a", "b"]]."""
    found = set[str]()
    for fact in stored if isinstance(stored, list) else ():
        if isinstance(fact, list) and len(fact) == 2 and isinstance(fact[1], list):
            words = [str(word).strip().lower() for word in (fact[0], *fact[1])]
            found |= {f"({' '.join(words)})"} if all(words) else set()
    return frozenset(found)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(one for one in value if isinstance(one, str))


def _flag(value: object) -> bool | None:
    return bool(value) if isinstance(value, (bool, int)) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
