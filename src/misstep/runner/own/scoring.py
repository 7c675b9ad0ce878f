"""The choice of a scorer by its name: ours, a judge, a Python file, or the task's own."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from inspect_ai.model import Model
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from misstep.core.answers import value_of
from misstep.core.errors import BadInput
from misstep.core.outcomes import Score
from misstep.runner.own import grading, json_replies
from misstep.runner.own.cases import Case, Grade, Judge
from misstep.runner.own.judging import model_judge
from misstep.runner.own.python_scorer import python_scorer
from misstep.runner.own.replies import reply_to
from misstep.runner.own.unlabelled import FREE, READINGS, reader_of

NAMES = ("exact", "choice", "number", "contains", "json", "model")


@dataclass(frozen=True)
class Scoring:
    """What is asked for: a scorer's name, the fields that `json` compares, the judge of `model`.

    `is_later`: where no answer is known, people label replies later, which are only read now.
    """

    name: str
    fields: tuple[str, ...] = ()
    judge: str | None = None
    is_later: bool = False


def check(asked: Scoring) -> None:
    """BadInput for a name that is none, or options that do not go with it."""
    if asked.is_later and asked.name not in READINGS:
        raise BadInput(
            f"--label-later: --scorer {asked.name} scores by itself, or not without an answer; "
            f"for labels replies are read as {', '.join(READINGS)}"
        )
    if asked.is_later and asked.name == FREE:
        return
    if asked.name not in NAMES and "@" not in asked.name:
        near = difflib.get_close_matches(asked.name, NAMES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "or a Python file: score.py@function"
        raise BadInput(f"--scorer: unknown {asked.name!r}; known: {', '.join(NAMES)}; {hint}")
    if asked.fields and asked.name != "json":
        raise BadInput(f"--fields: only the scorer json compares fields, not {asked.name}")
    if (asked.name == "model") != (asked.judge is not None):
        raise BadInput("--judge: the scorer model and --judge M go together, or neither")


def needs_answers(asked: Scoring) -> bool:
    """A judge, a function of the user's own and people may do without a known answer."""
    return asked.name in NAMES and asked.name != "model" and not asked.is_later


def judge_of(asked: Scoring, cases: Mapping[str, Case], judging: Model | None) -> Judge:
    """The judge for these items; BadInput where an item's answer is none that it can take."""
    if asked.is_later:
        return _by_reply(_later(asked, cases))
    if asked.name == "model":
        assert judging is not None  # noqa: S101 (`check` has seen to it)
        return model_judge(judging)
    if "@" in asked.name:
        return python_scorer(asked.name)
    for case in cases.values():
        _check_case(asked, case)
    return _by_reply(_GRADES[asked.name](asked, list(cases.values())))


def _later(asked: Scoring, cases: Mapping[str, Case]) -> Grade:
    """Scores the items whose answer is known, and reads the replies to the others."""
    known = {name: case for name, case in cases.items() if case.answer is not None}
    open_cases = [case for case in cases.values() if case.answer is None]
    read = reader_of(asked.name, open_cases, asked.fields)
    if not known:
        return read
    scorer = Scoring("exact" if asked.name == FREE else asked.name, asked.fields)
    for case in known.values():
        _check_case(scorer, case)
    score = _GRADES[scorer.name](scorer, list(known.values()))
    return lambda case, reply: (read if case.answer is None else score)(case, reply)


def _by_reply(grade: Grade) -> Judge:
    async def judge(case: Case, state: TaskState, target: Target) -> Score:
        return grade(case, reply_to(state.output))

    return judge


_GRADES: Mapping[str, Callable[[Scoring, Sequence[Case]], Grade]] = {
    "exact": lambda _asked, _cases: grading.exact,
    "choice": lambda _asked, cases: grading.Choice(cases),
    "number": lambda _asked, _cases: grading.number,
    "contains": lambda _asked, _cases: grading.contains,
    "json": lambda asked, _cases: json_replies.JsonFields(asked.fields),
}


def _check_case(asked: Scoring, case: Case) -> None:
    where = f"{case.place}: answer"
    if case.answer is None:
        raise BadInput(f"{where}: is empty, and --scorer {asked.name} needs it")
    if asked.name == "json":
        json_replies.expected(case)
        json_replies.check_fields(case, asked.fields)
        return
    for one in case.accepted:
        if not one.strip():
            raise BadInput(f"{where}: is empty, and --scorer {asked.name} needs it")
        if asked.name == "number" and value_of(one) is None:
            raise BadInput(f"{where}: {one[:60]!r} is no number, as --scorer number needs")
        if asked.name == "choice" and case.choices and grading.letter_of(case, one) is None:
            raise BadInput(f"{where}: {one[:60]!r} is none of the choices, nor a letter of one")
