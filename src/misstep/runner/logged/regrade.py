"""Old logs graded again by today's rules, with no call to a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import write_eval_log
from inspect_ai.scorer import Score as RunnerScore

from misstep.core import items as item_text
from misstep.core.errors import BadInput
from misstep.core.outcomes import Score
from misstep.core.questions import is_own
from misstep.runner.logged import logs
from misstep.runner.logged.archive import Key, is_closed
from misstep.runner.logged.rescoring import Logged, read_samples, rescored
from misstep.runner.logged.rows import Row, score_row
from misstep.runner.task import AnyFamily, arm_asked, judged_of, runner_value


@dataclass(frozen=True)
class Change:
    """A sample whose grade is not what the log said."""

    sample: str
    repetition: int
    before: str
    after: str


@dataclass(frozen=True)
class Regraded:
    file: Path
    samples: int
    changes: tuple[Change, ...]


def regrade(file: Path, family: Callable[[str], AnyFamily], *, is_dry: bool) -> Regraded:
    """Judge every sample of the log again; unless dry, the log takes the new grades.

    The log is replaced whole or not at all. Samples are read one at a time.
    """
    name = str((logs.read_header(file).eval.metadata or {})["family"])
    if is_own(name):
        raise BadInput(
            f"{file}: {name}: is graded again by its own command, which asks nothing twice"
        )
    room = family(name)
    changes: list[Change] = []
    scores: dict[Key, RunnerScore] = {}
    graded = 0
    for sample in read_samples(file):
        if logs.SCORE not in sample.scores:
            continue
        graded += 1
        row = sample.scores[logs.SCORE]["metadata"] or {}
        new = score_sample(room, sample)
        if row | score_row(new) != row:
            scores[sample.key] = _runner_score(new, row)
        changes.extend(_changes(sample, row, new))
    if changes and not is_dry:
        _write(file, scores)
    return Regraded(file, graded, tuple(changes))


def _runner_score(new: Score, row: Row) -> RunnerScore:
    return RunnerScore(
        value=runner_value(new),
        answer=new.answer,
        explanation=new.reason,
        metadata=row | score_row(new),
    )


def _changes(sample: Logged, row: Row, new: Score) -> list[Change]:
    if all(row.get(name, value) == value for name, value in score_row(new).items()):
        return []
    before, after = _said(row.get("outcome"), row.get("answer")), _said(new.outcome, new.answer)
    return [Change(sample.key[0], sample.key[1], before, after)]


def _write(file: Path, scores: Mapping[Key, RunnerScore]) -> None:
    half = file.with_suffix(".partial" + logs.ENDING)
    if not is_closed(file):
        # The runner closes what it writes.
        write_eval_log(logs.read_whole(file), str(half))
        half.replace(file)
    rescored(file, half, logs.SCORE, scores)
    half.replace(file)


def score_sample(family: AnyFamily, sample: Logged) -> Score:
    """The judgement of a logged sample by today's rules; BadInput where its item is of old."""
    try:
        item = item_text.from_dict(sample.metadata, family.payload)
        arm = arm_asked(family, sample.metadata)
    except (KeyError, TypeError) as error:
        raise BadInput(f"sample {sample.key[0]}: its item can't be read: {error}") from None
    return judged_of(family, item, arm, sample.metadata, sample.output)


def _said(outcome: object, answer: object) -> str:
    return f"{outcome} ({answer})" if answer else str(outcome)
