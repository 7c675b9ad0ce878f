"""The tasks that the labelled replies are about."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.reading import Lexicon, lexicon_for

BLOCKS = """
(define (domain blocks) (:predicates (clear ?x) (ontable ?x) (handempty) (holding ?x) (on ?x ?y))
(:action pick-up :parameters (?x) :precondition (clear ?x) :effect (holding ?x))
(:action put-down :parameters (?x) :precondition (holding ?x) :effect (ontable ?x))
(:action stack :parameters (?x ?y) :precondition (holding ?x) :effect (on ?x ?y))
(:action unstack :parameters (?x ?y) :precondition (on ?x ?y) :effect (holding ?x)))
"""
BLOCKS_PROBLEM = """
(define (problem p) (:domain blocks) (:objects a b c d)
(:init (clear a) (on a b) (ontable b) (ontable c) (ontable d) (clear c) (clear d) (handempty))
(:goal (on c d)))
"""
MYSTERY = """
(define (domain mystery) (:predicates (province ?x) (planet ?x) (harmony) (pain ?x) (craves ?x ?y))
(:action attack :parameters (?x) :precondition (province ?x) :effect (pain ?x))
(:action succumb :parameters (?x) :precondition (pain ?x) :effect (planet ?x))
(:action overcome :parameters (?x ?y) :precondition (pain ?x) :effect (craves ?x ?y))
(:action feast :parameters (?x ?y) :precondition (craves ?x ?y) :effect (pain ?x)))
"""
MYSTERY_PROBLEM = """
(define (problem p) (:domain mystery) (:objects a b c) (:init (craves a b) (harmony))
(:goal (craves c a)))
"""
LOGISTICS = """
(define (domain logistics) (:predicates (obj ?x) (truck ?x) (location ?x) (airplane ?x) (city ?x)
(airport ?x) (at ?x ?y) (in ?x ?y) (in-city ?x ?y))
(:action load-truck :parameters (?o ?t ?l) :precondition (at ?o ?l) :effect (in ?o ?t))
(:action load-airplane :parameters (?o ?a ?l) :precondition (at ?o ?l) :effect (in ?o ?a))
(:action unload-truck :parameters (?o ?t ?l) :precondition (in ?o ?t) :effect (at ?o ?l))
(:action unload-airplane :parameters (?o ?a ?l) :precondition (in ?o ?a) :effect (at ?o ?l))
(:action drive-truck :parameters (?t ?f ?l ?c) :precondition (at ?t ?f) :effect (at ?t ?l))
(:action fly-airplane :parameters (?a ?f ?l) :precondition (at ?a ?f) :effect (at ?a ?l)))
"""
LOGISTICS_PROBLEM = """
(define (problem p) (:domain logistics) (:objects a0 c0 c1 t0 t1 l0-0 l0-1 l1-0 l1-1 p0 p1)
(:init (airplane a0) (city c0) (city c1) (truck t0) (truck t1) (obj p0) (obj p1)
(location l0-0) (location l0-1) (location l1-0) (location l1-1) (airport l0-0) (airport l1-0)
(in-city l0-0 c0) (in-city l0-1 c0) (in-city l1-0 c1) (in-city l1-1 c1)
(at t0 l0-0) (at t1 l1-0) (at a0 l0-0) (at p0 l0-0) (at p1 l1-1))
(:goal (at p0 l0-1)))
"""
DEPOTS = """
(define (domain depots) (:requirements :strips :typing)
(:types place locatable - object depot distributor - place truck hoist surface - locatable
pallet crate - surface)
(:predicates (at ?x - locatable ?y - place) (on ?x - crate ?y - surface) (in ?x - crate ?y - truck)
(lifting ?x - hoist ?y - crate) (available ?x - hoist) (clear ?x - surface))
(:action drive :parameters (?x - truck ?y - place ?z - place) :precondition (at ?x ?y)
 :effect (at ?x ?z))
(:action lift :parameters (?x - hoist ?y - crate ?z - surface ?p - place)
 :precondition (at ?x ?p) :effect (lifting ?x ?y))
(:action drop :parameters (?x - hoist ?y - crate ?z - surface ?p - place)
 :precondition (lifting ?x ?y) :effect (on ?y ?z))
(:action load :parameters (?x - hoist ?y - crate ?z - truck ?p - place)
 :precondition (lifting ?x ?y) :effect (in ?y ?z))
(:action unload :parameters (?x - hoist ?y - crate ?z - truck ?p - place)
 :precondition (in ?y ?z) :effect (lifting ?x ?y)))
"""
DEPOTS_PROBLEM = """
(define (problem p) (:domain depots) (:objects depot0 - depot distributor0 - distributor
truck0 - truck hoist0 hoist1 - hoist pallet0 pallet1 - pallet crate0 crate1 - crate)
(:init (at truck0 depot0)) (:goal (on crate0 pallet1)))
"""
STRINGS = """
(define (domain strings) (:predicates (cql4o62p1yeke3ok) (tv30k33pzoulql6w ?x)
(a46zhwykn6jvbabk ?x) (af9tse23ljclsqad ?x) (b6e9q4r60gagvdcn ?x ?y))
(:action u64y1a9apusmslxb :parameters (?x) :precondition (af9tse23ljclsqad ?x)
 :effect (a46zhwykn6jvbabk ?x))
(:action kip9uw781pv62umn :parameters (?x) :precondition (a46zhwykn6jvbabk ?x)
 :effect (af9tse23ljclsqad ?x))
(:action j4gv801gnu2it0yj :parameters (?x ?y) :precondition (a46zhwykn6jvbabk ?x)
 :effect (b6e9q4r60gagvdcn ?x ?y))
(:action wio5amhq7814n006 :parameters (?x ?y) :precondition (b6e9q4r60gagvdcn ?x ?y)
 :effect (a46zhwykn6jvbabk ?x)))
"""
STRINGS_PROBLEM = """
(define (problem p) (:domain strings) (:objects o0 o1 o2 o3) (:init (af9tse23ljclsqad o3))
(:goal (b6e9q4r60gagvdcn o3 o1)))
"""

TASKS = {
    "blocks": (BLOCKS, BLOCKS_PROBLEM),
    "mystery": (MYSTERY, MYSTERY_PROBLEM),
    "logistics": (LOGISTICS, LOGISTICS_PROBLEM),
    "depots": (DEPOTS, DEPOTS_PROBLEM),
    "strings": (STRINGS, STRINGS_PROBLEM),
}


def _lexicon(domain_text: str, problem_text: str) -> Lexicon:
    domain = read_domain(domain_text)
    return lexicon_for(domain, read_problem(problem_text, domain))


@pytest.fixture(scope="session")
def lexicons() -> Mapping[str, Lexicon]:
    """By the task's name."""
    return {name: _lexicon(*texts) for name, texts in TASKS.items()}


@pytest.fixture(scope="session")
def tasks() -> Mapping[str, tuple[str, str]]:
    """Domain and problem as text, by the task's name."""
    return TASKS
