"""Which samples of two logs are the same item: by id, or by content where ids are places only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from misstep.core.errors import BadInput
from misstep.runner.foreign.nouns import ForeignLog, Sample

ID, CONTENT = "id", "content"


@dataclass(frozen=True)
class Matching:
    """How the items of two logs were told to be the same, and how many are on one side only."""

    by: str
    shared: int
    only_first: int
    only_second: int


def match(first: ForeignLog, second: ForeignLog) -> Matching:
    """BadInput names the first item that differs, or says that none is shared.

    Ids count where every shared one shows the same in both logs. Where one shows something else,
    but all of that is in the other log under another id, ids are but places; then, and where no id
    is shared, the same content is the same item.
    """
    check_tasks(first, second)
    one, other = _by_id(first), _by_id(second)
    shared = [name for name in one if name in other]
    differing = [name for name in shared if one[name].content != other[name].content]
    if shared and not differing:
        _check_targets(first, second, ((one[name], other[name]) for name in shared))
        return _counted(ID, set(one), set(other))
    contents, others = _by_content(first), _by_content(second)
    for name in differing:
        if one[name].content not in others or other[name].content not in contents:
            raise BadInput(
                f"item {name!r} is another one in {second.file} than in {first.file}: "
                "it shows something else"
            )
    both = [content for content in contents if content in others]
    if not both:
        raise BadInput(
            f"{first.file} and {second.file} share no item: {len(one)} such as "
            f"{next(iter(one))!r}, {len(other)} such as {next(iter(other))!r}"
        )
    _check_targets(first, second, ((contents[each], others[each]) for each in both))
    return _counted(CONTENT, set(contents), set(others))


def check_tasks(first: ForeignLog, second: ForeignLog) -> None:
    """BadInput where both are known to be of other tasks, or scored by other scores."""
    tasks = [log.task and log.task.rpartition("/")[2] for log in (first, second)]
    if None not in tasks and tasks[0] != tasks[1]:
        raise BadInput(
            f"{first.file} is of the task {first.task!r}, {second.file} of {second.task!r}: "
            "two runs of one task are needed"
        )
    if first.score != second.score:
        raise BadInput(
            f"--score: {first.file} is scored by {first.score!r}, {second.file} by "
            f"{second.score!r}: they don't measure the same"
        )


def _by_id(log: ForeignLog) -> dict[str, Sample]:
    """The first sample of each id; BadInput where a log uses an id for two items."""
    found: dict[str, Sample] = {}
    seen: set[tuple[str, int]] = set()
    for sample in log.samples:
        if (sample.id, sample.repetition) in seen:
            raise BadInput(f"{log.file}: sample {sample.id}, epoch {sample.repetition} comes twice")
        seen.add((sample.id, sample.repetition))
        known = found.setdefault(sample.id, sample)
        if known.content != sample.content:
            raise BadInput(f"{log.file}: sample {sample.id} shows something else in each epoch")
    return found


def _by_content(log: ForeignLog) -> dict[str, Sample]:
    found: dict[str, Sample] = {}
    for sample in log.samples:
        known = found.setdefault(sample.content, sample)
        if known.target != sample.target:
            raise BadInput(
                f"{log.file}: {known.id!r} and {sample.id!r} show the same and have other "
                "targets, so contents don't tell which item is which"
            )
    return found


def _check_targets(
    first: ForeignLog, second: ForeignLog, pairs: Iterable[tuple[Sample, Sample]]
) -> None:
    for one, other in pairs:
        if one.target != other.target:
            name = repr(one.id) if one.id == other.id else f"{one.id!r} ({other.id!r})"
            raise BadInput(
                f"item {name} has another target in {second.file} than in {first.file}: "
                "they are different items"
            )


def _counted(by: str, first: set[str], second: set[str]) -> Matching:
    return Matching(by, len(first & second), len(first - second), len(second - first))
