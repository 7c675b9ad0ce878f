"""Old logs graded again by today's rules, with no call to a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import EvalSample, write_eval_log
from inspect_ai.scorer import Score as RunnerScore

from misstep.core import items as item_text
from misstep.core.errors import BadInput
from misstep.core.outcomes import Score
from misstep.core.questions import is_own
from misstep.runner import logs
from misstep.runner.rows import score_row
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

    The log is replaced whole or not at all.
    """
    log = logs.read_whole(file)
    name = str((log.eval.metadata or {})["family"])
    if is_own(name):
        raise BadInput(
            f"{file}: {name}: is graded again by its own command, which asks nothing twice"
        )
    room = family(name)
    changes: list[Change] = []
    graded = 0
    for sample in log.samples or []:
        if not sample.scores or logs.SCORE not in sample.scores:
            continue
        graded += 1
        changes.extend(_regrade(room, sample))
    if changes and not is_dry:
        half = file.with_suffix(".partial" + logs.ENDING)
        write_eval_log(log, str(half))
        half.replace(file)
    return Regraded(file, graded, tuple(changes))


def _regrade(family: AnyFamily, sample: EvalSample) -> list[Change]:
    scores = sample.scores or {}
    old = scores[logs.SCORE]
    row = old.metadata or {}
    new = score_sample(family, sample)
    same = all(row.get(name, value) == value for name, value in score_row(new).items())
    scores[logs.SCORE] = RunnerScore(
        value=runner_value(new),
        answer=new.answer,
        explanation=new.reason,
        metadata=row | score_row(new),
    )
    if same:
        return []
    before, after = _said(row.get("outcome"), row.get("answer")), _said(new.outcome, new.answer)
    return [Change(str(sample.id), sample.epoch, before, after)]


def score_sample(family: AnyFamily, sample: EvalSample) -> Score:
    """The judgement of a logged sample by today's rules; BadInput where its item is of old."""
    try:
        item = item_text.from_dict(sample.metadata, family.payload)
        arm = arm_asked(family, sample.metadata)
    except (KeyError, TypeError) as error:
        raise BadInput(f"sample {sample.id}: its item can't be read: {error}") from None
    return judged_of(family, item, arm, sample.metadata, sample.output)


def _said(outcome: object, answer: object) -> str:
    return f"{outcome} ({answer})" if answer else str(outcome)
