"""Plans: validity for the stated goal, cost against the optimum, and the partial scores."""

from __future__ import annotations

from collections.abc import Mapping

from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.planbench.grading.reasons import reasons_given
from misstep.families.planbench.reading.plans import (
    is_begun,
    is_cut,
    is_whole,
    read_reply,
    stated_cost,
)
from misstep.families.planbench.spec import NO_PLAN, PlanbenchPayload
from misstep.families.planbench.texts import problem_of, texts_of
from misstep.planning.model import Number, Step
from misstep.planning.reading import PlanReading
from misstep.planning.scores import PlanScores, score_plan

BEFORE_PLAN = "cut before its plan"
INSIDE_PLAN = "cut inside its plan"
_READ = ("answered", "unparsed")


def score_plans(payload: PlanbenchPayload, reply: Reply) -> Score:
    """`answer` is the plan, a step in parentheses after another, or "no_plan".

    A reply that the token limit cut is truncated where its plan hadn't begun, whatever steps its
    reasoning names; and where it was cut inside the plan and what is left of that misses the goal.
    """
    reading = read_reply(payload, reply)
    if is_cut(reply) and reading.outcome in _READ and not is_begun(payload, reply, reading):
        return Score(Outcome.TRUNCATED, None, None, BEFORE_PLAN)
    if reading.outcome != "answered":
        reason = f"line {reading.line}" if reading.outcome == "unparsed" and reading.line else None
        return Score(Outcome(reading.outcome), None, None, reason, _span(reply.text, reading))
    if reading.plan is None:
        return _no_plan(payload, reply, reading)
    return _plan(payload, reply, reading, reading.plan)


def _no_plan(payload: PlanbenchPayload, reply: Reply, reading: PlanReading) -> Score:
    """Right only where it is proven that none exists."""
    is_right = payload.answer == (NO_PLAN,)
    details = {"false_no_plan": not is_right}
    return _score(is_right, NO_PLAN, _span(reply.text, reading), details)


def _plan(
    payload: PlanbenchPayload, reply: Reply, reading: PlanReading, plan: tuple[Step, ...]
) -> Score:
    problem = problem_of(payload.domain, payload.problem)
    found = score_plan(problem, plan, payload.optimum)
    is_right = found.validation.is_valid
    if not is_right and is_cut(reply) and not is_whole(reply, reading):
        return Score(Outcome.TRUNCATED, None, None, INSIDE_PLAN, _span(reply.text, reading))
    details = {**_details(found), **reasons_given(payload, plan, reply.text)}
    if payload.test == "optimal-planning":
        stated = stated_cost(reply.text)
        is_right = is_right and found.excess is not None and found.excess <= 0
        details |= {
            "is_valid": found.validation.is_valid,
            "optimum": payload.optimum,
            "stated_cost": stated,
            "is_stated_cost_right": None if stated is None else stated == found.cost,
        }
    return _score(is_right, " ".join(texts_of(plan)), _span(reply.text, reading), details)


def _details(found: PlanScores) -> dict[str, Scalar]:
    checked = found.validation
    return {
        "executable_steps": found.executable_steps,
        "goal_share": round(found.goal_share, 4),
        "is_valid_without_preconditions": found.is_valid_without_preconditions,
        "is_valid_without_deletes": found.is_valid_without_deletes,
        "length": found.length,
        "cost": _number(found.cost),
        "excess": _number(found.excess),
        "fault": found.fault.value if found.fault else None,
        "fault_step": None if checked.failed_step is None else checked.failed_step + 1,
        "fault_facts": " ".join(checked.unmet) or None,
    }


def _number(value: Number | None) -> int | float | None:
    return value if value is None or isinstance(value, int) else float(value)


def _score(
    is_right: bool, answer: str, span: tuple[int, int] | None, details: Mapping[str, Scalar]
) -> Score:
    outcome = Outcome.CORRECT if is_right else Outcome.WRONG
    return Score(outcome, float(is_right), answer, None, span, details)


def _span(text: str, reading: PlanReading) -> tuple[int, int] | None:
    """From the beginning of the reading's first line to the end of its last."""
    if not reading.line:
        return None
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: reading.line - 1]))
    end = sum(map(len, lines[: max(reading.last, reading.line)]))
    return (start, max(start, end - 1 if text[:end].endswith("\n") else end))
