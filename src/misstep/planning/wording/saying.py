"""Actions, facts, states, goals, plans and whole problems in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from misstep.planning.model import TOTAL_COST, And, Atom, Formula, Problem, Step, step_text
from misstep.planning.wording.errors import WordingError
from misstep.planning.wording.formulas import Scope, listed, say_formula, say_number
from misstep.planning.wording.nouns import Kind
from misstep.planning.wording.phrasebook import Phrasebook
from misstep.planning.wording.sorts import conjuncts
from misstep.planning.writing import number_text, write_problem


def say_object(book: Phrasebook, name: str) -> str:
    """Raises WordingError for a name that the problem has no object of."""
    if name not in book.phrases:
        raise WordingError("", name, "is no object of the problem")
    return book.phrases[name]


def say_action(book: Phrasebook, step: Step) -> str:
    """Raises WordingError where the action is unknown or its arguments are too few or too many."""
    action = book.domain.action.get(step[0])
    if action is None or len(step) - 1 != len(action.parameters):
        raise WordingError("", step_text(step), "fits no action of the domain")
    return book.wording.actions[step[0]].say.fill([say_object(book, name) for name in step[1:]])


def say_fact(book: Phrasebook, atom: Atom, *, holds: bool = True) -> str:
    """Or, where it doesn't hold, its denial. Raises WordingError as `say_action` does."""
    predicate = book.domain.predicate.get(atom.predicate)
    if predicate is None or len(atom.terms) != len(predicate.parameters):
        raise WordingError("", atom.text, "fits no predicate of the domain")
    words = book.wording.facts[atom.predicate]
    template = words.say if holds else words.denial
    return template.fill([say_object(book, name) for name in atom.terms])


def say_state(book: Phrasebook, atoms: Iterable[Atom], *, silent: bool = False) -> str:
    """ "a, b and c", in the domain's and the problem's own order, whatever order is given.

    Silent facts are said only on request.
    """
    return listed([say_fact(book, atom) for atom in told(book, atoms, silent=silent)])


def told(book: Phrasebook, atoms: Iterable[Atom], *, silent: bool = False) -> list[Atom]:
    """The facts that a state's telling has, in its order."""
    predicates = {name: place for place, name in enumerate(book.domain.predicate)}
    objects = {name: place for place, name in enumerate(book.phrases)}
    kept = [atom for atom in atoms if silent or not book.wording.facts[atom.predicate].silent]
    return sorted(
        kept,
        key=lambda atom: (
            predicates[atom.predicate],
            [objects.get(term, len(objects)) for term in atom.terms],
            atom.terms,
        ),
    )


def say_goal(book: Phrasebook, goal: Formula) -> str:
    """A clause; the parts of a conjunction in the goal's own order."""
    scope = Scope(book.domain, book.wording, book.phrases)
    return say_formula(scope, And(conjuncts(goal)))


def say_plan(book: Phrasebook, steps: Sequence[Step]) -> str:
    """One action a line; the empty plan is the empty text."""
    return "\n".join(say_action(book, step) for step in steps)


def say_objects(book: Phrasebook) -> str:
    """A sentence for each kind, with the number of its objects and what they are called."""
    groups: dict[str, list[str]] = {}
    kinds: dict[str, Kind] = {}
    for name, kind in book.kinds.items():
        kinds[kind.name] = kind
        groups.setdefault(kind.name, []).append(book.phrases[name])
    return "\n".join(_count(kinds[name], phrases) for name, phrases in groups.items())


def say_values(book: Phrasebook, problem: Problem) -> str:
    """The numbers that hold at the start, a sentence a line, the total cost left out."""
    scope = Scope(book.domain, book.wording, book.phrases)
    return "\n".join(
        f"{_capital(say_number(scope, value.fluent))} is {number_text(value.number)}."
        for value in problem.values
        if value.fluent.function != TOTAL_COST
    )


def say_problem(book: Phrasebook, problem: Problem) -> str:
    """Objects, initial state and goal; in the style of PDDL the problem's own text."""
    if book.wording.style == "pddl":
        return write_problem(problem)
    state = say_state(book, problem.init) or "nothing holds"
    parts = [
        say_objects(book),
        say_values(book, problem),
        f"At the start: {state}. Whatever is not stated is not so.",
        f"The goal: {say_goal(book, problem.goal)}.",
    ]
    return "\n".join(part for part in parts if part)


def _count(kind: Kind, phrases: Sequence[str]) -> str:
    if len(phrases) == 1:
        return f"There is 1 {kind.singular}: {phrases[0]}."
    return f"There are {len(phrases)} {kind.plural}: {listed(phrases)}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
