"""Logical inconsistency as people meet it: two statements, judged before or after explaining."""

from __future__ import annotations

from misstep.core.items import Item
from misstep.families.inconsistency import FAMILY
from misstep.families.inconsistency.prompts import OPENING, QUESTION, denial, rule
from misstep.families.inconsistency.spec import SPEC, InconsistencyPayload
from misstep.study.screens import Part
from misstep.study.trials.nouns import DELIBERATE, DIRECT, HumanArm, Timing, Trial
from misstep.study.trials.pieces.asking import (
    REASONS,
    ask,
    at_once,
    paragraphs,
    question,
    reasons_first,
    right_or_wrong,
    write,
)
from misstep.study.trials.pieces.stages import Role, Stage, Staged
from misstep.study.trials.pieces.timing import said, timed

DEFAULTS = Timing(deadline=20_000, deliberate=15_000)
EXPLAIN, JUDGE_THEN_EXPLAIN = "explain", "judge-then-explain"
ARMS = (
    HumanArm(DIRECT, "an answer at once", "direct"),
    HumanArm(DELIBERATE, "reasons are written down before the answer", "cot"),
    HumanArm(EXPLAIN, "why statement 2 could be true is explained before the answer", EXPLAIN),
    HumanArm(
        JUDGE_THEN_EXPLAIN,
        "the same explanation after the answer: the original study's control",
        JUDGE_THEN_EXPLAIN,
    ),
)
LABELS = {
    DELIBERATE: REASONS,
    EXPLAIN: "Please first explain why statement 2 could be true.",
    JUDGE_THEN_EXPLAIN: "Please now explain why statement 2 could be true.",
}
HOW = {
    EXPLAIN: "Before each answer you are asked to explain in writing why statement 2 could be "
    "true, for at least {time}. Then you answer, in your own time.",
    JUDGE_THEN_EXPLAIN: "First you answer, in your own time. Then you are asked to explain in "
    "writing why statement 2 could be true, for at least {time}.",
}
CHECKS = (
    question(
        "yes",
        "When do you answer Yes?",
        "both",
        likely="When the second statement sounds likely",
        both="When both statements can be true at the same time",
        first="When the first statement is true in real life",
    ),
    question(
        "stated",
        "By what do you judge the two statements?",
        "words",
        words="By what they say, word for word",
        life="By what somebody may have meant by them",
    ),
)


def instructions(arm: str, timing: Timing) -> tuple[Part, ...]:
    return paragraphs(
        "You will see two statements at a time. The question is always whether both of them, as "
        "explicitly stated, can be true at the same time.",
        "Answer Yes if they can both be true, and No if they can't. Take the statements at their "
        "word, whether or not they are true in real life.",
        _how(arm, timed(DEFAULTS, timing)),
    )


def stages(item: Item[InconsistencyPayload], arm: str, timing: Timing) -> tuple[Stage, ...]:
    times = timed(DEFAULTS, timing)
    body = _statements(item.payload)
    deadline = times.deadline if arm == DIRECT else None
    answer = Stage(Role.ANSWER, lambda: ask(body, QUESTION, SPEC.vocabulary.answers, deadline))
    if arm == DIRECT:
        return (answer,)
    if arm not in LABELS:
        raise ValueError(f"inconsistency has no human arm {arm!r}")
    asked = body if arm == JUDGE_THEN_EXPLAIN else (*body, *paragraphs(QUESTION))
    reasons = Stage(Role.REASONS, lambda: write(asked, LABELS[arm], times.deliberate))
    return (answer, reasons) if arm == JUDGE_THEN_EXPLAIN else (reasons, answer)


def _statements(payload: InconsistencyPayload) -> tuple[Part, ...]:
    return paragraphs(OPENING, f"1. {rule(payload)}", f"2. {denial(payload)}")


def _how(arm: str, times: Timing) -> str:
    if arm in HOW:
        return HOW[arm].format(time=said(times.deliberate or 0))
    return reasons_first(times.deliberate) if arm == DELIBERATE else at_once(times.deadline)


_STAGED = Staged(FAMILY, stages)
TRIAL: Trial[InconsistencyPayload] = Trial(
    family=SPEC.name,
    arms=ARMS,
    instructions=instructions,
    checks=CHECKS,
    screen=_STAGED.screen,
    judge=_STAGED.judge,
    feedback=right_or_wrong,
    solve=_STAGED.solve,
    defaults=DEFAULTS,
)
