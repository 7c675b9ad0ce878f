"""What is asked for, by test, and how, by arm."""

from __future__ import annotations

from misstep.families.planbench.prompts.answers import NO_PLAN_WORDS
from misstep.families.planbench.spec import (
    ANSWER,
    ANSWER_END,
    END,
    PLAN,
    REASONS,
    REASONS_END,
    ROUNDS,
    PlanbenchPayload,
)

_STEPS = f"""Write {PLAN} on a line, then the plan, one action a line and nothing else, worded as \
the actions above, and then {END} on a line."""
_PDDL_STEPS = f"""Write {PLAN} on a line, then the plan, one action a line and nothing else, each \
as (action object ...), and then {END} on a line."""

_TASKS = {
    "optimal-planning": "Give a plan that reaches the goal at the least possible cost.",
    "replanning": "Give a new plan that reaches the goal from the state that has come about.",
    "unsolvable": "Give a plan that reaches the goal, or say that none exists.",
    "plan-verification": "Is this plan valid: can each of its actions be executed, one after the "
    "other, and do all goals hold at the end?",
    "plan-execution": "Which facts hold after these actions?",
}
_PLAN_TASK = "Give a plan that reaches the goal."
_CHANGES_TASK = "Can the last action be executed, and which facts does it change?"

_VERDICT_FORM = f"""Write {ANSWER} on a line, one of these answers, then {ANSWER_END} on a line:
The plan is valid.
The plan is not valid: action (number) cannot be executed. Unmet preconditions: (fact; fact ...).
The plan is not valid: it misses the goal. Unmet goals: (fact; fact ...)."""
_STATE_FORM = f"""Write {ANSWER} on a line, then every fact that holds at the end, one a line and \
worded as the facts above, and then {ANSWER_END} on a line. Facts that no action can ever \
change may be left out."""
_CHANGES_FORM = f"""Write {ANSWER} on a line, one of these answers, then {ANSWER_END} on a line:
Action (number) can be executed. Now true: (fact; fact ...). No longer true: (fact; fact ...).
Action (number) cannot be executed. Unmet preconditions: (fact; fact ...)."""

_ARMS = {
    "direct": "Do not write anything else.",
    "cot": "Think step by step before that, and write down your reasoning first.",
    "state-tracking": "Before that, go through the actions one by one, and write down the full "
    "state after each of them.",
    "explain": f"Below that, write {REASONS} on a line, then a line for each action, with its "
    'number and the facts that must hold before it and do, as in "1. (fact; fact ...)", and then '
    f"{REASONS_END} on a line.",
    "feedback": f"Do not write anything else. You will be told what is wrong with your answer, and "
    f"can then answer again, up to {ROUNDS} times.",
}


def instruction(payload: PlanbenchPayload, arm: str) -> str:
    """`arm` names one of the wordings of `spec.py` but completion, which asks nothing."""
    if arm not in _ARMS:
        raise ValueError(f"planbench has no wording {arm!r}")
    return f"{task(payload)}\n{form(payload)}\n{_ARMS[arm]}"


def task(payload: PlanbenchPayload) -> str:
    """The question, in a line."""
    if payload.question == "changes":
        return _CHANGES_TASK
    return _TASKS.get(payload.test, _PLAN_TASK)


def form(payload: PlanbenchPayload) -> str:
    """How the answer is to be written, in every arm."""
    if payload.test == "plan-verification":
        return _VERDICT_FORM
    if payload.test == "plan-execution":
        return _STATE_FORM if payload.question == "state" else _CHANGES_FORM
    said = _PDDL_STEPS if payload.wording == "pddl" else _STEPS
    if payload.test == "optimal-planning":
        said += ' Below that, write the cost of your plan, as in "Total cost: 4".'
    if payload.test == "unsolvable":
        said += f" If no plan exists, write this line between the two instead: {NO_PLAN_WORDS}"
    return said
