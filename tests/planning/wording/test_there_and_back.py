"""Every action, fact and object of every domain, manner and disguise goes to words and back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from misstep.planning.folders import draw_problem, shipped
from misstep.planning.generators import SeededChance
from misstep.planning.model import Atom, Problem, Step
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.wording import (
    Phrasebook,
    phrasebook,
    read_action,
    read_fact,
    read_facts,
    read_object,
    read_wording,
    say_action,
    say_fact,
    say_object,
    say_state,
)

Told = tuple[Problem, Phrasebook]


def test_every_ground_action_comes_back(
    told: Told, all_steps: Callable[[Problem], list[Step]]
) -> None:
    problem, book = told
    steps = all_steps(problem)
    said = [say_action(book, step) for step in steps]
    assert len(set(map(str.lower, said))) == len(steps) > 0
    assert [read_action(book, phrase) for phrase in said] == steps


def test_every_fact_and_its_denial_come_back(
    told: Told, all_atoms: Callable[[Problem], list[Atom]]
) -> None:
    problem, book = told
    facts = [(atom, holds) for atom in all_atoms(problem) for holds in (True, False)]
    said = [say_fact(book, atom, holds=holds) for atom, holds in facts]
    assert len(set(map(str.lower, said))) == len(facts) > 0
    assert [read_fact(book, phrase) for phrase in said] == facts


def test_every_object_comes_back(told: Told) -> None:
    problem, book = told
    names = [typed.name for typed in problem.all_objects]
    phrases = [say_object(book, name) for name in names]
    assert len(set(map(str.lower, phrases))) == len(names)
    assert [read_object(book, phrase) for phrase in phrases] == names
    assert [read_object(book, name) for name in names] == names


def test_a_state_told_in_one_sentence_comes_back_whole(told: Told) -> None:
    problem, book = told
    read = read_facts(book, say_state(book, problem.init, silent=True))
    assert {atom for atom, holds in read if holds} == set(problem.init)
    assert len(read) == len(problem.init)


def test_capitals_spaces_and_a_full_stop_change_nothing(told: Told) -> None:
    problem, book = told
    action = problem.domain.actions[-1]
    step = (action.name, *(problem.objects_for(p.types)[0] for p in action.parameters))
    shouted = f"  {say_action(book, step).upper().replace(' ', '  ')}.  "
    assert read_action(book, shouted) == step


@pytest.mark.parametrize(("count", "last"), [(26, "the amber block"), (60, "block b60")])
def test_there_are_more_blocks_than_colours(count: int, last: str) -> None:
    folder = shipped("blocksworld")
    problem = draw_problem(folder, SeededChance(0), {"blocks": count})
    book = phrasebook(problem, folder.wording)
    assert list(book.phrases.values())[-1] == last
    assert len(set(book.phrases.values())) == count
    assert all(read_object(book, phrase) == name for name, phrase in book.phrases.items())


def test_names_with_several_digits_keep_all_of_them() -> None:
    folder = shipped("logistics")
    settings = {"cities": 12, "places": 11, "packages": 30, "airplanes": 11}
    problem = draw_problem(folder, SeededChance(0), settings)
    book = phrasebook(problem, folder.wording)
    for name in ("p1", "p18", "t10", "t1", "a10", "c11", "l1-10", "l11-0", "l1-1"):
        assert read_object(book, say_object(book, name)) == name
    step = ("load-truck", "p18", "t10", "l10-10")
    assert say_action(book, step) == "load package 18 into truck 10 at place 10-10"
    assert read_action(book, say_action(book, step)) == step


def test_names_that_begin_with_digits_come_back() -> None:
    domain = read_domain(
        "(define (domain 2ijg) (:requirements :strips) (:predicates (7up ?x) (9on ?x ?y))"
        " (:action 9big8ruz :parameters (?x ?y) :precondition (7up ?x) :effect (9on ?x ?y)))"
    )
    problem = read_problem(
        "(define (problem p) (:domain 2ijg) (:objects 1 11 1a) (:init (7up 11))"
        " (:goal (9on 1 11)))",
        domain,
    )
    book = phrasebook(problem, read_wording("", domain))
    for step in (("9big8ruz", "1", "11"), ("9big8ruz", "11", "1a"), ("9big8ruz", "1a", "1")):
        assert read_action(book, say_action(book, step)) == step
    assert read_fact(book, say_fact(book, Atom("9on", ("11", "1")))) == (
        Atom("9on", ("11", "1")),
        True,
    )


def test_two_objects_never_share_a_phrase() -> None:
    domain = read_domain("(define (domain d) (:types cup) (:predicates (clean ?c - cup)))")
    names = "red-cup red_cup cup the"
    problem = read_problem(
        f"(define (problem p) (:domain d) (:objects {names} - cup) (:init) (:goal (and)))", domain
    )
    wording = read_wording('[types.cup]\nsay = "the {words}"', domain)
    book = phrasebook(problem, wording)
    assert book.phrases["red-cup"] == "cup red-cup"
    assert book.phrases["red_cup"] == "cup red_cup"
    assert book.phrases["cup"] == "the cup"
    assert all(read_object(book, book.phrases[name]) == name for name in names.split())
