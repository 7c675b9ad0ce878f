"""Malformed PDDL: one line with file, line, column and what was expected; never anything else."""

from __future__ import annotations

import pickle
import re

import pytest

from misstep.planning import (
    PddlError,
    PlanningError,
    read_domain,
    read_plan_file,
    read_problem,
    validate,
    write_domain,
)
from misstep.planning.errors import PddlError as Raised
from misstep.planning.lexing import DEEPEST, read_tokens

HEAD = "(define (domain d)\n (:types crate - object)\n (:predicates (on ?a ?b - crate) (free))\n"

DOMAINS = {
    "": (1, 1, "the text is empty"),
    "  ; nothing\n": (2, 1, "the text is empty"),
    "(define (domain d)": (1, 1, "'(' is never closed"),
    "(define (domain d)\n (:predicates (p)": (2, 2, "'(' is never closed"),
    "(define (domain d)))": (1, 20, "found ')'; expected the end of the text"),
    "(define (domain d)) x": (1, 21, "found 'x'; expected the end of the text"),
    "x (define (domain d))": (1, 1, "found 'x'; expected '('"),
    "(defin (domain d))": (1, 2, "found 'defin'; expected define"),
    "(define)": (1, 8, "expected (domain ...)"),
    "(define (problem p))": (1, 10, "expected domain"),
    "(define (domain))": (1, 16, "expected the domain's name"),
    "(define (domain d e))": (1, 19, "found 'e'; expected ')'"),
    "(define (domain ?d))": (1, 17, "the domain's name (letters, digits, - and _)"),
    "(define (domain dömäin))": (1, 17, "found 'd\\xf6m\\xe4in'"),
    "(define (domain d) strips)": (1, 20, "a section in parentheses"),
    "(define (domain d) (:nonsense))": (1, 21, "unknown section ':nonsense'"),
    "(define (domain d)\n (:requirements :strips :magic))": (2, 25, "unknown requirement ':magic'"),
    "(define (domain d)\n\n (:requirements :durative-actions))": (
        3,
        17,
        "requirement :durative-actions, which is not supported",
    ),
    "(define (domain d) (:durative-action go))": (
        1,
        21,
        "':durative-action' needs requirement :durative-actions",
    ),
    "(define (domain d) (:derived (p) (q)))": (1, 21, "requirement :derived-predicates"),
    "(define (domain d) (:types a b a))": (1, 32, "'a' is declared twice"),
    "(define (domain d) (:types a - b))": (1, 32, "type 'b' is not declared"),
    "(define (domain d) (:types a - b b - a))": (1, 28, "type 'a' stands above itself"),
    "(define (domain d) (:types a -))": (1, 31, "expected a type after '-'"),
    "(define (domain d) (:types - a))": (1, 28, "expected a type before '-'"),
    "(define (domain d) (:types a - (or b)))": (1, 33, "found 'or'; expected either"),
    "(define (domain d) (:types a - (either)))": (1, 39, "expected a type's name"),
    "(define (domain d) (:predicates (p) (q) (p ?x)))": (1, 42, "predicate 'p' is declared twice"),
    "(define (domain d) (:predicates p))": (1, 33, "a predicate in parentheses"),
    "(define (domain d) (:predicates (p x)))": (1, 36, "expected a variable such as ?x"),
    "(define (domain d) (:predicates (p ?x - y)))": (1, 41, "type 'y' is not declared"),
    "(define (domain d) (:predicates (and ?x)))": (1, 34, "'and' is a word of PDDL"),
    "(define (domain d) (:predicates (p)) (:predicates (q)))": (1, 39, "stands twice"),
    "(define (domain d) (:functions (f) - block))": (1, 38, "requirement :object-fluents"),
    "(define (domain d) (:constants a a))": (1, 34, "'a' is declared twice"),
    "(define (domain d) (:action))": (1, 28, "an action's name"),
    "(define (domain d) (:action a) (:action a))": (1, 41, "action 'a' is declared twice"),
    "(define (domain d) (:action a :effects ()))": (1, 31, "found ':effects'; expected one of"),
    "(define (domain d) (:action a :effect))": (1, 38, "after :effect"),
    "(define (domain d) (:action a :effect () :effect ()))": (1, 42, ":effect stands twice"),
    "(define (domain d) (:action a :parameters ?x))": (1, 43, "a list of variables"),
    "(define (domain d) (:action a :duration (= ?duration 1)))": (1, 31, ":durative-actions"),
    HEAD + " (:action a :precondition (in)))": (
        4,
        28,
        "unknown predicate 'in'; expected one of on",
    ),
    HEAD + " (:action a :precondition (on ?x ?x)))": (4, 31, "variable '?x' is not declared"),
    HEAD + " (:action a :precondition (on x x)))": (4, 31, "object 'x' is not declared"),
    HEAD + " (:action a :precondition (free ?x)))": (
        4,
        33,
        "predicate 'free' with 1 argument; expected 0",
    ),
    HEAD + " (:action a :parameters (?c - crate)\n  :precondition (on ?c)))": (
        5,
        23,
        "predicate 'on' with 1 argument; expected 2",
    ),
    HEAD + " (:types t))": (4, 3, "section :types stands twice"),
    HEAD + " (:action a :precondition free))": (4, 27, "a formula in parentheses"),
    HEAD + " (:action a :precondition (not)))": (4, 31, "expected one formula"),
    HEAD + " (:action a :precondition (not (free) (free))))": (4, 39, "')' after one formula"),
    HEAD + " (:action a :precondition (imply (free))))": (4, 40, "two formulas"),
    HEAD + " (:action a :precondition (forall (free))))": (4, 41, "variables and one formula"),
    HEAD + " (:action a :precondition (on (free) (free))))": (4, 31, "an object or a variable"),
    HEAD + " (:action a :precondition ((free))))": (4, 28, "a predicate's name"),
    HEAD + " (:action a :precondition (> (fuel) 1)))": (4, 31, "unknown function 'fuel'"),
    HEAD + " (:action a :precondition (> 1 x)))": (4, 32, "expected a number"),
    HEAD + " (:action a :precondition (> 1 (+ 1))))": (4, 36, "expected two numbers"),
    HEAD + " (:action a :precondition (preference x (free))))": (4, 28, ":preferences"),
    HEAD + " (:action a :effect (or (free) (free))))": (4, 22, "unknown predicate 'or'"),
    HEAD + " (:action a :effect (not (not (free)))))": (4, 27, "unknown predicate 'not'"),
    HEAD + " (:action a :effect (when (free))))": (4, 33, "a condition and one effect"),
    HEAD + " (:action a :effect (increase (cost) 1)))": (4, 32, "unknown function 'cost'"),
    HEAD + " (:action a :parameters (?x ?x)))": (4, 29, "'?x' is declared twice"),
}


@pytest.mark.parametrize("text", DOMAINS, ids=repr)
def test_a_malformed_domain_is_refused_at_its_place(text: str) -> None:
    line, column, words = DOMAINS[text]
    with pytest.raises(PddlError) as raised:
        read_domain(text, "bad.pddl")
    error = raised.value
    assert (error.line, error.column) == (line, column), error.message
    assert words in error.message
    assert error.message.startswith(f"bad.pddl:{line}:{column}: ")
    assert len(error.message.splitlines()) == 1


DOMAIN = HEAD + " (:constants k - crate) (:functions (f) (g ?c - crate)))"
START = "(define (problem p) (:domain d)\n(:objects c - crate o)\n"

PROBLEMS = {
    "(define (domain d))": (1, 10, "expected problem"),
    "(define (problem p))": (1, 20, "expected a section (:domain ...)"),
    "(define (problem p) (:domain other) (:init) (:goal ()))": (
        1,
        30,
        "domain 'other'; expected d",
    ),
    START + "(:init))": (3, 8, "expected a section (:goal ...)"),
    START + "(:goal ()))": (3, 11, "expected a section (:init ...)"),
    START + "(:init) (:goal))": (3, 15, "expected one formula"),
    START + "(:init (on c k) (on c)) (:goal ()))": (3, 22, "with 1 argument; expected 2"),
    START + "(:init (on c x)) (:goal ()))": (
        3,
        14,
        "object 'x' is not declared; expected one of k, c",
    ),
    START + "(:init (on c o)) (:goal ()))": (3, 14, "'o' is of type object; expected type crate"),
    START + "(:init (on c ?x)) (:goal ()))": (3, 14, "variable '?x' is not declared"),
    START + "(:init free) (:goal ()))": (3, 8, "a fact in parentheses"),
    START + "(:init (and (free))) (:goal ()))": (3, 9, "unknown predicate 'and'"),
    START + "(:init (free) (not (free))) (:goal ()))": (3, 15, "(free) is both given and negated"),
    START + "(:init (= (f) x)) (:goal ()))": (3, 15, "expected a number"),
    START + "(:init (= (g o) 1)) (:goal ()))": (3, 14, "'o' is of type object"),
    START + "(:init (= (f) 1) (= (f) 1)) (:goal ()))": (3, 18, "(f) is given twice"),
    START + "(:init (at 5 (free))) (:goal ()))": (3, 9, ":timed-initial-literals"),
    START + "(:init) (:goal (in c)))": (3, 17, "unknown predicate 'in'"),
    START + "(:init) (:goal ()) (:metric maximise (f)))": (3, 29, "minimize or maximize"),
    START + "(:init) (:goal ()) (:metric minimize total-time))": (3, 38, ":durative-actions"),
    START + "(:init) (:goal ()) (:constraints (always (free))))": (3, 21, ":constraints"),
    "(define (problem p) (:domain d) (:objects k - crate) (:init) (:goal ()))": (
        1,
        43,
        "object 'k' is a constant of the domain",
    ),
    "(define (problem p) (:domain d) (:objects c - box) (:init) (:goal ()))": (
        1,
        47,
        "type 'box' is not declared",
    ),
}


@pytest.mark.parametrize("text", PROBLEMS, ids=repr)
def test_a_malformed_problem_is_refused_at_its_place(text: str) -> None:
    line, column, words = PROBLEMS[text]
    with pytest.raises(PddlError) as raised:
        read_problem(text, read_domain(DOMAIN))
    assert (raised.value.line, raised.value.column) == (line, column), raised.value.message
    assert words in raised.value.message


@pytest.mark.parametrize(
    ("data", "line", "column", "words"),
    [
        (b"(define\n (domain caf\xe9))", 2, 13, "byte 0xe9 is not UTF-8"),
        ("(define (domain d))".encode("utf-16"), 1, 1, "byte 0xff is not UTF-8"),
        (b"\x00(define (domain d))", 1, 1, "found '\\x00'"),
    ],
)
def test_other_encodings_are_refused_at_the_first_bad_byte(
    data: bytes, line: int, column: int, words: str
) -> None:
    with pytest.raises(PddlError, match=r"^<text>:") as raised:
        read_domain(data)
    assert (raised.value.line, raised.value.column) == (line, column)
    assert words in raised.value.message


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_with_every_line_end(end: str) -> None:
    with pytest.raises(PddlError) as raised:
        read_domain(f"; Ünï{end}{end}(define{end} (domain d) (:x))")
    assert (raised.value.line, raised.value.column) == (4, 14)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert read_domain(b"\xef\xbb\xbf(define (domain d))").name == "d"
    with pytest.raises(PddlError) as raised:
        read_domain("\ufeffx")
    assert raised.value.column == 1


def test_letters_that_change_length_in_lower_case_move_no_place() -> None:
    with pytest.raises(PddlError) as raised:
        read_domain("(define (domain d) ;İİİİ\n (:İx))")
    assert (raised.value.line, raised.value.column) == (2, 3)


def test_an_error_finds_the_place_of_each_word_that_is_read() -> None:
    """Words are read by one road, and their places found by another."""
    spaces = " \t\n\r\f\v\x1c\x1f\x85\xa0\u2003\u3000"
    text = "(" + "".join(f"{chr(0x61 + at)}{space}" for at, space in enumerate(spaces))
    text += "(P);x (;\r(\u0130\u0131;;\r\n)-?q\u200b;end\n)"
    tokens = read_tokens(text)
    at, lines = 0, re.split("\r\n|\r|\n", text)
    for index, word in enumerate(tokens.words):
        error = tokens.error(index, "here")
        assert lines[error.line - 1][error.column - 1 :].lower().startswith(word)
        assert (error.line, error.column) > divmod(at, 10**6)
        at = error.line * 10**6 + error.column


def _nested(depth: int, opening: str) -> str:
    head = "(define (domain d) (:predicates (p)) (:action a :precondition "
    return head + opening * (depth - 3) + "(p)" + ")" * (depth - 3) + "))"


@pytest.mark.parametrize("opening", ["(not ", "(and (p) ", "(or ", "(imply (p) ", "(exists (?x) "])
def test_nesting_is_allowed_up_to_a_bound_and_refused_beyond(opening: str) -> None:
    domain = read_domain(_nested(DEEPEST, opening))
    assert read_domain(write_domain(domain)) == domain
    text = "(define (problem q) (:domain d) (:objects o) (:init (p)) (:goal ()))"
    assert validate(read_problem(text, domain), [("a",)]).failed_step in (None, 0)
    with pytest.raises(PddlError, match=f"nested deeper than {DEEPEST}"):
        read_domain(_nested(DEEPEST + 1, opening))


def test_long_chains_of_types_are_refused_before_they_cost_time() -> None:
    chain = " ".join(f"t{at} - t{at + 1}" for at in range(20_000))
    with pytest.raises(PddlError, match="types nested deeper than"):
        read_domain(f"(define (domain d) (:types {chain} t20000))")


def test_an_error_comes_out_of_another_process_as_it_was() -> None:
    error = Raised("f", 2, 3, "found 'x'", "'('")
    assert pickle.loads(pickle.dumps(error)).message == error.message  # noqa: S301 our own bytes


@pytest.mark.parametrize("text", ["(a b", "(a (b))", "a b", "(a)(b)"])
def test_a_bad_line_of_a_plan_file_is_named(text: str) -> None:
    with pytest.raises(PlanningError, match=r"^my\.plan:3: found "):
        read_plan_file(f"; cost = 4\n(go a)\n{text}\n", "my.plan")
