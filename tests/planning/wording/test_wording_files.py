"""Wording files: read, written, refused with the field's name, and made from a domain's names."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from misstep.planning.folders import new_domain, shipped, shipped_names
from misstep.planning.model import Domain
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.wording import (
    Kind,
    WordingError,
    phrasebook,
    read_action,
    read_wording,
    say_action,
    say_objects,
    write_wording,
)
from misstep.planning.wording.defaults import denial_template, plural_of
from misstep.planning.writing import write_domain


@pytest.fixture
def domain() -> Domain:
    return read_domain(
        "(define (domain d) (:types box) (:predicates (on ?x ?y - box) (open ?x - box))"
        " (:action lift :parameters (?x - box) :precondition (open ?x) :effect (on ?x ?x)))"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = ", "w.toml: no TOML"),
        ("schema = 2", "w.toml: schema: 2 is unknown; this is schema 1"),
        ("tittle = 'x'", "w.toml: tittle: is no field here"),
        ("title = 3", "w.toml: title: 3 is no text"),
        ("types = 3", "w.toml: types: 3 is no table"),
        ("[types.crate]", "w.toml: types.crate: the domain has no such type (there are: box)"),
        ("[types.box]\nsay = 'it'", "w.toml: types.box.say: 'it' needs one of"),
        ("[types.box]\nsingular = ' '", "w.toml: types.box.singular: is empty"),
        ("[types.box]\npredicate = 'on'", "w.toml: types.box.predicate: 'on' is no predicate"),
        ("[types.box]\nnames = 3", "w.toml: types.box.names: is no list of tables"),
        (
            "[types.box]\nnames = [{ match = 'b{n}', say = 'box' }]",
            "w.toml: types.box.names.1.say: 'box' must have each of {n} once",
        ),
        ("[predicates.off]", "w.toml: predicates.off: the domain has no such predicate"),
        ("[predicates.on]\nsilent = 1", "w.toml: predicates.on.silent: 1 is neither true nor"),
        (
            "[predicates.on]\nfact = '{x} is up'",
            "w.toml: predicates.on.fact: '{x} is up' leaves out {y}",
        ),
        ("[actions.lift]\nsay = 'lift {z}'", "w.toml: actions.lift.say: {z} is no parameter"),
        ("[actions.lift]\nsay = 'lift {2}'", "w.toml: actions.lift.say: {2} is no parameter"),
        ("[actions.lift]\nsay = 'lift {x'", "w.toml: actions.lift.say: a brace without"),
        ("[actions.lift]\nread = ['']", "w.toml: actions.lift.read: is empty"),
        ("[actions.lift]\nread = 'up'", "w.toml: actions.lift.read: 'up' is no list of texts"),
        ("[generator]\nsizes = [1]", "w.toml: generator.sizes: [1] is no number"),
    ],
)
def test_a_bad_field_is_named_in_one_line(domain: Domain, text: str, message: str) -> None:
    with pytest.raises(WordingError) as caught:
        read_wording(text, domain, "w.toml")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 - our own


@pytest.mark.parametrize("name", shipped_names())
def test_a_wording_that_is_written_reads_the_same(name: str) -> None:
    folder = shipped(name)
    assert read_wording(write_wording(folder.wording), folder.domain) == folder.wording


def test_quotes_and_backslashes_survive_writing(domain: Domain) -> None:
    hard = 'say "hi" \\ \\n """ and\nend'
    kinds = {"box": Kind("box", 'b"x', "b\\xes", say='"{name}"', words={"a.b": "\tx"})}
    wording = replace(read_wording("", domain), introduction=hard, kinds=kinds)
    assert read_wording(write_wording(wording), domain) == wording


@pytest.mark.parametrize("name", shipped_names())
def test_a_first_wording_has_every_entry_and_works(name: str) -> None:
    domain = shipped(name).domain
    text = new_domain(write_domain(domain))
    wording = read_wording(text, domain)
    assert list(wording.actions) == [action.name for action in domain.actions]
    assert list(wording.facts) == [predicate.name for predicate in domain.predicates]
    for action in domain.actions:
        assert f"[actions.{action.name}]" in text


def test_a_first_wording_uses_parameters_that_are_prepositions() -> None:
    domain = read_domain(
        "(define (domain d) (:predicates (is-at ?x)) (:action move-on :parameters (?x ?from ?to)"
        " :precondition (is-at ?x) :effect (not (is-at ?x))))"
    )
    text = new_domain(write_domain(domain))
    assert 'say = "move on {x} from {from} to {to}"' in text


def test_types_have_singular_and_plural(domain: Domain) -> None:
    text = "(define (problem p) (:domain d) (:objects {} - box) (:init) (:goal (and)))"
    wording = read_wording("", domain)
    one = read_problem(text.format("a"), domain)
    two = read_problem(text.format("a b"), domain)
    assert say_objects(phrasebook(one, wording)) == "There is 1 box: box a."
    assert say_objects(phrasebook(two, wording)) == "There are 2 boxes: box a and box b."


def test_the_nearest_type_with_words_speaks_for_an_object() -> None:
    domain = read_domain(
        "(define (domain d) (:types a - b b - c c) (:predicates (p ?x - c))"
        " (:action go :parameters (?x - c) :precondition (and) :effect (p ?x)))"
    )
    problem = read_problem(
        "(define (problem p) (:domain d) (:objects k - a m - c) (:init) (:goal (p k)))", domain
    )
    wording = read_wording("[types.c]\nsingular = 'thing'\n[types.b]\nsingular = 'bee'", domain)
    book = phrasebook(problem, wording)
    assert say_action(book, ("go", "k")) == "go bee k"
    assert say_action(book, ("go", "m")) == "go thing m"
    assert read_action(book, "go the bee k") == ("go", "k")


@pytest.mark.parametrize(
    ("noun", "plural"),
    [("box", "boxes"), ("city", "cities"), ("day", "days"), ("bus", "buses"), ("crate", "crates")],
)
def test_plurals_are_regular(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural


def test_a_denial_turns_the_first_verb() -> None:
    assert denial_template("{x} is on what is {y}") == "{x} is not on what is {y}"
    assert denial_template("I am at {x}") == "I am not at {x}"
    assert denial_template("{x} has power") == "it is not the case that {x} has power"
