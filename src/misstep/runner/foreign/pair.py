"""Two logs of one task as records: which RUNs are such logs, and what they are compared as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from misstep.core.answers.vocabulary import Vocabulary
from misstep.core.arms import Arm
from misstep.core.errors import BadInput
from misstep.core.family import Prediction, Spec
from misstep.core.measures import ACCURACY, SCORE
from misstep.core.records import Record
from misstep.runner.foreign import harness_samples, inspect_logs
from misstep.runner.foreign.matching import CONTENT, Matching, match
from misstep.runner.foreign.nouns import ForeignLog, Sample, Wanted
from misstep.runner.logged.logs import ENDING

ARM = "run"
"""The name of the one arm where it is two models that differ."""

FIRST, SECOND = "A", "B"
MARGIN = 3.0
_LOGS = (ENDING, ".json")
_LONGEST_NAME = 40
_MOST_SETTINGS = 2
_UNNAMED = "samples"
_UNKNOWN = "a model"


@dataclass(frozen=True)
class Side:
    """One of the two logs, and the name it has in the comparison."""

    name: str
    file: str
    task: str
    model: str
    score: str
    samples: int


@dataclass(frozen=True)
class ForeignPair:
    """Two runs of one task by anyone, the baseline first, ready to be compared.

    `between` is "models" where these differ, else "arms". `notes` are sentences for a reader.
    """

    records: tuple[Record, ...]
    spec: Spec
    between: str
    sides: tuple[Side, Side]
    matching: Matching
    notes: tuple[str, ...]

    @property
    def baseline(self) -> str | None:
        """The baseline model, None between arms."""
        return self.sides[0].model if self.between == "models" else None


def foreign_files(runs: Sequence[Path]) -> tuple[Path, Path] | None:
    """The two logs that RUNs name; None where all are runs of our own.

    BadInput where some are and some are not, or where there are not exactly two.
    """
    found = [_foreign_file(run) for run in runs]
    known = [file for file in found if file is not None]
    if not known:
        return None
    if len(known) < len(runs):
        ours = next(run for run, file in zip(runs, found, strict=True) if file is None)
        raise BadInput(
            f"RUN: {ours} is a run of misstep's own, {known[0]} is not; runs of misstep, or two "
            "logs of another task, but not both"
        )
    if len(known) != 2:
        count = f"{len(known)} {'is' if len(known) == 1 else 'are'} named"
        raise BadInput(
            f"RUN: {known[0]} is {_kind(known[0])}; such logs are compared two at a time, the "
            f"baseline first, and {count}"
        )
    return known[0], known[1]


def read_pair(first: Path, second: Path, wanted: Wanted) -> ForeignPair:
    """BadInput where the two are not of the same items."""
    kinds = {path.suffix == harness_samples.ENDING for path in (first, second)}
    if len(kinds) > 1:
        raise BadInput(
            f"RUN: {first} and {second} are of two kinds, an Inspect log and samples of "
            "lm-evaluation-harness; both must be of one"
        )
    if first.resolve() == second.resolve():
        raise BadInput(f"RUN: {first} is named twice")
    logs = (_read(first, wanted), _read(second, wanted))
    matching = match(*logs)
    are_models = _model(logs[0]) != _model(logs[1])
    names = (ARM, ARM) if are_models else _names(*logs)
    records = tuple(_records(logs, matching, names))
    return ForeignPair(
        records=records,
        spec=_spec(logs, records, names),
        between="models" if are_models else "arms",
        sides=(_side(logs[0], names[0], are_models), _side(logs[1], names[1], are_models)),
        matching=matching,
        notes=tuple(_notes(logs, matching, records, wanted, are_models)),
    )


def _foreign_file(run: Path) -> Path | None:
    """The log that a RUN is, if it is not one of ours; a folder may hold just one."""
    if not run.exists():
        raise BadInput(f"RUN: {run} does not exist")
    if run.is_file():
        return run if _is_foreign(run) else None
    samples = sorted(run.rglob(f"samples_*{harness_samples.ENDING}"))
    logs = sorted(path for path in run.rglob(f"*{ENDING}") if path.is_file())
    if not logs and len(samples) == 1:
        return samples[0]
    if not logs and samples:
        raise BadInput(f"RUN: {run} holds {len(samples)} samples files; name one of them")
    if len(logs) == 1 and _is_foreign(logs[0]):
        return logs[0]
    if len(logs) > 1 and all(map(_is_foreign, logs[:2])):
        raise BadInput(f"RUN: {run} holds {len(logs)} logs of another task; name one of them")
    return None


def _is_foreign(file: Path) -> bool:
    if file.suffix == harness_samples.ENDING:
        return True
    if file.suffix not in _LOGS:
        kinds = ", ".join((*_LOGS, harness_samples.ENDING))
        raise BadInput(f"RUN: {file} is no log; these end in {kinds}")
    return "family" not in (inspect_logs.header_of(file).eval.metadata or {})


def _kind(file: Path) -> str:
    if file.suffix == harness_samples.ENDING:
        return "a samples file of lm-evaluation-harness"
    return f"a log of the task {inspect_logs.header_of(file).eval.task!r}, which is no family's"


def _read(file: Path, wanted: Wanted) -> ForeignLog:
    if file.suffix == harness_samples.ENDING:
        return harness_samples.read(file, wanted)
    return inspect_logs.read(file, wanted)


def _names(first: ForeignLog, second: ForeignLog) -> tuple[str, str]:
    """What differs between two runs of one model, if that is short; else A and B."""
    differing = _differing(first, second)
    if 0 < len(differing) <= _MOST_SETTINGS:
        one, other = (
            ", ".join(f"{name}={log.settings.get(name, 'unset')}" for name in differing)
            for log in (first, second)
        )
        if max(len(one), len(other)) <= _LONGEST_NAME:
            return one, other
    return FIRST, SECOND


def _differing(first: ForeignLog, second: ForeignLog) -> list[str]:
    names = dict.fromkeys((*first.settings, *second.settings))
    return [name for name in names if first.settings.get(name) != second.settings.get(name)]


def _records(
    logs: Sequence[ForeignLog], matching: Matching, names: Sequence[str]
) -> Iterator[Record]:
    """Items that are the same have one name in both: the first log's id."""
    ids: dict[str, str] = {}
    if matching.by == CONTENT:
        for sample in logs[0].samples:
            ids.setdefault(sample.content, sample.id)
    for log, name in zip(logs, names, strict=True):
        asked: Counter[str] = Counter()
        for sample in log.samples:
            by_content = ids.get(sample.content, f"content {sample.content}")
            item = by_content if matching.by == CONTENT else sample.id
            asked[item] += 1
            yield _record(log, sample, item, asked[item], (_task(logs), name))


def _record(
    log: ForeignLog, sample: Sample, item: str, repetition: int, called: tuple[str, str]
) -> Record:
    task, arm = called
    return Record(
        family=task,
        version=1,
        who=_model(log),
        item=item,
        group=item if sample.group is None else sample.group,
        arm=arm,
        repetition=repetition,
        outcome=sample.outcome,
        value=sample.value,
        reason=sample.reason,
        factors=sample.fields,
        input_tokens=sample.input_tokens,
        output_tokens=sample.output_tokens,
        reasoning_tokens=sample.reasoning_tokens,
        seconds=sample.seconds,
    )


def _spec(logs: Sequence[ForeignLog], records: Iterable[Record], names: Sequence[str]) -> Spec:
    """What is known of another's task: which arm comes first, and what is counted."""
    values = {record.value for record in records}
    return Spec(
        name=_task(logs),
        title=_task(logs),
        version=1,
        source="",
        measures="",
        arms=tuple(Arm(name, "", "") for name in dict.fromkeys(names)),
        options=(),
        factors=(),
        scales={},
        vocabulary=Vocabulary("free_text", ()),
        chance=logs[0].chance,
        margin=MARGIN,
        prediction=Prediction(False, False, "unknown", ""),
        measure=ACCURACY if values <= {0.0, 1.0, None} else SCORE,
    )


def _task(logs: Sequence[ForeignLog]) -> str:
    return next((log.task for log in logs if log.task is not None), _UNNAMED)


def _model(log: ForeignLog) -> str:
    return log.model or _UNKNOWN


def _side(log: ForeignLog, name: str, are_models: bool) -> Side:
    called = _model(log) if are_models else name
    return Side(
        called, str(log.file), log.task or _UNNAMED, _model(log), log.score, len(log.samples)
    )


def _notes(
    logs: tuple[ForeignLog, ForeignLog],
    matching: Matching,
    records: Sequence[Record],
    wanted: Wanted,
    are_models: bool,
) -> Iterator[str]:
    first, second = logs
    if matching.by == CONTENT:
        yield "Items were paired by what they show, as their ids differ."
    differing = _differing(first, second)
    if differing:
        told = ", ".join(
            f"{name} ({_short(first.settings, name)} / {_short(second.settings, name)})"
            for name in differing
        )
        also = "Besides the models, these" if are_models else "These"
        yield f"{also} settings differ: {told}."
    offered = _groupings(records) if wanted.group is None else []
    if offered:
        yield (
            "Each item counts as independent. If items that share a field depend on each other "
            f"(one text, one source), say so with --group: {', '.join(offered)}."
        )


def _short(settings: Mapping[str, str], name: str) -> str:
    text = " ".join(settings.get(name, "unset").split())
    return text if len(text) <= _LONGEST_NAME else text[:_LONGEST_NAME] + "…"


def _groupings(records: Sequence[Record]) -> list[str]:
    """Fields by which items fall into six groups or more, and into fewer than there are items."""
    items = {record.item: record.factors for record in records}
    kinds: dict[str, set[object]] = {}
    for fields in items.values():
        for name, value in fields.items():
            if not isinstance(value, (bool, float)):
                kinds.setdefault(name, set()).add(value)
    return [name for name, values in kinds.items() if 6 <= len(values) <= len(items) / 2]
