"""Artificial grammar as people meet it: strings to memorise, then a judgement of each new one."""

from __future__ import annotations

from misstep.core.items import Item
from misstep.families.grammar import FAMILY
from misstep.families.grammar.spec import SPEC, TRAINING, GrammarPayload
from misstep.study.screens import Page, Part, Screen
from misstep.study.trials.nouns import DELIBERATE, DIRECT, HumanArm, Timing, Trial
from misstep.study.trials.pieces.asking import (
    MEMORY_ALONE,
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

DEFAULTS = Timing(deadline=8_000, deliberate=15_000, memorise=150_000)
"""Ten seconds for each of the strings to memorise."""

ARMS = (
    HumanArm(DIRECT, "an answer at once, by the first impression", "direct"),
    HumanArm(DELIBERATE, "reasons are written down before each answer", "cot"),
)
MEMORISE = (
    "Please memorise the following letter strings as well as you can. The page goes on by itself "
    "after {time}."
)
RULES = (
    "The strings that you memorised were generated according to a certain set of rules. You will "
    "now see other strings, and be asked of each whether it also follows the same set of rules."
)
"""Said only once they are memorised, as in the prompt for models, where it stands below them."""

QUESTION = "Does this string also follow the same set of rules?"

CHECKS = (
    question(
        "strings",
        "What are you to do with the list of letter strings?",
        "memorise",
        sort="Put them into alphabetical order",
        memorise="Memorise them as well as I can",
        copy="Copy them onto paper",
    ),
    question(
        "answer",
        "How do you answer the questions that follow the list?",
        "words",
        letters="By typing a letter string",
        words="With Yes or No",
        number="With a number from 1 to 5",
    ),
)


def instructions(arm: str, timing: Timing) -> tuple[Part, ...]:
    times = timed(DEFAULTS, timing)
    return paragraphs(
        f"You will see a list of {TRAINING} strings of letters. Please memorise them as well as "
        f"you can; you have {said(times.memorise or 0)}. {MEMORY_ALONE}",
        "After that you are asked about other strings, one at a time, and answer Yes or No. The "
        "first list is not shown again. Where another list follows, all this begins anew with it.",
        _how(arm, times),
    )


def opening(item: Item[GrammarPayload], arm: str, timing: Timing) -> tuple[Screen, ...]:
    """The training strings, which all strings of the grammar are judged by; then what they are."""
    time = timed(DEFAULTS, timing).memorise or 0
    strings = Part("mono", "\n".join(item.payload.training))
    asked = paragraphs(MEMORISE.format(time=said(time)))
    return (
        Page(paragraphs("A list of letter strings to memorise comes next.")),
        Page((*asked, strings), choices=(), auto_ms=time),
        Page(paragraphs(RULES)),
    )


def stages(item: Item[GrammarPayload], arm: str, timing: Timing) -> tuple[Stage, ...]:
    times = timed(DEFAULTS, timing)
    string = (Part("mono", item.payload.test),)
    answers = SPEC.vocabulary.answers
    match arm:
        case "direct":
            return (Stage(Role.ANSWER, lambda: ask(string, QUESTION, answers, times.deadline)),)
        case "deliberate":
            asked = (*string, *paragraphs(QUESTION))
            return (
                Stage(Role.REASONS, lambda: write(asked, REASONS, times.deliberate)),
                Stage(Role.ANSWER, lambda: ask(string, QUESTION, answers, None)),
            )
    raise ValueError(f"grammar has no human arm {arm!r}")


def _how(arm: str, times: Timing) -> str:
    return reasons_first(times.deliberate) if arm == DELIBERATE else at_once(times.deadline)


_STAGED = Staged(FAMILY, stages)
TRIAL: Trial[GrammarPayload] = Trial(
    family=SPEC.name,
    arms=ARMS,
    instructions=instructions,
    checks=CHECKS,
    screen=_STAGED.screen,
    judge=_STAGED.judge,
    feedback=right_or_wrong,
    solve=_STAGED.solve,
    defaults=DEFAULTS,
    opening=opening,
)
