"""What could not be compared, and what is missing for it: a sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from misstep.analyse.arms import arm_order
from misstep.analyse.drafts import MODELS, Asked, baseline_of
from misstep.analyse.pairing import Subject, by_item, by_subject
from misstep.analyse.people import PEOPLE
from misstep.analyse.splits import is_reference
from misstep.core.family import Spec
from misstep.core.records import Record

_OTHER_ITEMS = "were they made with different seeds or options?"
_TOO_FEW = "more people, or a smaller pool of items, would meet the same ones in both."


def notes(
    records: Iterable[Record],
    specs: Mapping[str, Spec],
    between: str = "arms",
    baseline: str | None = None,
) -> tuple[str, ...]:
    """In the order of the records; nothing where everything was compared."""
    subjects = by_subject(records)
    if not subjects:
        return ("There are no records.",)
    found = list(_versions(subjects))
    if between == MODELS:
        found += _between_models(subjects, specs, Asked(between=between, baseline=baseline))
    else:
        for subject, own in subjects.items():
            found += _between_arms(subject, own, specs.get(subject.family))
    return tuple(found)


def _versions(subjects: Iterable[Subject]) -> Iterator[str]:
    versions: dict[str, set[int]] = {}
    for subject in subjects:
        versions.setdefault(subject.family, set()).add(subject.version)
    for family, known in versions.items():
        if len(known) > 1:
            listed = " and ".join(map(str, sorted(known)))
            yield (
                f"{family}: versions {listed} are both here; they ask different items and are "
                "never compared with each other or pooled."
            )


def _between_arms(subject: Subject, records: Sequence[Record], spec: Spec | None) -> Iterator[str]:
    baseline, *others = arm_order(records, spec)
    name = _named(subject)
    if not others and not is_reference(subject.who):
        yield f"{name}: only the arm {baseline} was asked, so there is nothing to compare it with."
    first = by_item(records, baseline)
    for arm in others:
        hint = _TOO_FEW if subject.who == PEOPLE else _OTHER_ITEMS
        yield from _unshared(name, (baseline, first), (arm, by_item(records, arm)), hint=hint)


def _between_models(
    subjects: Mapping[Subject, Sequence[Record]], specs: Mapping[str, Spec], asked: Asked
) -> Iterator[str]:
    families: dict[tuple[str, int, str], list[Subject]] = {}
    for subject in subjects:
        shared = (subject.family, subject.version, subject.variant)
        families.setdefault(shared, []).append(subject)
    for own in families.values():
        name = baseline_of(own, asked)
        baseline = next((one for one in own if one.who == name), None)
        if baseline is None or len(own) < 2:
            held = ", ".join(one.who for one in own)
            lacks = f"not by {name}" if baseline is None else "by nobody else"
            yield f"{_asked(own[0])}: answered by {held}, but {lacks}: nothing is compared."
            continue
        for subject in own:
            if subject != baseline:
                yield from _of_two(subjects, baseline, subject, specs.get(subject.family))


def _of_two(
    subjects: Mapping[Subject, Sequence[Record]], baseline: Subject, one: Subject, spec: Spec | None
) -> Iterator[str]:
    arms, theirs = (arm_order(subjects[subject], spec) for subject in (baseline, one))
    for arm in dict.fromkeys([*arms, *theirs]):
        if arm in arms and arm in theirs:
            sides = [(subject.who, by_item(subjects[subject], arm)) for subject in (baseline, one)]
            yield from _unshared(f"{_asked(one)}, {arm}", *sides)
        else:
            only = baseline.who if arm in arms else one.who
            yield f"{_asked(one)}, {arm}: of {baseline.who} and {one.who} only {only} was asked."


def _unshared(
    name: str,
    one: tuple[str, Mapping[str, object]],
    other: tuple[str, Mapping[str, object]],
    *,
    hint: str = _OTHER_ITEMS,
) -> Iterator[str]:
    (first, items), (second, others) = one, other
    if items.keys() & others.keys():
        return
    yield (
        f"{name}: {first} and {second} share no item ({len(items)} such as "
        f"{next(iter(items))!r}, {len(others)} such as {next(iter(others))!r}): "
        f"{hint}"
    )


def _named(subject: Subject) -> str:
    return f"{_asked(subject)}, {subject.who}"


def _asked(subject: Subject) -> str:
    variant = f" ({subject.variant})" if subject.variant else ""
    return f"{subject.family}{variant}"
