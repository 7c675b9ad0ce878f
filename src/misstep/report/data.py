"""What a report is made from, and its sections: one for each model on each family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from misstep.analyse.answers import possible_answers
from misstep.analyse.arms import summarise
from misstep.analyse.comparison import ArmSummary, Comparison
from misstep.analyse.pairing import Subject, by_subject
from misstep.analyse.splits import median_split
from misstep.core.family import Spec
from misstep.core.outcomes import Outcome
from misstep.core.records import Record, Transcript

EXAMPLES = 5


@dataclass(frozen=True)
class RunFacts:
    """What ran, for a reader: a title, and labels with their values in the order to print."""

    title: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ReportData:
    """Everything that a report shows.

    `records` are those that the comparisons were drawn from; `references` those of the reference
    solvers on the same items (`who` is "ref/..."), drawn as lines only.
    """

    comparisons: Sequence[Comparison]
    records: Sequence[Record] = ()
    references: Sequence[Record] = ()
    transcripts: Sequence[Transcript] = ()
    facts: Sequence[RunFacts] = ()
    specs: Mapping[str, Spec] = field(default_factory=dict)


@dataclass(frozen=True)
class Section:
    """One model on one family. `arms` are over all of its items, the baseline first."""

    subject: Subject
    spec: Spec | None
    arms: tuple[ArmSummary, ...]
    comparisons: tuple[Comparison, ...]
    levels: tuple[Comparison, ...]
    references: tuple[ArmSummary, ...]
    records: tuple[Record, ...]
    examples: Mapping[Outcome, tuple[Transcript, ...]]

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
        )
        for subject in subjects
    ]


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
    """The first few of each outcome, taken from the arms in turn."""
    found: dict[Outcome, dict[str, list[Transcript]]] = {}
    for one in transcripts:
        record = one.record
        if Subject(record.family, record.version, record.who, record.variant) == subject:
            arms = found.setdefault(record.outcome, {})
            arms.setdefault(record.arm, []).append(one)
    return {
        outcome: _in_turn(found[outcome].values())[:EXAMPLES]
        for outcome in Outcome
        if outcome in found
    }


def _in_turn(queues: Iterable[Sequence[Transcript]]) -> tuple[Transcript, ...]:
    listed = list(queues)
    return tuple(queue[at] for at in range(EXAMPLES) for queue in listed if at < len(queue))
