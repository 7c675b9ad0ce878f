"""The task's own scorer as a judge: its score in our words, and named where it gives none."""

from __future__ import annotations

import math
from collections.abc import Mapping

from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, PARTIAL, Scorer, Target
from inspect_ai.scorer import Score as RunnerScore
from inspect_ai.solver import TaskState

from misstep.core.answers import ReadingState, read, words
from misstep.core.answers.refusals import CUT_SHORT
from misstep.core.errors import BadInput, MisstepError
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.runner.logged.rows import reply_of
from misstep.runner.own import around
from misstep.runner.own.cases import Case, Judge

RAISED, NAN, NONE, NO_ANSWER = "scorer_raised", "scorer_nan", "scorer_none", "no_answer"
_WORDS: Mapping[str, float] = {
    CORRECT: 1.0,
    INCORRECT: 0.0,
    PARTIAL: 0.5,
    "yes": 1.0,
    "no": 0.0,
    "true": 1.0,
    "false": 0.0,
}
_NEVER = "no answer of anybody"


def foreign(own: Scorer, key: str | None, name: str) -> Judge:
    """`key` chooses among the values of a scorer that gives several; `name` is for messages."""

    async def judge(case: Case, state: TaskState, target: Target) -> Score:
        try:
            found = await own(state, target)
        except MisstepError:
            raise
        except (Exception, SystemExit) as error:  # somebody else's code: it raises, by its outcome
            sample = around.current()
            if sample is not None and sample.failure is not None:
                raise
            return unscored(RAISED, error)
        return _judged(found, case, state, key, name)

    return judge


def unscored(reason: str, error: BaseException | None = None) -> Score:
    """No score, and why: never a 0."""
    said = "" if error is None else " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return Score(Outcome.UNPARSED, None, reason=f"{reason}: {said}" if said else reason)


def _judged(
    found: RunnerScore | None, case: Case, state: TaskState, key: str | None, name: str
) -> Score:
    if found is None:
        return unscored(NONE)
    value = _chosen(found.value, key, name)
    if value == NOANSWER:
        return _unanswered(reply_of(state.output)) or unscored(NO_ANSWER)
    judged = scored(value, found.answer, f"{name}: item {case.id!r}")
    if judged.value == 0:
        return _unanswered(reply_of(state.output)) or judged
    return judged


def _chosen(value: object, key: str | None, name: str) -> object:
    if isinstance(value, Mapping):
        known = ", ".join(map(str, value))
        if key is None:
            raise BadInput(f"--score: {name} gives several values ({known}); --score KEY takes one")
        if key not in value:
            raise BadInput(f"--score: {name} gives no value {key!r}; it gives {known}")
        return value[key]
    if key is not None:
        raise BadInput(f"--score: {name} gives one value, and none by the name of {key!r}")
    if isinstance(value, (list, tuple)):
        raise BadInput(f"--scorer: {name} gives a list of {len(value)} values, and one is needed")
    return value


def scored(value: object, answer: str | None, where: str) -> Score:
    """The score of a value from 0 to 1, or of a word that means one; BadInput for any other."""
    if value is None:
        return unscored(NONE)
    if isinstance(value, str):
        value = _worth(value, where)
    if not isinstance(value, (bool, int, float)) and callable(item := getattr(value, "item", None)):
        value = item()  # numpy's and torch's scalars
    if not isinstance(value, (bool, int, float)):
        raise BadInput(f"--scorer: {where}: {str(value)[:60]!r} is no score")
    number = float(value)
    if math.isnan(number):
        return unscored(NAN)
    if not 0 <= number <= 1:
        raise BadInput(f"--scorer: {where}: {number:g} is not from 0 to 1")
    return Score(Outcome.CORRECT if number == 1 else Outcome.WRONG, number, answer)


def _worth(word: str, where: str) -> float:
    known = _WORDS.get(word, _WORDS.get(word.casefold()))
    if known is not None:
        return known
    try:
        return float(word)
    except ValueError:
        raise BadInput(f"--scorer: {where}: {word[:60]!r} is no score") from None


def _unanswered(reply: Reply) -> Score | None:
    """What became of a reply that is worth nothing, where it was no answer at all."""
    reading = read(reply.text, words(_NEVER), reply.stop_reason)
    if reading.state in (ReadingState.EMPTY, ReadingState.REFUSED, ReadingState.TRUNCATED):
        return Score(Outcome(reading.state.value), None)
    if (reply.stop_reason or "").casefold() in CUT_SHORT:
        return Score(Outcome.TRUNCATED, None)
    return None
