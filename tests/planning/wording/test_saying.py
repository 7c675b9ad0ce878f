"""What is said, word for word."""

from __future__ import annotations

import pytest

from misstep.planning.folders import draw_problem, shipped, shipped_names
from misstep.planning.generators import SeededChance
from misstep.planning.model import Atom, Problem
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.wording import (
    Phrasebook,
    UnreadError,
    WordingError,
    introduction,
    pddl_wording,
    phrasebook,
    read_action,
    read_fact,
    read_facts,
    read_wording,
    say_action,
    say_costs,
    say_fact,
    say_goal,
    say_plan,
    say_problem,
    say_rules,
    say_state,
)

_PUBLISHED = """(define (domain blocksworld-4ops) (:requirements :strips)
(:predicates (clear ?x) (ontable ?x) (handempty) (holding ?x) (on ?x ?y))
(:action pick-up :parameters (?ob)
 :precondition (and (clear ?ob) (ontable ?ob) (handempty))
 :effect (and (holding ?ob) (not (clear ?ob)) (not (ontable ?ob)) (not (handempty))))
(:action put-down :parameters (?ob) :precondition (holding ?ob)
 :effect (and (clear ?ob) (handempty) (ontable ?ob) (not (holding ?ob))))
(:action stack :parameters (?ob ?underob) :precondition (and (clear ?underob) (holding ?ob))
 :effect (and (handempty) (clear ?ob) (on ?ob ?underob) (not (clear ?underob))
  (not (holding ?ob))))
(:action unstack :parameters (?ob ?underob)
 :precondition (and (on ?ob ?underob) (clear ?ob) (handempty))
 :effect (and (holding ?ob) (clear ?underob) (not (on ?ob ?underob)) (not (clear ?ob))
  (not (handempty)))))"""


@pytest.fixture
def three() -> Problem:
    """Three blocks, b on a, as instances are published: with other names of variables."""
    return read_problem(
        "(define (problem bw) (:domain blocksworld-4ops) (:objects a b c)"
        " (:init (handempty) (on b a) (ontable a) (ontable c) (clear b) (clear c))"
        " (:goal (and (on c b) (on a c))))",
        read_domain(_PUBLISHED),
    )


@pytest.fixture
def book(three: Problem) -> Phrasebook:
    return phrasebook(three, shipped("blocksworld").wording)


def test_a_problem_is_told_with_objects_state_and_goal(three: Problem, book: Phrasebook) -> None:
    assert say_problem(book, three) == (
        "There are 3 blocks: the red block, the blue block and the orange block.\n"
        "At the start: the blue block is clear, the orange block is clear, the red block is on the"
        " table, the orange block is on the table, the hand is empty and the blue block is on the"
        " red block. Whatever is not stated is not so.\n"
        "The goal: the orange block is on the blue block and the red block is on the orange block."
    )


def test_a_state_is_told_in_one_order_whatever_order_it_comes_in(
    three: Problem, book: Phrasebook
) -> None:
    assert say_state(book, reversed(three.init)) == say_state(book, three.init)


def test_the_goals_stay_in_the_order_given(three: Problem, book: Phrasebook) -> None:
    first, second = say_goal(book, three.goal).split(" and ")
    assert (read_fact(book, first)[0].text, read_fact(book, second)[0].text) == (
        "(on c b)",
        "(on a c)",
    )


def test_a_plan_has_a_line_for_each_step(book: Phrasebook) -> None:
    plan = (("unstack", "b", "a"), ("put-down", "b"))
    assert say_plan(book, plan) == (
        "unstack the blue block from the red block\nput down the blue block"
    )
    assert say_plan(book, ()) == ""


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("Unstack the blue block from on top of the red block.", ("unstack", "b", "a")),
        ("stack red block on top of block c", ("stack", "a", "c")),
        ("pick the orange block up", ("pick-up", "c")),
        ("put b on the table", ("put-down", "b")),
    ],
)
def test_other_ways_to_put_an_action_are_understood(
    book: Phrasebook, text: str, step: tuple[str, ...]
) -> None:
    assert read_action(book, text) == step


@pytest.mark.parametrize(
    "text",
    [
        "I cannot pick up the red block",
        "pick up the purple block",
        "pick up the red block and the blue block",
        "pick up",
        "",
    ],
)
def test_what_is_no_action_is_not_read_as_one(book: Phrasebook, text: str) -> None:
    with pytest.raises(UnreadError, match="not understood"):
        read_action(book, text)


def test_facts_in_a_row_are_read_with_their_denials(book: Phrasebook) -> None:
    text = "- the hand is empty\n- the red block is not clear; b is on top of a, and c is clear"
    assert [(atom.text, holds) for atom, holds in read_facts(book, text)] == [
        ("(handempty)", True),
        ("(clear a)", False),
        ("(on b a)", True),
        ("(clear c)", True),
    ]


def test_trucks_and_airplanes_tell_the_published_loads_apart() -> None:
    folder = shipped("logistics")
    book = phrasebook(draw_problem(folder, SeededChance(1)), folder.wording)
    at = "at location_0_0"
    assert read_action(book, f"load package_0 into truck_0 {at}")[0] == "load-truck"
    assert read_action(book, f"load package_0 into airplane_0 {at}")[0] == "load-airplane"
    assert read_fact(book, "package_0 is in truck_0")[0].predicate == "in"
    assert read_fact(book, "location_0_0 is in city_0")[0].predicate == "in-city"
    with pytest.raises(UnreadError, match="could be"):
        read_action(book, f"unload package_0 from city_0 {at}")


def test_what_fits_no_action_or_object_is_not_said(book: Phrasebook) -> None:
    for step in (("stack", "a"), ("stack", "a", "z"), ("fly", "a")):
        with pytest.raises(WordingError):
            say_action(book, step)
    with pytest.raises(WordingError, match=r"\(on a\)"):
        say_fact(book, Atom("on", ("a",)))


def test_silent_facts_are_told_on_request_only() -> None:
    folder = shipped("logistics")
    problem = draw_problem(folder, SeededChance(1))
    book = phrasebook(problem, folder.wording)
    assert "truck 0 is a truck" not in say_state(book, problem.init)
    assert "truck 0 is a truck" in say_state(book, problem.init, silent=True)


def test_costs_are_said_with_their_unit() -> None:
    household = shipped("household")
    lines = say_costs(household.domain, household.wording).splitlines()
    assert lines[0] == "To walk from room X to room Y costs 2 minutes."
    assert lines[1] == "To open container X in room Y costs 1 minute."
    assert len(lines) == len(household.domain.actions)
    blocks = shipped("blocksworld")
    assert say_costs(blocks.domain, blocks.wording) == "Every action costs 1."


@pytest.mark.parametrize("name", shipped_names())
def test_each_introduction_lists_every_action_and_then_the_rules(name: str) -> None:
    folder = shipped(name)
    text = introduction(folder.domain, folder.wording)
    assert text == folder.wording.introduction
    done, rules = text.lower().split("these rules hold")
    for words in folder.wording.actions.values():
        assert words.say.text.split()[0] in done
    assert rules.count("\n- ") >= 3


def test_the_pddl_manner_is_the_problems_own_text(three: Problem) -> None:
    book = phrasebook(three, pddl_wording(three.domain))
    assert read_problem(say_problem(book, three), three.domain) == three
    assert read_domain(introduction(three.domain, book.wording)) == three.domain
    assert say_plan(book, [("stack", "a", "b")]) == "(stack a b)"
    assert read_fact(book, "(not (on a b))") == (Atom("on", ("a", "b")), False)


_RICH = """(define (domain works) (:requirements :adl :numeric-fluents :action-costs)
 (:types lamp room)
 (:predicates (lit ?l - lamp) (in ?l - lamp ?r - room) (dark ?r - room) (storm))
 (:functions (total-cost) - number (fuel) - number (price ?r - room) - number)
 (:action blackout :parameters (?r - room)
  :precondition (and (or (storm) (not (dark ?r))) (exists (?l - lamp) (in ?l ?r))
    (> (fuel) 3) (imply (storm) (dark ?r)))
  :effect (and (dark ?r) (forall (?l - lamp) (when (in ?l ?r) (not (lit ?l))))
    (decrease (fuel) 2) (increase (total-cost) (price ?r)))))"""


def test_rules_tell_conditions_quantifiers_numbers_and_costs() -> None:
    domain = read_domain(_RICH)
    wording = read_wording('[cost]\nsingular = "coin"\nplural = "coins"', domain)
    assert say_rules(domain, wording) == (
        "These actions can be done, under these conditions:\n"
        "To blackout room X:\n"
        "- these must hold before: (storm is the case or room X is not dark), (there is some lamp Y"
        " such that lamp Y is in room X), the fuel is more than 3 and (if storm is the case, then"
        " room X is dark)\n"
        "- these hold afterwards: room X is dark\n"
        "- afterwards, for every lamp Y: if lamp Y is in room X before, then lamp Y is not lit\n"
        "- afterwards, the fuel shrinks by 2\n"
        "A fact that one action both ends and brings about holds afterwards."
    )
    assert say_costs(domain, wording) == "To blackout room X costs the price of room X in coins."
