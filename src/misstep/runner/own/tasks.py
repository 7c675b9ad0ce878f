"""A task of the runner as one of ours: its samples as items, its first scorer as the judge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from inspect_ai import Task

# The name that a scorer was registered by, for messages.
from inspect_ai._util.registry import is_registry_object, registry_info
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, Model
from inspect_ai.scorer import Scorer

from misstep.core.errors import BadInput
from misstep.core.questions import Json, chosen_groups, factors_of
from misstep.core.seeds import digest
from misstep.runner.own.cases import Case, Judge
from misstep.runner.own.foreign import foreign
from misstep.runner.own.scoring import Scoring, judge_of
from misstep.runner.own.wrapping import OwnTask

_FAMILYS = frozenset(("family", "arm", "group"))
"""What the metadata of a family's own task have."""


@dataclass(frozen=True)
class Choice:
    """Which samples of a task are asked, and how they are scored.

    `group` names a field of the samples' metadata; `scoring` None: the task's own first scorer, of
    whose values `score` chooses one.
    """

    group: str | None = None
    limit: int | None = None
    seed: int = 0
    scoring: Scoring | None = None
    score: str | None = None


def from_task(
    name: str,
    task: Task,
    choice: Choice,
    args: Mapping[str, object],
    about: Mapping[str, str],
    judging: Model | None = None,
) -> OwnTask:
    """The task in our terms; BadInput where two samples share an id or the task has no scorer.

    `args` are what the task was made with: other arguments, another run.
    """
    found = dict(_cases(name, task, choice.group))
    _check_arms(name, found)
    sizes: dict[str, int] = {}
    for case, _ in found.values():
        sizes[case.group] = sizes.get(case.group, 0) + 1
    if not sizes:
        raise BadInput(f"TASK: {name}: has no samples")
    places = chosen_groups(sizes, choice.limit, choice.seed, name)
    kept = sorted(
        (key for key, (case, _) in found.items() if case.group in places),
        key=lambda key: places[found[key][0].group],
    )
    cases = {key: found[key][0] for key in kept}
    return OwnTask(
        name=_short(name),
        task=task,
        samples={key: found[key][1] for key in kept},
        cases=cases,
        judge=_judge(name, task, choice, cases, judging),
        about=about,
        digest=digest(name, str(task.version), json.dumps(dict(args), sort_keys=True)).hex()[:16],
        judging=judging,
    )


def _judge(
    name: str, task: Task, choice: Choice, cases: Mapping[str, Case], judging: Model | None
) -> Judge:
    if choice.scoring is not None:
        if choice.score is not None:
            raise BadInput("--score: chooses a value of the task's own scorer; leave --scorer out")
        return judge_of(choice.scoring, cases, judging)
    if not task.scorer:
        raise BadInput(f"TASK: {name}: has no scorer of its own; --scorer names one")
    first = task.scorer[0]
    return foreign(first, choice.score, _scorer_name(first))


def _scorer_name(scorer: Scorer) -> str:
    return registry_info(scorer).name if is_registry_object(scorer) else "the task's scorer"


def _cases(name: str, task: Task, group: str | None) -> Iterator[tuple[str, tuple[Case, Sample]]]:
    seen: set[str] = set()
    for place, sample in enumerate(task.dataset, 1):
        key = str(place if sample.id is None else sample.id)
        if key in seen:
            raise BadInput(f"TASK: {name}: two samples have the id {key!r}")
        seen.add(key)
        metadata = sample.metadata or {}
        column = group or ("group" if metadata.keys() >= _FAMILYS else None)
        if column is not None and metadata.get(column) is None:
            known = ", ".join(metadata) or "nothing"
            raise BadInput(f"--group: sample {key!r} has no {column!r} in its metadata ({known})")
        own = key if column is None else str(metadata[column])
        yield key, (_case(key, own, sample), sample)


def _case(key: str, group: str, sample: Sample) -> Case:
    metadata: dict[str, Json] = dict(sample.metadata or {})
    target = sample.target
    answer: Json = list(target) if isinstance(target, list) else target
    words = sample.input if isinstance(sample.input, str) else _last_words(sample.input)
    return Case(
        id=key,
        group=group,
        words=words,
        answer=answer or None,
        choices=tuple(sample.choices or ()),
        factors=factors_of(_columns(metadata)),
        row=metadata,
        place=f"sample {key!r}",
    )


def _columns(metadata: dict[str, Json]) -> dict[str, Json]:
    """Of a family's own task, its factors: the rest says which item it is."""
    own = metadata.get("factors")
    return own if metadata.keys() >= _FAMILYS and isinstance(own, dict) else metadata


def _last_words(messages: Sequence[ChatMessage]) -> str:
    return messages[-1].text if messages else ""


def _check_arms(name: str, found: Mapping[str, tuple[Case, Sample]]) -> None:
    """A family's own task holds every arm of it already; arms of arms would be no comparison."""
    metadata = [sample.metadata or {} for _, sample in found.values()]
    arms = list(
        dict.fromkeys(str(one["arm"]) for one in metadata if {"family", "arm"} <= one.keys())
    )
    if len(arms) > 1:
        raise BadInput(
            f"TASK: {name}: its samples are asked in arms of their own ({', '.join(arms)}); "
            f"-T arms={arms[0]} takes one of them, and misstep run compares them"
        )


def _short(name: str) -> str:
    """The name without its folder and ending."""
    last = name.rpartition("/")[2]
    return last.replace(".py@", "-").removesuffix(".py")
