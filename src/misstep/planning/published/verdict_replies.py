"""Replies on whether a plan is valid, graded again on the plan that their prompt shows.

The class decides: valid, an action can't be taken, the goal is missed. The original stores three
scores: valid or not; the class; and an explanation, which one right fact of several is enough for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from misstep.planning.published.asked import Asked, asked_problem
from misstep.planning.published.extractions import stored_verdict
from misstep.planning.published.graded import Graded, Part
from misstep.planning.published.reports import Disagreement
from misstep.planning.published.results import ResultFile, StoredResult
from misstep.planning.published.verification import (
    PlanVerdict,
    VerdictScores,
    judge_verdict,
    plan_verdict,
    read_verdict,
)

_VALIDITY, _EXPLANATION = "valid or not", "explanation"


def grade_verdict(file: ResultFile, result: StoredResult, reply: str, stored: bool) -> Graded:
    """Raises PlanningError that says why there is nothing to grade."""
    asked = asked_problem(file, result)
    truth = plan_verdict(asked.problem, asked.shown)
    said = read_verdict(reply, asked.problem, asked.lexicon)
    scores = judge_verdict(said, truth)
    wrong_truth = _wrong_truth(result, asked, truth)
    reasons = _Reasons(said, truth, scores, _stored(result, asked), wrong_truth)
    return Graded(
        instance=result.instance,
        is_correct=scores.is_class_right,
        stored_correct=stored,
        disagreements=tuple(_disagreements(result, scores, stored, reasons)),
        reference_fails=bool(wrong_truth),
        parts=tuple(_parts(result, scores)),
    )


def _stored(result: StoredResult, asked: Asked) -> PlanVerdict | None:
    return stored_verdict(result.verdict, asked.lexicon) if result.verdict else None


def _parts(result: StoredResult, scores: VerdictScores) -> Iterator[Part]:
    yield Part(_VALIDITY, scores.is_validity_right, result.is_validity_right)
    yield Part("failing action", scores.is_action_right)
    yield Part("unmet facts", scores.are_facts_right)
    yield Part(_EXPLANATION, scores.is_explained, result.is_explained)


def _disagreements(
    result: StoredResult, scores: VerdictScores, stored: bool, reasons: _Reasons
) -> Iterator[Disagreement]:
    if scores.is_class_right != stored:
        yield reasons.disagreement(result.instance, scores.is_class_right, "")
    further = (
        (_VALIDITY, scores.is_validity_right, result.is_validity_right),
        (_EXPLANATION, scores.is_explained, result.is_explained),
    )
    for name, ours, theirs in further:
        if theirs is not None and ours != theirs:
            yield reasons.disagreement(result.instance, ours, name)


def _wrong_truth(result: StoredResult, asked: Asked, truth: PlanVerdict) -> str:
    """What the original takes for true of the plan, where it isn't."""
    if not result.reference.strip():
        return ""
    told = read_verdict(result.reference, asked.problem, asked.lexicon)
    if told is None:
        return "not readable"
    return "" if judge_verdict(told, truth).is_explained else told.text


@dataclass(frozen=True, slots=True)
class _Reasons:
    """What was read and what is true, to tell each score's disagreement by."""

    said: PlanVerdict | None
    truth: PlanVerdict
    scores: VerdictScores
    stored: PlanVerdict | None
    wrong_truth: str

    def disagreement(self, instance: str, is_correct: bool, score: str) -> Disagreement:
        is_explanation = score == _EXPLANATION
        reason = self._of_explanation(is_correct) if is_explanation else self._of_kind()
        return Disagreement(
            instance=instance,
            is_correct=is_correct,
            stored_correct=not is_correct,
            our_verdict=self.said.kind if self.said else "unparsed",
            failed_step=None,
            our_plan=None,
            stored_plan=(),
            reason=reason,
            ours=self.said.text if self.said else "none",
            stored=self.stored.text if self.stored else "none",
            score=score,
        )

    def _of_kind(self) -> str:
        if self.wrong_truth:
            return f"stored truth is wrong: {self.wrong_truth}; {self._true}"
        ours, theirs = (one.kind if one else "none" for one in (self.said, self.stored))
        if ours != theirs:
            return f"stored reading of the reply is {theirs}, ours {ours}; {self._true}"
        return f"stored verdict wrong: the reply says {ours}; {self._true}"

    def _of_explanation(self, is_correct: bool) -> str:
        if self.said is None or not self.scores.is_class_right or self.wrong_truth:
            return self._of_kind()
        if is_correct:
            return self._stored_wrong()
        if self.scores.is_action_right is False and self.said.step == self.truth.step:
            return f"stored score looks at the action's name alone; {self._true}"
        shared = sorted(set(self.said.facts) & set(self.truth.facts))
        if shared:
            return (
                f"stored score is content with one right fact, {shared[0]}, of"
                f" {', '.join(self.said.facts)}; {self._true}"
            )
        return self._stored_wrong()

    def _stored_wrong(self) -> str:
        stored = self.stored.text if self.stored else "none"
        said = self.said.text if self.said else "none"
        return f"stored reading of the reply is {stored}, ours {said}; {self._true}"

    @property
    def _true(self) -> str:
        return f"the plan is {self.truth.text}"
