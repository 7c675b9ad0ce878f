"""The screens of a trial in their order: rules, each example in both parts, then the problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from misstep.core.errors import BadInput
from misstep.core.items import Item
from misstep.families.planbench.cases import Case, case_of, examples_of
from misstep.families.planbench.prompts import parts
from misstep.families.planbench.prompts.instructions import task
from misstep.families.planbench.prompts.statements import NOT_A_PLAN, statement
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import book_of, steps_of
from misstep.planning.wording import say_plan
from misstep.study.screens import Page, Part, Plan, Screen, Write
from misstep.study.trials.nouns import Given, Timing
from misstep.study.trials.pieces.timing import said, timed
from misstep.study.trials.planbench import words
from misstep.study.trials.planbench.board import board_of

NOT_TO_PICK = (*NOT_A_PLAN, "unsolvable")
"""Tests whose answers, or some of them, are no plan."""


class Phase(StrEnum):
    """What a screen of a trial is for."""

    RULES = "rules"
    EXAMPLE = "example"
    GLIMPSE = "glimpse"
    TURN = "turn"
    WRITE = "write"
    PICK = "pick"


@dataclass(frozen=True)
class Stage:
    """`case` is the example, or the problem that counts."""

    phase: Phase
    case: Case
    is_example: bool


def stages_of(payload: PlanbenchPayload) -> tuple[Stage, ...]:
    """BadInput for a question that no plan answers."""
    _check(payload)
    asked, examples = case_of(payload), examples_of(payload)
    worked = (Phase.EXAMPLE, Phase.GLIMPSE, Phase.WRITE, Phase.PICK)
    own = (Phase.TURN, Phase.WRITE, Phase.PICK) if examples else (Phase.WRITE, Phase.PICK)
    return (
        Stage(Phase.RULES, asked, is_example=False),
        *(Stage(phase, one, is_example=True) for one in examples for phase in worked),
        *(Stage(phase, asked, is_example=False) for phase in own),
    )


def screen(
    item: Item[PlanbenchPayload], arm: str, timing: Timing, given: Sequence[Given]
) -> Screen | None:
    """BadInput for an item that people can't be asked, from the first screen on."""
    stages = stages_of(item.payload)
    if not given:
        board_of(item.payload, case_of(item.payload))
    if len(given) == len(stages):
        return None
    stage = stages[len(given)]
    times = timed(words.DEFAULTS, timing)
    match stage.phase:
        case Phase.WRITE:
            return _write(item, stage, times)
        case Phase.PICK:
            return _pick(item, stage, arm, str(given[-1].answer["text"]))
        case _:
            return _page(item, stage, times)


def posed(item: Item[PlanbenchPayload], case: Case) -> Item[PlanbenchPayload]:
    """The item that asks for this case, so that an example is graded like the problem itself."""
    payload = replace(
        item.payload,
        problem=case.problem,
        answer=case.answer,
        shown=case.shown,
        before=case.before,
        executed=case.executed,
        optimum=case.optimum,
        examples=(),
    )
    return replace(item, payload=payload)


def _check(payload: PlanbenchPayload) -> None:
    if payload.query:
        raise BadInput("planbench: published prompts are for models; people need items of a domain")
    if payload.test in NOT_TO_PICK:
        raise BadInput(
            f"planbench: test={payload.test}: people pick the actions of a plan, and this question "
            "has other answers"
        )


def _page(item: Item[PlanbenchPayload], stage: Stage, times: Timing) -> Page:
    payload, case = item.payload, stage.case
    problem = Part("text", statement(payload, case).strip())
    match stage.phase:
        case Phase.RULES:
            return Page((_rules(item),), title=words.RULES_TITLE)
        case Phase.EXAMPLE:
            return Page((Part("text", words.EXAMPLE), problem), title=words.EXAMPLE_TITLE)
        case Phase.GLIMPSE:
            time = times.memorise or 0
            book = book_of(payload.domain, payload.words, payload.wording, case.problem)
            shown = Part("mono", say_plan(book, steps_of(case.answer)))
            lead = Part("text", words.GLIMPSE.format(time=said(time)))
            return Page((lead, shown), (), words.EXAMPLE_TITLE, auto_ms=time)
        case _:
            return Page((Part("text", words.TURN),), title=words.PROBLEM_TITLE)


def _write(item: Item[PlanbenchPayload], stage: Stage, times: Timing) -> Write:
    return Write(
        (Part("text", _problem(item, stage.case)), _folded_rules(item)),
        words.WRITE_LABEL,
        _titled(words.WRITE_TITLE, stage),
        min_ms=times.deliberate or 0,
    )


def _pick(item: Item[PlanbenchPayload], stage: Stage, arm: str, written: str) -> Plan:
    """Where the start and the goal are drawn, the problem's words are folded up."""
    board, aid = board_of(item.payload, stage.case), words.AIDS[arm]
    told = Part("text", _problem(item, stage.case))
    if aid != words.NO_AID:
        told = words.folded(words.PROBLEM_TITLE, told.text)
    return Plan(
        body=(Part("text", words.PICK), told, _folded_rules(item)),
        actions=board.actions,
        facts=board.facts,
        atoms=board.atoms,
        state=board.state,
        goal=board.goal,
        drawing=board.drawing,
        earlier=written,
        title=_titled(words.PICK_TITLE, stage),
        goal_not=board.goal_not,
        denials=board.denials,
        aid=aid,
    )


def _titled(title: str, stage: Stage) -> str:
    return f"{words.EXAMPLE_TITLE}. {title}" if stage.is_example else title


def _problem(item: Item[PlanbenchPayload], case: Case) -> str:
    return f"{statement(item.payload, case).strip()}\n\n{task(item.payload)}"


def _rules(item: Item[PlanbenchPayload]) -> Part:
    kind = "mono" if item.payload.wording == "pddl" else "text"
    return Part(kind, parts(item)["domain"])


def _folded_rules(item: Item[PlanbenchPayload]) -> Part:
    return words.folded(words.RULES_TITLE, _rules(item).text)
