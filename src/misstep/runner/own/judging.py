"""A second model as the judge: it sees question, reference and reply, and never the arm."""

from __future__ import annotations

from dataclasses import replace

from inspect_ai.model import GenerateConfig, Model
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from misstep.core.answers import VOCABULARIES, ReadingState, read
from misstep.core.answers.refusals import CUT_SHORT, FILTERED
from misstep.core.answers.thinking import cut_thinking
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.runner.calls.asking import at
from misstep.runner.own import around
from misstep.runner.own.cases import Case, Judge
from misstep.runner.own.replies import reply_to

JUDGING = 2
"""The turn of the journal in which the judge is asked."""
UNREADABLE = "judge_unparsed"

WITH_REFERENCE = """\
Here are a question, the answer that is known to be right, and a reply to the question.

[Question]
{question}

[Right answer]
{answer}

[Reply]
{reply}

[End]
Does the reply come to the right answer? Its wording, length and style do not matter; what it \
finally answers does. Please ONLY answer "Yes" or "No"."""

WITHOUT_REFERENCE = """\
Here are a question and a reply to it.

[Question]
{question}

[Reply]
{reply}

[End]
Is the reply right, and does it do what the question asks? Its length and style do not matter. \
Please ONLY answer "Yes" or "No"."""


def model_judge(model: Model) -> Judge:
    """Thinking that stands in the reply is cut before the judge sees it: it would tell the arm."""

    async def judge(case: Case, state: TaskState, target: Target) -> Score:
        reply = reply_to(state.output)
        absent = _unanswered(reply)
        if absent is not None:
            return absent
        sample = around.current()
        assert sample is not None  # noqa: S101 (our own mistake)
        with at(replace(sample.place, turn=JUDGING, call=0)):
            output = await model.generate(
                prompt(case, reply), config=GenerateConfig(temperature=0.0)
            )
        return _verdict(output.completion, output.stop_reason, reply)

    return judge


def prompt(case: Case, reply: Reply) -> str:
    """What the judge is asked."""
    words = WITHOUT_REFERENCE if case.answer is None else WITH_REFERENCE
    said = cut_thinking(reply.text).text.strip()
    answer = " | ".join(case.accepted) if case.answer is not None else ""
    return words.format(question=case.words, answer=answer, reply=said)


def _unanswered(reply: Reply) -> Score | None:
    """A reply that holds nothing to be judged."""
    stopped = (reply.stop_reason or "").casefold()
    cut = cut_thinking(reply.text)
    if stopped in FILTERED:
        return Score(Outcome.REFUSED, None)
    if cut.is_unclosed:
        return Score(Outcome.TRUNCATED, None)
    if not cut.text.strip():
        return Score(Outcome.TRUNCATED if stopped in CUT_SHORT else Outcome.EMPTY, None)
    return None


def _verdict(said: str, stop_reason: str | None, reply: Reply) -> Score:
    reading = read(said, VOCABULARIES["yes_no"], stop_reason)
    if reading.state is not ReadingState.ANSWERED:
        return Score(Outcome.UNPARSED, None, reason=UNREADABLE)
    if reading.answer == "Yes":
        return Score(Outcome.CORRECT, 1.0)
    is_cut_short = (reply.stop_reason or "").casefold() in CUT_SHORT
    return Score(Outcome.TRUNCATED, None) if is_cut_short else Score(Outcome.WRONG, 0.0)
