"""What a trial came to: the picked plan by the family's own score, and what was written beside it.

The value is that of the picked plan alone, as the paper's. What was written is read by the family's
reader of free replies and graded likewise; a researcher who has read it may overrule that reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from misstep.core.errors import BadInput
from misstep.core.items import Item, Scalar
from misstep.core.outcomes import Reply, Score
from misstep.families.planbench.cases import case_of
from misstep.families.planbench.prompts.answers import answer_words
from misstep.families.planbench.reading.plans import read_reply
from misstep.families.planbench.score import score
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import steps_of
from misstep.planning.model import Step
from misstep.study.trials.nouns import Given, Judged
from misstep.study.trials.planbench.phases import Phase, posed, stages_of

OVERRIDES = ("optimal", "valid", "invalid", "unreadable")
"""What a researcher may say of a plan in someone's own words (PlanBench, 6.2, note 4)."""


@dataclass(frozen=True)
class Graded:
    """A plan and its score. `plan` is None where none could be read; `is_optimal` is None where the
    least is not known."""

    score: Score
    plan: tuple[Step, ...] | None
    is_valid: bool
    is_optimal: bool | None


def judge(item: Item[PlanbenchPayload], arm: str, given: Sequence[Given]) -> Judged:
    """ValueError where the trial isn't over."""
    stages = stages_of(item.payload)
    if len(given) != len(stages):
        raise ValueError(f"{len(given)} answers to {len(stages)} screens")
    reply = reply_of(item.payload, _steps(given[-1]))
    text = str(given[-2].answer["text"])
    picked, free = graded(item, Reply(reply, "stop")), graded(item, Reply(text, "stop"))
    details: dict[str, Scalar] = {
        "human_arm": arm,
        "rt_ms": given[-1].rt_ms,
        "reasons_chars": len(text.strip()),
        "deadline_missed": 0,
        "plan_valid": picked.is_valid,
        "plan_optimal": picked.is_optimal,
        "steps": len(picked.plan or ()),
        "optimal_steps": optimal_steps(item),
        "free_ms": given[-2].rt_ms,
        **_free(free, picked),
        "example_valid": _example(item, given),
    }
    return Judged(picked.score, reply, details)


def overridden(details: Mapping[str, Scalar], override: str | None) -> Mapping[str, Scalar]:
    """A record's details with what a researcher found in the text; None: nobody looked.

    `free_override` is that finding and `free_verdict` the one that counts: the researcher's where
    there is one. What the reader found stays in the others. BadInput for another word.
    """
    if override is None:
        return details
    if override not in OVERRIDES:
        known = ", ".join(OVERRIDES)
        raise BadInput(f"override: {override[:60]!r} is not one of {known}")
    return {**details, "free_override": override, "free_verdict": override}


def graded(item: Item[PlanbenchPayload], reply: Reply) -> Graded:
    found = score(item, reply)
    reading = read_reply(item.payload, reply)
    plan = reading.plan if found.outcome.is_answered else None
    is_valid = "fault" in found.details and found.details["fault"] is None
    return Graded(found, plan, is_valid, _is_optimal(item, found, is_valid))


def reply_of(payload: PlanbenchPayload, steps: Sequence[str]) -> str:
    """The picked actions as the reply that a model would give: in the question's own words."""
    return answer_words(payload, replace(case_of(payload), answer=tuple(steps), optimum=None))


def optimal_steps(item: Item[PlanbenchPayload]) -> int | None:
    """Of the shortest plan, where the family has proven that none is shorter."""
    length = item.factors.get("length")
    return length if item.factors.get("is_shortest") is True and isinstance(length, int) else None


def _is_optimal(item: Item[PlanbenchPayload], found: Score, is_valid: bool) -> bool | None:
    """Of least cost where the question asks for that, else of the fewest steps."""
    if not is_valid:
        return False
    excess, fewest = found.details["excess"], optimal_steps(item)
    if isinstance(excess, (int, float)):
        return excess <= 0
    return None if fewest is None else found.details["length"] == fewest


def _free(free: Graded, picked: Graded) -> dict[str, Scalar]:
    """`edits` counts what was changed on the way from the text to the picked plan."""
    is_answered, plan = free.score.outcome.is_answered, free.plan
    return {
        "free_outcome": free.score.outcome.value,
        "free_valid": free.is_valid if is_answered else None,
        "free_optimal": free.is_optimal if is_answered else None,
        "free_steps": None if plan is None else len(plan),
        "free_override": None,
        "free_verdict": _verdict(free),
        "edits": None if plan is None else distance(plan, picked.plan or ()),
    }


def _verdict(free: Graded) -> str:
    """In the words of an override."""
    if not free.score.outcome.is_answered:
        return "unreadable"
    if not free.is_valid:
        return "invalid"
    return "optimal" if free.is_optimal else "valid"


def _example(item: Item[PlanbenchPayload], given: Sequence[Given]) -> bool | None:
    """Whether the plan picked for the last example is valid; None where there was no example."""
    stages = stages_of(item.payload)
    picks = [place for place, one in enumerate(stages) if one.phase is Phase.PICK]
    if len(picks) < 2:
        return None
    example = posed(item, stages[picks[-2]].case)
    reply = reply_of(example.payload, _steps(given[picks[-2]]))
    return graded(example, Reply(reply, "stop")).is_valid


def _steps(given: Given) -> tuple[str, ...]:
    """The picked steps; ValueError for anything else."""
    steps = given.answer["steps"]
    if not isinstance(steps, (list, tuple)):
        raise ValueError("the answer holds no steps")
    names = tuple(str(step) for step in steps)
    steps_of(names)
    return names


def distance(before: Sequence[Step], after: Sequence[Step]) -> int:
    """The fewest steps to put in, leave out or exchange that make the one plan of the other."""
    row = list(range(len(after) + 1))
    for place, step in enumerate(before, 1):
        corner, row[0] = row[0], place
        for at, other in enumerate(after, 1):
            best = min(row[at] + 1, row[at - 1] + 1, corner + (step != other))
            corner, row[at] = row[at], best
    return row[-1]
