"""The comparison: each arm of each model against its baseline arm, paired by item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from misstep.analyse.arms import arm_order, summary
from misstep.analyse.comparison import BestConstant, Comparison, Equivalence, LeftOut, Verdict
from misstep.analyse.estimate import Estimate, estimate
from misstep.analyse.multiple import holm_known
from misstep.analyse.needed import items_to_decide
from misstep.analyse.pairing import Paired, Subject, answered_only, by_subject, pair
from misstep.analyse.paper import pooled_z_p
from misstep.analyse.signflip import smallest_p
from misstep.analyse.splits import is_reference, median_split
from misstep.analyse.verdict import ALPHA, decide, has_room_to_fall, left_out_warning, warnings
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.items import Scalar
from misstep.core.records import Record

MARGIN = 3.0


@dataclass(frozen=True)
class _Draft:
    """A comparison before the ps of the whole call are adjusted."""

    subject: Subject
    spec: Spec | None
    factor: str | None
    level: Scalar
    paired: Paired
    margin: float
    found: Estimate
    answered: Paired
    left_out: Estimate


@dataclass(frozen=True)
class _Adjusted:
    """Holm-adjusted ps of a draft; those of equivalence are a family of their own."""

    p: float
    equivalence_p: float | None
    left_out_p: float
    left_out_equivalence_p: float | None


def compare(
    records: Iterable[Record], specs: Mapping[str, Spec], by: str | None = None
) -> tuple[Comparison, ...]:
    """Each arm against the baseline arm, for each family, version and model.

    With `by`, the same again for each level of that factor. Reference solvers are split at
    their groups' medians first. Holm runs over all comparisons of one call, those of reference
    solvers apart. Arms with no item in common give no comparison.
    """
    listed = list(records)
    _check_factor(listed, by)
    drafts = [
        draft
        for subject, own in by_subject(median_split(listed)).items()
        for draft in _drafts(subject, own, specs.get(subject.family), by)
    ]
    adjusted = _adjust(drafts)
    return tuple(_finish(draft, ps) for draft, ps in zip(drafts, adjusted, strict=True))


def _check_factor(records: Sequence[Record], by: str | None) -> None:
    """A factor that no family has is a slip; families differ in theirs, so one is enough."""
    known = {name for record in records for name in record.factors}
    if by is not None and by not in known:
        raise BadInput(
            f"--by: no item has a factor {by!r}; known: {', '.join(sorted(known)) or 'none'}"
        )


def _drafts(
    subject: Subject, records: Sequence[Record], spec: Spec | None, by: str | None
) -> Iterator[_Draft]:
    baseline, *others = arm_order(records, spec)
    for factor, level, own in _slices(records, by):
        for arm in others:
            paired = pair(own, baseline, arm)
            if paired.baseline:
                yield _draft(subject, spec, factor, level, paired)


def _slices(
    records: Sequence[Record], by: str | None
) -> Iterator[tuple[str | None, Scalar, Sequence[Record]]]:
    """All records, then those of each level of the factor; items that lack it are in no level."""
    yield None, None, records
    levels: dict[Scalar, list[Record]] = {}
    for record in records:
        if by is not None and by in record.factors:
            levels.setdefault(record.factors[by], []).append(record)
    for level in sorted(levels, key=_level_order):
        yield by, level, levels[level]


def _level_order(level: Scalar) -> tuple[bool, float, str]:
    if isinstance(level, (int, float)):
        return (False, float(level), "")
    return (True, 0.0, str(level))


def _draft(
    subject: Subject, spec: Spec | None, factor: str | None, level: Scalar, paired: Paired
) -> _Draft:
    margin = spec.margin if spec else MARGIN
    found = estimate(paired.differences, paired.group, margin)
    answered = answered_only(paired)
    is_whole = _replies(answered) == _replies(paired)
    left_out = (
        estimate(answered.differences, answered.group, margin)
        if answered.baseline and not is_whole
        else found
    )
    return _Draft(subject, spec, factor, level, paired, margin, found, answered, left_out)


def _replies(paired: Paired) -> int:
    return sum(len(own) for side in (paired.baseline, paired.arm) for own in side.values())


def _adjust(drafts: Sequence[_Draft]) -> list[_Adjusted]:
    def adjusted(of: Callable[[_Draft], float | None]) -> list[float | None]:
        found: list[float | None] = [None] * len(drafts)
        for reference in (False, True):
            family = [
                place
                for place, draft in enumerate(drafts)
                if is_reference(draft.subject.who) is reference
            ]
            for place, p in zip(
                family, holm_known([of(drafts[place]) for place in family]), strict=True
            ):
                found[place] = p
        return found

    columns = zip(
        adjusted(lambda draft: draft.found.p),
        adjusted(lambda draft: draft.found.equivalence_p),
        adjusted(lambda draft: draft.left_out.p),
        adjusted(lambda draft: draft.left_out.equivalence_p),
        strict=True,
    )
    return [
        _Adjusted(_known(p), equivalence_p, _known(left_out_p), left_out_equivalence_p)
        for p, equivalence_p, left_out_p, left_out_equivalence_p in columns
    ]


def _known(p: float | None) -> float:
    assert p is not None, "every comparison has a p"  # noqa: S101 our own mistake
    return p


def _finish(draft: _Draft, ps: _Adjusted) -> Comparison:
    paired, found, spec = draft.paired, draft.found, draft.spec
    baseline = summary(paired.baseline, spec, is_baseline=True)
    arm = summary(paired.arm, spec, is_baseline=False)
    differences = paired.differences
    verdict = decide(found.effect, ps.p, ps.equivalence_p)
    chance = spec.chance if spec else None
    room = has_room_to_fall(baseline, chance)
    left_out = _left_out(draft, ps)
    n, groups = baseline.n, baseline.groups
    said = warnings(found, groups, paired.unpaired, baseline, room, chance)
    return Comparison(
        family=draft.subject.family,
        version=draft.subject.version,
        who=draft.subject.who,
        arm=arm.arm,
        baseline=baseline.arm,
        factor=draft.factor,
        level=draft.level,
        n=n,
        groups=groups,
        repetitions=max(baseline.repetitions, arm.repetitions),
        baseline_summary=baseline,
        arm_summary=arm,
        effect=found.effect,
        interval=found.interval,
        relative_change=found.effect / 100 / baseline.accuracy if baseline.accuracy else None,
        test=found.test,
        p=found.p,
        p_adjusted=ps.p,
        paper_p=pooled_z_p(baseline.accuracy, arm.accuracy, n),
        equivalence=_equivalence(draft, ps),
        verdict=verdict,
        is_small=verdict is Verdict.NO_MEANINGFUL_DIFFERENCE and ps.p < ALPHA,
        left_out=left_out,
        lost=int((differences < 0).sum()),
        gained=int((differences > 0).sum()),
        unpaired=paired.unpaired,
        chance=chance,
        best_constant=None if spec and not spec.vocabulary.answers else _best_constant(paired),
        has_room_to_fall=room,
        can_decide=smallest_p(groups) < ALPHA,
        to_decide=items_to_decide(found, draft.margin, n, groups)
        if verdict is Verdict.UNDECIDED
        else None,
        warnings=(*said, *left_out_warning(verdict, left_out)),
        variant=draft.subject.variant,
    )


def _equivalence(draft: _Draft, ps: _Adjusted) -> Equivalence:
    return Equivalence(
        margin=draft.margin,
        p=draft.found.equivalence_p,
        p_adjusted=ps.equivalence_p,
        smallest_margin=draft.found.smallest_margin,
        established_margin=draft.found.established_margin,
    )


def _left_out(draft: _Draft, ps: _Adjusted) -> LeftOut | None:
    """None where every reply holds an answer, or where no pair of answers is left."""
    dropped = sum(map(len, draft.paired.baseline.values())) - sum(
        map(len, draft.answered.baseline.values())
    )
    if not draft.answered.baseline or not dropped:
        return None
    line = draft.left_out
    return LeftOut(
        pairs=dropped,
        n=len(draft.answered.baseline),
        groups=int(draft.answered.group.max()) + 1,
        effect=line.effect,
        interval=line.interval,
        p=line.p,
        p_adjusted=ps.left_out_p,
        verdict=decide(line.effect, ps.left_out_p, ps.left_out_equivalence_p),
    )


def _best_constant(paired: Paired) -> BestConstant | None:
    truths = Counter(own[0].truth for own in paired.baseline.values())
    known = {truth: count for truth, count in truths.items() if truth is not None}
    if not known or len(known) < len(truths):
        return None
    answer = min(known, key=lambda truth: (-known[truth], truth))
    return BestConstant(answer, known[answer] / truths.total())
