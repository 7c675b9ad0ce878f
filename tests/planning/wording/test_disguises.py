"""Obfuscation: other names, same structure."""

from __future__ import annotations

import re

import pytest

from misstep.planning.folders import draw_problem, shipped, shipped_names
from misstep.planning.generators import SeededChance
from misstep.planning.model import Domain
from misstep.planning.obfuscation import Disguise, Disguised, obfuscate, problem_renaming
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.planners.problems import search_problem
from misstep.planning.renaming import (
    Renaming,
    rename_atom,
    rename_domain,
    rename_plan,
    rename_problem,
)
from misstep.planning.validation import validate
from misstep.planning.wording import introduction, phrasebook, read_wording, write_wording
from misstep.planning.writing import write_domain, write_problem

_NAME = re.compile(r"[a-z][a-z0-9_-]*")

_RICH = """(define (domain works) (:requirements :adl :numeric-fluents :action-costs)
 (:types lamp room)
 (:constants hall - room)
 (:predicates (lit ?l - lamp) (in ?l - lamp ?r - room) (dark ?r - room) (storm))
 (:functions (total-cost) - number (fuel) - number (price ?r - room) - number)
 (:action blackout :parameters (?r - room)
  :precondition (and (or (storm) (not (dark ?r))) (exists (?l - lamp) (in ?l ?r))
    (> (fuel) 3) (imply (storm) (not (= ?r hall))))
  :effect (and (dark ?r) (forall (?l - lamp) (when (in ?l ?r) (not (lit ?l))))
    (decrease (fuel) (+ 1 1)) (increase (total-cost) (price ?r)))))"""


def _domain(name: str) -> Domain:
    return read_domain(_RICH) if name == "rich" else shipped(name).domain


@pytest.fixture(params=[(name, style) for name in (*shipped_names(), "rich") for style in Disguise])
def pair(request: pytest.FixtureRequest) -> tuple[Domain, Disguised]:
    name, style = request.param
    domain = _domain(name)
    return domain, obfuscate(domain, style, SeededChance(3))


def test_translating_back_gives_the_domain_again(pair: tuple[Domain, Disguised]) -> None:
    domain, disguised = pair
    back = rename_domain(disguised.renaming.back(), disguised.domain)
    assert back == rename_domain(Renaming(), domain)
    assert read_domain(write_domain(disguised.domain)) == disguised.domain


def test_no_name_of_the_domain_shows(pair: tuple[Domain, Disguised]) -> None:
    """Neither in the PDDL nor in the words, PDDL's own words and those of the rules apart."""
    domain, disguised = pair
    renaming = disguised.renaming
    old = {*renaming.actions, *renaming.predicates, *renaming.types, *renaming.functions}
    old |= {*renaming.domain, *renaming.objects}
    old |= {p.name[1:] for action in domain.actions for p in action.parameters}
    pddl = set(_NAME.findall(write_domain(disguised.domain)))
    assert not old & pddl
    told = set(_NAME.findall(introduction(disguised.domain, disguised.wording)))
    assert not old & (told - {"in", "on", "before", "no", "at", "object"})


def test_new_names_are_all_different(pair: tuple[Domain, Disguised]) -> None:
    renaming = pair[1].renaming
    groups = (renaming.actions, renaming.predicates, renaming.types, renaming.functions)
    new = [name for group in groups for name in group.values()]
    assert len(new) == len(set(new))


def test_a_disguised_wording_can_be_kept_in_a_file(pair: tuple[Domain, Disguised]) -> None:
    disguised = pair[1]
    assert read_wording(write_wording(disguised.wording), disguised.domain) == disguised.wording


@pytest.mark.parametrize("style", Disguise)
@pytest.mark.parametrize("name", shipped_names())
def test_a_plan_works_in_disguise_and_comes_back(name: str, style: Disguise) -> None:
    folder = shipped(name)
    settings = {"blocksworld": {"blocks": 3}, "household": {"rooms": 1, "items": 2, "moves": 1}}
    problem = draw_problem(folder, SeededChance(21), settings.get(name, {}))
    disguised = obfuscate(folder.domain, style, SeededChance(22))
    renaming = problem_renaming(disguised, problem, SeededChance(23))
    hidden = rename_problem(renaming, problem, disguised.domain)
    assert rename_problem(renaming.back(), hidden, folder.domain) == problem
    assert read_problem(write_problem(hidden), disguised.domain) == hidden
    step = (problem.domain.actions[0].name, *(one.name for one in problem.objects[:2]))
    assert rename_plan(renaming.back(), rename_plan(renaming, [step])) == (step,)
    assert [rename_atom(renaming.back(), atom) for atom in hidden.init] == list(problem.init)


@pytest.mark.parametrize("style", Disguise)
def test_the_optimum_is_the_same_and_its_plan_valid_on_both_sides(style: Disguise) -> None:
    folder = shipped("blocksworld")
    problem = draw_problem(folder, SeededChance(4), {"blocks": 4})
    disguised = obfuscate(folder.domain, style, SeededChance(5))
    renaming = problem_renaming(disguised, problem, SeededChance(6))
    hidden = rename_problem(renaming, problem, disguised.domain)
    answer = search_problem(hidden)
    assert answer.plan is not None
    assert answer.cost == search_problem(problem).cost
    assert validate(problem, rename_plan(renaming.back(), answer.plan)).is_valid


def test_objects_names_tell_neither_type_nor_order() -> None:
    folder = shipped("depots")
    problem = draw_problem(folder, SeededChance(1))
    disguised = obfuscate(folder.domain, Disguise.DECEPTIVE, SeededChance(2))
    orders = set()
    for seed in range(20):
        renaming = problem_renaming(disguised, problem, SeededChance(seed))
        hidden = rename_problem(renaming, problem, disguised.domain)
        assert {one.name for one in hidden.objects} == {
            f"o{number}" for number in range(1, len(problem.objects) + 1)
        }
        orders.add(tuple(one.name for one in hidden.objects))
    assert len(orders) == 20
    phrases = phrasebook(hidden, disguised.wording).phrases
    assert phrases["o10"] == "object 10"


@pytest.mark.parametrize("style", Disguise)
def test_another_draw_gives_other_names_and_the_same_draw_the_same(style: Disguise) -> None:
    domain = shipped("depots").domain
    first, again = (obfuscate(domain, style, SeededChance(1)) for _ in range(2))
    assert first == again
    other = obfuscate(domain, style, SeededChance(2))
    assert set(first.renaming.actions.values()) != set(other.renaming.actions.values())


def test_a_domain_with_more_actions_than_there_are_words_still_gets_names() -> None:
    actions = " ".join(f"(:action act{n} :parameters () :effect (p))" for n in range(150))
    domain = read_domain(f"(define (domain big) (:predicates (p)) {actions})")
    disguised = obfuscate(domain, Disguise.DECEPTIVE, SeededChance(1))
    assert len(set(disguised.renaming.actions.values())) == 150
    assert rename_domain(disguised.renaming.back(), disguised.domain) == domain
