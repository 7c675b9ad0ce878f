"""Looks at a run as its groups become complete: what they say, and whether they decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from misstep.analyse.arms import arm_order
from misstep.analyse.comparison import Verdict
from misstep.analyse.estimate import Estimate
from misstep.analyse.inference import intervals
from misstep.analyse.inference.multiple import holm
from misstep.analyse.pairing import Paired, Subject, by_subject, pair
from misstep.analyse.sequential.anytime import Anytime, groups_of
from misstep.analyse.sequential.evidence import equivalence_path, p_path
from misstep.analyse.sequential.ledger import Ledger
from misstep.analyse.splits import median_split
from misstep.analyse.verdict import decide
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.looks import Look, Watcher, complete_groups
from misstep.core.measures import ACCURACY
from misstep.core.records import Record

FLIP = "sign-flip e-process, anytime-valid"
BETA = "beta-binomial e-process, anytime-valid"
MARGIN = 3.0
FIXED = (
    "The model's run could stop early, and against people there is no anytime-valid test: this p "
    "and interval take its number of items for fixed."
)


@dataclass(frozen=True)
class Looked:
    """How far a comparison has come: groups looked at and planned, answers used and planned.

    Planned answers are None where the groups differ in size, or only a part is compared.
    """

    looks: int
    planned: int
    answers: int
    answers_planned: int | None


def watcher(spec: Spec | None) -> Watcher:
    """Watches that take looks by the family's measure and margin."""
    return lambda arms: Watching(arms, spec)


class Watching:
    """The evidence of one run, a group more with every call (see `core.looks.Watch`).

    Decided means: a verdict in a word for every arm against the baseline, Holm over these arms,
    for difference and for equivalence apart, as in a comparison.
    """

    def __init__(self, arms: Sequence[str], spec: Spec | None) -> None:
        self._baseline, *self._others = arms
        self._measure = spec.measure if spec else ACCURACY
        margin = (spec.margin if spec else MARGIN) / self._measure.span
        self._seen = {arm: Ledger(margin) for arm in self._others}

    def __call__(self, records: Sequence[Record]) -> Look:
        split = median_split(records)
        for arm in self._others:
            paired = pair(split, self._baseline, arm, self._measure)
            self._seen[arm].add(groups_of(paired))
        return self._look()

    def _look(self) -> Look:
        seen = self._seen
        ps = [one.p for one in seen.values()]
        others = [one.equivalence_p for one in seen.values()]
        verdicts = [
            decide(one.mean * self._measure.sign, p, other)
            for one, p, other in zip(seen.values(), holm(ps), holm(others), strict=True)
        ]
        said = [
            f"{arm} {self._size(one)}, p = {f'{p:.3f}'.removeprefix('0')}"
            for (arm, one), p in zip(seen.items(), ps, strict=True)
        ]
        return Look(
            looks=next(iter(seen.values())).looks,
            is_decided=Verdict.UNDECIDED not in verdicts,
            evidence="; ".join(said),
        )

    def _size(self, one: Ledger) -> str:
        effect = f"{one.mean * self._measure.span:+.1f}".replace("-", "\N{MINUS SIGN}")
        return f"{effect} {self._measure.unit}"


def looked_at(records: Iterable[Record], specs: Mapping[str, Spec]) -> list[Record]:
    """The records that a comparison may use: of runs that could stop early, whole groups only.

    Those up to the look that decided for all arms; where none did, each arm as far as its groups
    are complete one after the other. Replies that came in later, or in groups that are not whole,
    are left out: which of them came depends on who answered faster. All other records stay.
    """
    return [
        record
        for subject, own in by_subject(records).items()
        for record in _of_subject(subject, own, specs.get(subject.family))
    ]


def _of_subject(subject: Subject, records: Sequence[Record], spec: Spec | None) -> Iterable[Record]:
    without = sum(record.look is None for record in records)
    if without == len(records):
        return records
    if without:
        raise BadInput(
            f"records: column 'look': of {subject.who} on {subject.family}, {without} of "
            f"{len(records)} records have none; looks that were taken cannot be taken back, so "
            "compare the others apart"
        )
    _check_places(subject, records)
    arms = arm_order(records, spec)
    until = _decided_at(records, arms, spec) if len(arms) > 1 else None
    last = {arm: until or sum(1 for _ in complete_groups(records, [arm])) for arm in arms}
    return [record for record in records if (record.look or 0) <= last[record.arm]]


def _check_places(subject: Subject, records: Sequence[Record]) -> None:
    """BadInput where a place among the looks is of two groups, or a group has two places."""
    places: dict[int | None, str] = {}
    groups: dict[str, int | None] = {}
    for record in records:
        group = places.setdefault(record.look, record.group)
        place = groups.setdefault(record.group, record.look)
        if group != record.group or place != record.look:
            raise BadInput(
                f"records: column 'look': of {subject.who} on {subject.family}, group "
                f"{record.group!r} and its place {record.look} do not go together; runs of "
                "several seeds that could stop early are compared one at a time"
            )


def _decided_at(records: Sequence[Record], arms: Sequence[str], spec: Spec | None) -> int | None:
    watch = watcher(spec)(arms)
    looks = (watch(own) for own in complete_groups(records, arms))
    return next((look.looks for look in looks if look.is_decided), None)


def looked(paired: Paired, is_whole: bool) -> Looked:
    """`is_whole`: all items of the run are compared, not those of one level of a factor."""
    firsts = [
        own[0] for side in (paired.baseline, paired.arm) for own in side.values() if own[0].look
    ]
    planned = max(record.look_of or 0 for record in firsts)
    sizes = {record.look_replies or 0 for record in firsts}
    of_all = 2 * planned * next(iter(sizes)) if is_whole and len(sizes) == 1 else None
    looks = len({record.look for record in firsts})
    return Looked(looks, planned, paired.replies, of_all)


def estimate_anytime(paired: Paired, margin: float) -> Estimate:
    """`margin` is in the unit; the error is the cluster-robust one, for guesses only."""
    measure = paired.measure
    groups = groups_of(paired)
    basis = Anytime(groups, measure.span)
    interval = basis.interval(0.95)
    is_crossed = interval.low > interval.high
    error = intervals.clustered(paired.differences, paired.group).error
    return Estimate(
        effect=measure.span * groups.mean,
        error=None if error is None else measure.factor * error,
        interval=None if is_crossed else interval,
        test=BETA if groups.are_singles else FLIP,
        p=float(p_path(groups)[-1]),
        equivalence_p=float(equivalence_path(groups, margin / measure.span)[-1]),
        smallest_margin=None if is_crossed else (interval.high - interval.low) / 2,
        established_margin=None if is_crossed else max(-interval.low, interval.high),
        basis=basis,
    )
