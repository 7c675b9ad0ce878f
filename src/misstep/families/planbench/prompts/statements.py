"""What a question states: the problem, and the actions that it shows."""

from __future__ import annotations

from misstep.families.planbench.cases import Case
from misstep.families.planbench.spec import ANSWER, ANSWER_END, END, PLAN, PlanbenchPayload
from misstep.families.planbench.texts import book_of, problem_of, state_after, steps_of
from misstep.planning.model import Atom, Domain
from misstep.planning.states import atoms_of, initial_state
from misstep.planning.wording import (
    Phrasebook,
    Wording,
    say_costs,
    say_fact,
    say_plan,
    say_problem,
    told,
)

NOT_A_PLAN = ("plan-verification", "plan-execution")
"""The tests whose answers are of another kind."""


def opening(test: str) -> str:
    return ANSWER if test in NOT_A_PLAN else PLAN


def closing(test: str) -> str:
    return ANSWER_END if test in NOT_A_PLAN else END


def statement(payload: PlanbenchPayload, case: Case) -> str:
    """Ends with a line break, where the answer's opening or the instruction may follow."""
    if payload.test == "plan-verification":
        return _with_actions(payload, case, "This plan is proposed:")
    if payload.test == "plan-execution":
        return _execution(payload, case)
    if payload.test == "replanning":
        return _replanning(payload, case)
    return _problem(payload, case.problem)


def cost_rules(domain: Domain, words: Wording) -> str:
    """Costs are told in words in either style."""
    return f"{say_costs(domain, words)}\nThe cost of a plan is the sum of its actions' costs."


def _problem(payload: PlanbenchPayload, problem: str) -> str:
    book = _book(payload, problem)
    return f"{say_problem(book, problem_of(payload.domain, problem)).strip()}\n"


def _with_actions(payload: PlanbenchPayload, case: Case, lead: str) -> str:
    actions = say_plan(_book(payload, case.problem), steps_of(case.shown))
    return f"{_problem(payload, case.problem)}\n{lead}\n{_numbered(actions)}\n"


def _execution(payload: PlanbenchPayload, case: Case) -> str:
    if payload.question == "state":
        return _with_actions(payload, case, "These actions are done, in this order:")
    said = _with_actions(payload, case, "These actions are to be done, in this order:")
    return (
        f"{said}\nAll of them but the last have been done. The last is action {len(case.shown)}.\n"
    )


def _replanning(payload: PlanbenchPayload, case: Case) -> str:
    book = _book(payload, case.before)
    begun = problem_of(payload.domain, case.before)
    steps = steps_of(case.shown)
    expected = atoms_of(state_after(begun, steps[: case.executed]))
    found = atoms_of(initial_state(problem_of(payload.domain, case.problem)))
    changes = [*changed(book, expected, found)]
    done = "action 1 was" if case.executed == 1 else f"actions 1 to {case.executed} were"
    return (
        f"{_problem(payload, case.before)}\n"
        f"This plan was begun:\n{_numbered(say_plan(book, steps))}\n\n"
        f"When {done} done, something unexpected happened, and the plan was stopped.\n"
        + "".join(f"{line}\n" for line in changes)
        + "The goal is the same as before.\n"
    )


def changed(book: Phrasebook, before: tuple[Atom, ...], after: tuple[Atom, ...]) -> tuple[str, ...]:
    """A line for the facts that have become true, and one for those that no longer are."""
    added = [fact for fact in after if fact not in before]
    deleted = [fact for fact in before if fact not in after]
    lines = (("Now true", added), ("No longer true", deleted))
    return tuple(f"{lead}: {facts_words(book, facts)}." for lead, facts in lines if facts)


def facts_words(book: Phrasebook, facts: list[Atom] | tuple[Atom, ...]) -> str:
    """Set apart by semicolons, in the domain's own order."""
    return "; ".join(say_fact(book, fact) for fact in told(book, facts, silent=True))


def _numbered(actions: str) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(actions.splitlines(), 1))


def _book(payload: PlanbenchPayload, problem: str) -> Phrasebook:
    return book_of(payload.domain, payload.words, payload.wording, problem)
