"""The comparison: each arm against its baseline arm, or each model against another, by item."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from misstep.analyse.arms import summary
from misstep.analyse.comparison import (
    ArmSummary,
    BestConstant,
    Comparison,
    Equivalence,
    Learning,
    LeftOut,
    Needed,
    NonInferiority,
    Verdict,
)
from misstep.analyse.drafts import (
    ARMS,
    MODELS,
    Asked,
    Draft,
    drafts,
    is_all_read,
    is_read,
    measure_of,
)
from misstep.analyse.estimate import MID_P
from misstep.analyse.inference.multiple import holm_known
from misstep.analyse.inference.noninferiority import check_margin, non_inferiority, ps
from misstep.analyse.inference.paper import pooled_z_p
from misstep.analyse.inference.repetitions import repeated
from misstep.analyse.inference.signflip import smallest_p
from misstep.analyse.inference.survival import learning
from misstep.analyse.labels.disagreements import refuse_unlabelled
from misstep.analyse.needed import items_to_decide
from misstep.analyse.pairing import Paired, count
from misstep.analyse.people import side
from misstep.analyse.sequential.anytime import could_stop, is_looked_at
from misstep.analyse.sequential.looks import FIXED, looked
from misstep.analyse.splits import is_reference, median_split
from misstep.analyse.verdict import ALPHA, decide, has_room_to_fall, warnings
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.measures import ACCURACY
from misstep.core.questions import is_own
from misstep.core.records import Record


@dataclass(frozen=True)
class _Adjusted:
    """Holm-adjusted ps of a draft; each column is a family of its own."""

    p: float | None
    equivalence_p: float | None
    left_out_p: float | None
    left_out_equivalence_p: float | None
    baseline_p: float | None
    arm_p: float | None


def compare(
    records: Iterable[Record],
    specs: Mapping[str, Spec],
    by: str | None = None,
    *,
    between: str = ARMS,
    baseline: str | None = None,
    non_inferiority: float | None = None,
    mid_p: bool = False,
) -> tuple[Comparison, ...]:
    """Each arm against the baseline arm, for each family, version, variant and model.

    Between "models" instead: in each arm, each model (and people, as one side) against the
    `baseline`, else against people, else against the first model. With `by`, the same again for
    each level of that factor. `non_inferiority` is a margin in the measure's unit; `mid_p` takes
    McNemar's mid-p in place of the exact p.

    Reference solvers are split at their groups' medians first. Holm runs over all comparisons of
    one call, those of reference solvers apart. Sides with no item in common give no comparison.
    """
    listed = median_split(records)
    asked = Asked(by, between, baseline, non_inferiority, mid_p)
    _check(listed, specs, asked)
    made = drafts(listed, specs, asked)
    if mid_p and not any(draft.found.test == MID_P for draft in made):
        raise BadInput(
            "--mid-p: no comparison here is one of single items that are right or wrong, "
            "for which alone McNemar's test is made"
        )
    adjusted = _adjust(made, non_inferiority)
    return tuple(_finish(draft, ps, asked) for draft, ps in zip(made, adjusted, strict=True))


def _check(records: Sequence[Record], specs: Mapping[str, Spec], asked: Asked) -> None:
    refuse_unlabelled(records)
    names = list(dict.fromkeys(side(record.who) for record in records))
    if asked.between not in (ARMS, MODELS):
        raise BadInput(f"--between: {asked.between!r} is neither {ARMS} nor {MODELS}")
    if asked.between == MODELS and len(names) < 2:
        held = repr(names[0]) if names else "nobody"
        raise BadInput(f"--between models: the records hold only {held}; another is needed")
    if asked.baseline is not None and asked.between == ARMS:
        raise BadInput(f"--baseline: {asked.baseline!r} is for --between models only")
    if asked.baseline is not None and asked.baseline not in names:
        raise BadInput(f"--baseline: {asked.baseline!r} is not among {', '.join(names)}")
    if asked.non_inferiority is not None:
        families = dict.fromkeys(record.family for record in records)
        measures = {family: measure_of(specs.get(family)) for family in families}
        check_margin(asked.non_inferiority, measures)


def _adjust(made: Sequence[Draft], margin: float | None) -> list[_Adjusted]:
    claims = [ps(draft.found, margin, draft.paired.measure) for draft in made]
    families = [_family(draft) for draft in made]
    columns = (
        [draft.found.p for draft in made],
        [draft.found.equivalence_p for draft in made],
        [draft.left_out.p for draft in made],
        [draft.left_out.equivalence_p for draft in made],
        [baseline for baseline, _ in claims],
        [arm for _, arm in claims],
    )
    adjusted = [_holm_apart(column, families) for column in columns]
    return [_Adjusted(*row) for row in zip(*adjusted, strict=True)]


def _family(draft: Draft) -> Hashable:
    """Whose ps are adjusted together: all of a call, but those of reference solvers apart.

    A run that could stop early stopped for the verdicts on its own arms; these are its family.
    """
    if draft.baseline_who is None and is_looked_at(draft.paired):
        return draft.subject, draft.factor
    return is_reference(draft.subject.who)


def _holm_apart(column: Sequence[float | None], families: Sequence[Hashable]) -> list[float | None]:
    """Holm over the ps of each family."""
    found = list(column)
    for chosen in dict.fromkeys(families):
        places = [place for place, family in enumerate(families) if family == chosen]
        adjusted = holm_known([column[place] for place in places])
        for place, p in zip(places, adjusted, strict=True):
            found[place] = p
    return found


def _finish(draft: Draft, adjusted: _Adjusted, asked: Asked) -> Comparison:
    paired, found, spec = draft.paired, draft.found, draft.spec
    measure, differences = paired.measure, paired.measure.sign * paired.differences
    baseline = summary(paired.baseline, spec, is_baseline=True)
    arm = summary(paired.arm, spec, is_baseline=False)
    verdict = decide(measure.sign * found.effect, adjusted.p, adjusted.equivalence_p)
    chance = spec.chance_in(draft.subject.variant) if spec else None
    one = Comparison(
        family=draft.subject.family,
        version=draft.subject.version,
        who=draft.subject.who,
        arm=arm.arm,
        baseline=baseline.arm,
        factor=draft.factor,
        level=draft.level,
        n=baseline.n,
        groups=baseline.groups,
        repetitions=max(baseline.repetitions, arm.repetitions),
        baseline_summary=baseline,
        arm_summary=arm,
        effect=found.effect,
        interval=found.interval,
        relative_change=_relative(found.effect / measure.factor, baseline),
        test=found.test,
        p=found.p,
        p_adjusted=adjusted.p,
        paper_p=_paper_p(paired, baseline, arm),
        equivalence=_equivalence(draft, adjusted),
        verdict=verdict,
        is_small=verdict is Verdict.NO_MEANINGFUL_DIFFERENCE and (adjusted.p or 0.0) < ALPHA,
        left_out=_left_out(draft, adjusted),
        lost=int((differences < 0).sum()),
        gained=int((differences > 0).sum()),
        unpaired=paired.unpaired,
        chance=chance,
        best_constant=None if _has_no_constant(draft) else _best_constant(paired),
        has_room_to_fall=has_room_to_fall(baseline, chance),
        can_decide=_can_decide(draft, baseline.groups),
        to_decide=_to_decide(draft, baseline) if verdict is Verdict.UNDECIDED else None,
        warnings=(),
        variant=draft.subject.variant,
        measure=measure,
        between=asked.between,
        baseline_who=draft.baseline_who,
        non_inferiority=_non_inferiority(draft, adjusted, asked.non_inferiority),
        repeated=repeated(paired, found.error),
        learning=_learning(paired),
    )
    if is_looked_at(paired):
        one = _with_looks(one, paired)
    fixed = (FIXED,) if could_stop(paired) and paired.has_people else ()
    return dataclasses.replace(one, warnings=(*warnings(one), *fixed))


def _with_looks(one: Comparison, paired: Paired) -> Comparison:
    found = looked(paired, is_whole=one.factor is None)
    return dataclasses.replace(
        one,
        is_sequential=True,
        looks=found.looks,
        looks_planned=found.planned,
        answers=found.answers,
        answers_planned=found.answers_planned,
    )


def _relative(effect: float, baseline: ArmSummary) -> float | None:
    return effect / baseline.accuracy if baseline.accuracy else None


def _paper_p(paired: Paired, baseline: ArmSummary, arm: ArmSummary) -> float | None:
    """Of shares alone; the paper has no p for people, nor for who stops when they like."""
    if paired.measure != ACCURACY or paired.has_people or is_looked_at(paired):
        return None
    if not is_read(paired.baseline) and not is_read(paired.arm):
        return None
    return pooled_z_p(baseline.accuracy, arm.accuracy, baseline.n)


def _to_decide(draft: Draft, baseline: ArmSummary) -> Needed | None:
    """None where people answered: it may be people that are too few, as well as items."""
    if draft.paired.has_people:
        return None
    return items_to_decide(draft.found, draft.margin, baseline.n, baseline.groups)


def _can_decide(draft: Draft, groups: int) -> bool:
    if draft.paired.has_people:
        return draft.found.p is not None
    return smallest_p(groups, draft.found.test == MID_P) < ALPHA


def _equivalence(draft: Draft, adjusted: _Adjusted) -> Equivalence:
    return Equivalence(
        margin=draft.margin,
        p=draft.found.equivalence_p,
        p_adjusted=adjusted.equivalence_p,
        smallest_margin=draft.found.smallest_margin,
        established_margin=draft.found.established_margin,
    )


def _non_inferiority(
    draft: Draft, adjusted: _Adjusted, margin: float | None
) -> NonInferiority | None:
    if margin is None:
        return None
    both = (adjusted.baseline_p, adjusted.arm_p)
    return non_inferiority(draft.found, margin, draft.paired.measure, both)


def _left_out(draft: Draft, adjusted: _Adjusted) -> LeftOut | None:
    """None where every reply holds an answer, or where no pair of answers is left."""
    paired, answered = draft.paired, draft.answered
    if not answered.baseline or is_all_read(paired):
        return None
    dropped = [
        count(whole) - count(left)
        for whole, left in ((paired.baseline, answered.baseline), (paired.arm, answered.arm))
    ]
    line, sign = draft.left_out, paired.measure.sign
    return LeftOut(
        pairs=sum(dropped) if paired.has_people else max(dropped),
        n=len(answered.baseline),
        groups=int(answered.group.max()) + 1,
        effect=line.effect,
        interval=line.interval,
        p=line.p,
        p_adjusted=adjusted.left_out_p,
        verdict=decide(sign * line.effect, adjusted.left_out_p, adjusted.left_out_equivalence_p),
    )


def _learning(paired: Paired) -> Learning | None:
    if not paired.measure.is_capped:
        return None
    baseline, arm = (
        [record for own in replies.values() for record in own]
        for replies in (paired.baseline, paired.arm)
    )
    return learning(baseline, arm, paired.measure)


def _has_no_constant(draft: Draft) -> bool:
    """Where answers are free text, or passes over many answers are counted, none can be always
    given."""
    return draft.paired.measure.is_capped or _is_free_text(draft)


def _is_free_text(draft: Draft) -> bool:
    """Whether answers are in words of their own; so they are in a task of the user's own where no
    answer is right for two items."""
    if draft.spec is not None or not is_own(draft.subject.family):
        return draft.spec is not None and not draft.spec.vocabulary.answers
    truths = Counter(own[0].truth for own in draft.paired.baseline.values() if own[0].truth)
    return max(truths.values(), default=0) < 2


def _best_constant(paired: Paired) -> BestConstant | None:
    truths = Counter(own[0].truth for own in paired.baseline.values())
    known = {truth: count for truth, count in truths.items() if truth}
    if not known or len(known) < len(truths):
        return None
    answer = min(known, key=lambda truth: (-known[truth], truth))
    return BestConstant(answer, known[answer] / truths.total())
