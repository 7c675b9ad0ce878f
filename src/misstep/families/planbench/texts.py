"""The payload's texts as the planning library's objects, each text read once."""

from __future__ import annotations

from functools import lru_cache

from misstep.planning.model import Atom, Domain, Problem, Step, step_text
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.plans import read_step
from misstep.planning.states import State, states_along
from misstep.planning.wording import Phrasebook, Wording, pddl_wording, phrasebook, read_wording


@lru_cache(maxsize=32)
def domain_of(text: str) -> Domain:
    return read_domain(text)


@lru_cache(maxsize=64)
def problem_of(domain: str, problem: str) -> Problem:
    """Of PDDL texts."""
    return read_problem(problem, domain_of(domain))


@lru_cache(maxsize=32)
def wording_of(domain: str, words: str) -> Wording:
    return read_wording(words, domain_of(domain))


def steps_of(texts: tuple[str, ...]) -> tuple[Step, ...]:
    return tuple(read_step(text) for text in texts)


def texts_of(steps: tuple[Step, ...]) -> tuple[str, ...]:
    return tuple(step_text(step) for step in steps)


def atom_of(text: str) -> Atom:
    """ "(on a b)" as an atom."""
    predicate, *terms = text.strip("()").split()
    return Atom(predicate, tuple(terms))


def state_after(problem: Problem, steps: tuple[Step, ...]) -> State:
    """The state at the end; ValueError where a step can't be taken."""
    states = list(states_along(problem, steps))
    if len(states) <= len(steps):
        raise ValueError(f"step {len(states)} can't be taken: {steps[len(states) - 1]}")
    return states[-1]


@lru_cache(maxsize=64)
def book_of(domain: str, words: str, style: str, problem: str) -> Phrasebook:
    """How a problem is put: in English, or in PDDL through the same door."""
    is_pddl = style == "pddl"
    wording = pddl_wording(domain_of(domain)) if is_pddl else wording_of(domain, words)
    return phrasebook(problem_of(domain, problem), wording)
