"""What a report is made from, and its sections: one for each model on each family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from misstep.analyse.answers import possible_answers
from misstep.analyse.arms import arm_order, summarise
from misstep.analyse.breakdown import Factor, break_down, factor_names
from misstep.analyse.claims import Claims, check
from misstep.analyse.comparison import ArmSummary, Comparison
from misstep.analyse.pairing import Subject, by_subject
from misstep.analyse.people import side
from misstep.analyse.splits import median_split
from misstep.core.family import Spec
from misstep.core.faults import NO_FAULTS, Faults
from misstep.core.measures import ACCURACY
from misstep.core.outcomes import Outcome
from misstep.core.records import Record, Transcript
from misstep.report.own.terms import Terms


@dataclass(frozen=True)
class RunFacts:
    """What ran, for a reader: a title, and labels with their values in the order to print."""

    title: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Reading:
    """A reply, and where in it the answer was read; None where it is not one place of one reply."""

    transcript: Transcript
    span: tuple[int, int] | None


@dataclass(frozen=True)
class Frozen:
    """A study's frozen file, and what the records show of changes since, a line for each."""

    name: str
    sha256: str
    departures: tuple[str, ...]


@dataclass(frozen=True)
class ReportData:
    """Everything that a report shows.

    `records` are those that the comparisons were drawn from; `references` those of the reference
    solvers on the same items (`who` is "ref/..."), drawn as lines only. `transcripts` are the
    examples, `readings` what was drawn to be checked, with the unparsed replies (`choosing`),
    `exchanged` replies to items lost and gained in tasks of the user's own. `faults` are what went
    wrong with the calls, by family and model; `frozen` is the plan that people's records are held
    against, where one was named.
    """

    comparisons: Sequence[Comparison]
    records: Sequence[Record] = ()
    references: Sequence[Record] = ()
    transcripts: Sequence[Transcript] = ()
    readings: Sequence[Reading] = ()
    facts: Sequence[RunFacts] = ()
    specs: Mapping[str, Spec] = field(default_factory=dict)
    exchanged: Sequence[Transcript] = ()
    terms: Terms = field(default_factory=Terms)
    faults: Mapping[tuple[str, str], Faults] = field(default_factory=dict)
    frozen: Frozen | None = None


@dataclass(frozen=True)
class Section:
    """One model on one family. `arms` are over all of its items, the baseline first.

    `factors` are those that the family declares and that differ between the items.
    """

    subject: Subject
    spec: Spec | None
    arms: tuple[ArmSummary, ...]
    comparisons: tuple[Comparison, ...]
    levels: tuple[Comparison, ...]
    references: tuple[ArmSummary, ...]
    records: tuple[Record, ...]
    examples: Mapping[Outcome, tuple[Transcript, ...]]
    readings: tuple[Reading, ...]
    factors: tuple[Factor, ...]
    claims: Claims
    exchanged: tuple[Transcript, ...] = ()
    faults: Faults = NO_FAULTS

    @property
    def title(self) -> str:
        name = self.spec.title if self.spec else self.subject.family
        variant = f" ({self.subject.variant})" if self.subject.variant else ""
        return f"{name}{variant}: {self.subject.who}"

    @property
    def answers(self) -> tuple[str, ...]:
        return possible_answers(self.records, self.spec)


def sections(data: ReportData) -> list[Section]:
    """In the order of the records, or of the comparisons where no records came along."""
    records = {
        subject: tuple(own) for subject, own in by_subject(median_split(data.records)).items()
    }
    summaries = summarise(data.records, data.specs)
    references = summarise(data.references, data.specs)
    subjects = dict.fromkeys([*records, *map(_compared, data.comparisons)])
    return [
        Section(
            subject=subject,
            spec=data.specs.get(subject.family),
            arms=_arms(subject, summaries, data.comparisons),
            comparisons=_of(subject, data.comparisons, levels=False),
            levels=_of(subject, data.comparisons, levels=True),
            references=_references(subject, references),
            records=records.get(subject, ()),
            examples=_examples(subject, data.transcripts),
            readings=tuple(
                one for one in data.readings if _subject(one.transcript.record) == subject
            ),
            factors=_factors(records.get(subject, ()), data.specs.get(subject.family)),
            claims=check(records.get(subject, ())),
            exchanged=tuple(one for one in data.exchanged if _subject(one.record) == subject),
            faults=data.faults.get((subject.family, subject.who), NO_FAULTS),
        )
        for subject in subjects
    ]


def _subject(record: Record) -> Subject:
    return Subject(record.family, record.version, side(record.who), record.variant)


def _factors(records: Sequence[Record], spec: Spec | None) -> tuple[Factor, ...]:
    names = spec.factors if spec else factor_names(records)
    measure = spec.measure if spec else ACCURACY
    return break_down(records, names, arm_order(records, spec), measure)


def _compared(one: Comparison) -> Subject:
    return Subject(one.family, one.version, one.who, one.variant)


def _of(
    subject: Subject, comparisons: Iterable[Comparison], levels: bool
) -> tuple[Comparison, ...]:
    return tuple(
        one
        for one in comparisons
        if _compared(one) == subject and (one.factor is not None) is levels
    )


def _arms(
    subject: Subject, summaries: Iterable[ArmSummary], comparisons: Iterable[Comparison]
) -> tuple[ArmSummary, ...]:
    found = tuple(
        one
        for one in summaries
        if Subject(one.family, one.version, one.who, one.variant) == subject
    )
    compared = _of(subject, comparisons, levels=False)
    if found or not compared:
        return found
    return (compared[0].baseline_summary, *(one.arm_summary for one in compared))


def _references(subject: Subject, summaries: Iterable[ArmSummary]) -> tuple[ArmSummary, ...]:
    """The solvers of the family, best first; of several arms (all alike) the first."""
    found: dict[str, ArmSummary] = {}
    for one in summaries:
        if _asked(one) == (subject.family, subject.version, subject.variant):
            found.setdefault(one.who, one)
    return tuple(sorted(found.values(), key=lambda one: (-one.accuracy, one.who)))


def _asked(one: ArmSummary) -> tuple[str, int, str]:
    return one.family, one.version, one.variant


def _examples(
    subject: Subject, transcripts: Iterable[Transcript]
) -> dict[Outcome, tuple[Transcript, ...]]:
    found: dict[Outcome, list[Transcript]] = {}
    for one in transcripts:
        if _subject(one.record) == subject:
            found.setdefault(one.record.outcome, []).append(one)
    return {outcome: tuple(found[outcome]) for outcome in Outcome if outcome in found}
