"""A comparison of two arms from labels of their disagreements alone.

Where the arms agree, the difference is 0 whatever the truth; so a label for each disagreement gives
the very difference, test and interval that labels for everything would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from misstep.analyse.arms import arm_order
from misstep.analyse.comparison import Equivalence, Verdict
from misstep.analyse.drafts import MARGIN
from misstep.analyse.estimate import Estimate, estimate
from misstep.analyse.inference.multiple import holm_known
from misstep.analyse.inference.noninferiority import check_margin, non_inferiority, ps
from misstep.analyse.inference.signflip import smallest_p
from misstep.analyse.labels.disagreements import is_unlabelled
from misstep.analyse.labels.judged import (
    Differences,
    JudgedPair,
    Said,
    differences,
    judged_pairs,
    said_of,
)
from misstep.analyse.labels.nouns import ArmUse, Extreme, Found, LabelledComparison, Labelling
from misstep.analyse.needed import items_to_decide
from misstep.analyse.pairing import Paired, Replies, by_subject, pair
from misstep.analyse.verdict import ALPHA, decide
from misstep.core.measures import ACCURACY
from misstep.core.records import Record


@dataclass(frozen=True)
class _Asked:
    margin: float
    non_inferiority: float | None
    mid_p: bool


@dataclass(frozen=True)
class _Line:
    """An estimate and the items that it is made of."""

    estimate: Estimate
    n: int
    groups: int


@dataclass(frozen=True)
class _Draft:
    """A comparison before ps are adjusted; the lines are None as long as labels are missing."""

    paired: Paired
    arms: tuple[str, str]
    pairs: tuple[JudgedPair, ...]
    headline: _Line | None
    answered: _Line | None

    @property
    def used(self) -> list[JudgedPair]:
        return [one for one in self.pairs if not one.is_left_out]


def compare_labelled(
    labellings: Sequence[Labelling],
    *,
    labeller: str | None = None,
    margin: float = MARGIN,
    non_inferiority: float | None = None,
    mid_p: bool = False,
) -> tuple[LabelledComparison, ...]:
    """Each arm against the baseline arm of each model; `labeller`: by that person's labels alone.

    Holm runs over all comparisons of one call. Arms without an item in common give none.
    """
    if non_inferiority is not None:
        check_margin(non_inferiority, {"": ACCURACY})
    asked = _Asked(margin, non_inferiority, mid_p)
    drafts = [
        _draft(paired, arms, said_of(labelling.labels, labeller), asked)
        for labelling in labellings
        for arms, paired in _sides(labelling.records)
    ]
    headlines = _adjusted([draft.headline for draft in drafts], asked)
    second = _adjusted([draft.answered for draft in drafts], asked)
    return tuple(
        _finish(draft, headline, answered, asked)
        for draft, headline, answered in zip(drafts, headlines, second, strict=True)
    )


def _sides(records: Iterable[Record]) -> Iterator[tuple[tuple[str, str], Paired]]:
    for own in by_subject(records).values():
        baseline, *others = arm_order(own, None)
        for arm in others:
            paired = pair(own, baseline, arm)
            if paired.baseline:
                yield (baseline, arm), paired


def _draft(paired: Paired, arms: tuple[str, str], said: Said, asked: _Asked) -> _Draft:
    draft = _Draft(paired, arms, judged_pairs(paired, said), None, None)
    if not draft.used or any(one.low < one.high for one in draft.used):
        return draft
    answered = [one for one in draft.used if one.is_answered]
    is_second = 0 < len(answered) < len(draft.used)
    return replace(
        draft,
        headline=_line(draft.used, asked),
        answered=_line(answered, asked) if is_second else None,
    )


def _line(pairs: Sequence[JudgedPair], asked: _Asked) -> _Line:
    found = _low(pairs)
    made = estimate(found.values, found.group, asked.margin, mid_p=asked.mid_p)
    return _Line(made, int(found.values.size), found.groups)


def _low(pairs: Sequence[JudgedPair]) -> Differences:
    return differences(pairs, lambda one: one.low)


def _high(pairs: Sequence[JudgedPair]) -> Differences:
    return differences(pairs, lambda one: one.high)


def _adjusted(lines: Sequence[_Line | None], asked: _Asked) -> list[Found | None]:
    known = [line for line in lines if line is not None]
    claims = [ps(line.estimate, asked.non_inferiority, ACCURACY) for line in known]
    columns = (
        [line.estimate.p for line in known],
        [line.estimate.equivalence_p for line in known],
        [baseline for baseline, _ in claims],
        [arm for _, arm in claims],
    )
    rows = zip(*map(holm_known, columns), strict=True)
    made = iter([_found(line, row, asked) for line, row in zip(known, rows, strict=True)])
    return [None if line is None else next(made) for line in lines]


def _found(line: _Line, row: tuple[float | None, ...], asked: _Asked) -> Found:
    p, equivalence_p, baseline, arm = row
    one, at_most = line.estimate, asked.non_inferiority
    verdict = decide(one.effect, p, equivalence_p)
    is_open = verdict is Verdict.UNDECIDED
    return Found(
        n=line.n,
        groups=line.groups,
        effect=one.effect,
        interval=one.interval,
        test=one.test,
        p=one.p,
        p_adjusted=p,
        equivalence=Equivalence(
            asked.margin,
            one.equivalence_p,
            equivalence_p,
            one.smallest_margin,
            one.established_margin,
        ),
        verdict=verdict,
        is_small=verdict is Verdict.NO_MEANINGFUL_DIFFERENCE and (p or 0.0) < ALPHA,
        to_decide=items_to_decide(one, asked.margin, line.n, line.groups) if is_open else None,
        non_inferiority=None
        if at_most is None
        else non_inferiority(one, at_most, ACCURACY, (baseline, arm)),
    )


def _finish(
    draft: _Draft, found: Found | None, answered: Found | None, asked: _Asked
) -> LabelledComparison:
    first = next(iter(draft.paired.baseline.values()))[0]
    lows, highs = _low(draft.used), _high(draft.used)
    missing = sum(one.low < one.high for one in draft.used)
    baseline, arm = draft.arms
    made = LabelledComparison(
        family=first.family,
        version=first.version,
        who=first.who,
        arm=arm,
        baseline=baseline,
        variant=first.variant,
        n=int(lows.values.size),
        groups=lows.groups,
        pairs=len(draft.pairs),
        agreeing=sum(one.agrees for one in draft.pairs),
        left_out=sum(one.is_left_out for one in draft.pairs),
        missing=missing,
        conflicts=tuple(dict.fromkeys(one.item for one in draft.pairs if one.is_conflict)),
        lost=int((highs.values < 0).sum()),
        gained=int((lows.values > 0).sum()),
        found=found,
        lowest=_extreme(lows, asked) if missing else None,
        highest=_extreme(highs, asked) if missing else None,
        answered=answered,
        baseline_use=arm_use(_all(draft.paired.baseline)),
        arm_use=arm_use(_all(draft.paired.arm)),
        unpaired=draft.paired.unpaired,
        warnings=(),
    )
    return replace(made, warnings=tuple(_warnings(made, asked)))


def _extreme(found: Differences, asked: _Asked) -> Extreme:
    made = estimate(found.values, found.group, asked.margin, mid_p=asked.mid_p)
    return Extreme(made.effect, made.p)


def _all(replies: Replies) -> list[Record]:
    return [record for own in replies.values() for record in own]


def arm_use(records: Sequence[Record]) -> ArmUse:
    """Of the records of one arm, at least one."""
    unread = sum(not record.outcome.is_answered and not is_unlabelled(record) for record in records)
    return ArmUse(
        arm=records[0].arm,
        replies=len(records),
        unanswered=unread / len(records),
        output_tokens=_mean(records, lambda record: record.output_tokens),
        reasoning_tokens=_mean(records, lambda record: record.reasoning_tokens),
        seconds=_mean(records, lambda record: record.seconds),
        cost=_mean(records, lambda record: record.cost),
    )


def _mean(records: Sequence[Record], of: Callable[[Record], float | None]) -> float | None:
    known = [number for record in records if (number := of(record)) is not None]
    return sum(known) / len(known) if known else None


def _warnings(one: LabelledComparison, asked: _Asked) -> Iterator[str]:
    if not one.n:
        yield "Nothing is left to compare: nobody could say of any pair which reply is right."
    elif smallest_p(one.groups, asked.mid_p) >= ALPHA:
        yield (
            f"{one.groups} independent groups can never be significant: p cannot go below "
            f"{smallest_p(one.groups, asked.mid_p):.4g}; six or more are needed."
        )
    if one.n and not one.lost and not one.gained and not one.missing:
        yield "No item tells the arms apart; p is 1 for want of any difference."
    found, answered = one.found, one.answered
    if found is not None and answered is not None and found.verdict is not answered.verdict:
        yield (
            "The verdict hangs on the replies without an answer: counted as wrong it is "
            f'"{found.verdict}", left out it is "{answered.verdict}".'
        )
    if found is not None and found.interval is not None and found.p is not None:
        excludes_zero = found.interval.low > 0 or found.interval.high < 0
        if excludes_zero != (found.p < ALPHA):
            yield "The interval and the p disagree about zero; the p decides."
    if one.unpaired:
        items = "item has" if one.unpaired == 1 else "items have"
        yield f"{one.unpaired} {items} replies in one arm only, left out."
