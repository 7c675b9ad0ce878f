"""The conformance cases, where they are at hand, and small domains that use all of PDDL we take."""

from __future__ import annotations

from pathlib import Path

import pytest

CASES = Path(__file__).parents[3].parent / "shared" / "data" / "planbench"

ROOMS = """
(define (domain rooms)
  (:requirements :adl :numeric-fluents :action-costs)
  (:types room thing - object robot crate - thing)
  (:constants hall - room)
  (:predicates (at ?t - thing ?r - room) (door ?a ?b - room) (locked ?r - room)
               (held ?c - crate) (wet ?t - thing) (alarm))
  (:functions (total-cost) (fuel ?r - robot) (far ?a ?b - room))
  (:action go
    :parameters (?r - robot ?from ?to - room)
    :precondition (and (at ?r ?from) (not (= ?from ?to)) (not (locked ?to))
                       (or (door ?from ?to) (door ?to ?from))
                       (>= (fuel ?r) (far ?from ?to)))
    :effect (and (not (at ?r ?from)) (at ?r ?to)
                 (decrease (fuel ?r) (far ?from ?to))
                 (increase (total-cost) (far ?from ?to))
                 (forall (?c - crate) (when (held ?c) (and (not (at ?c ?from)) (at ?c ?to))))))
  (:action hold
    :parameters (?r - robot ?c - crate)
    :precondition (and (exists (?x - room) (and (at ?r ?x) (at ?c ?x)))
                       (forall (?o - crate) (not (held ?o))))
    :effect (and (held ?c) (increase (total-cost) 1)))
  (:action release
    :parameters (?c - crate)
    :precondition (held ?c)
    :effect (and (not (held ?c)) (when (wet ?c) (alarm)) (increase (total-cost) 0.5)))
  (:action unlock
    :parameters (?t - (either robot crate) ?r - room)
    :precondition (and (at ?t hall) (locked ?r) (imply (wet ?t) (not (alarm))))
    :effect (and (not (locked ?r)) (increase (total-cost) 2))))
"""

ROOMS_PROBLEM = """
(define (problem two-rooms)
  (:domain rooms)
  (:objects store - room r2 - robot c1 c2 - crate)
  (:init (at r2 hall) (at c1 store) (at c2 hall) (door hall store) (locked store) (wet c2)
         (= (fuel r2) 5) (= (far hall store) 2) (= (far store hall) 1.5) (= (total-cost) 0))
  (:goal (and (at c1 hall) (not (held c1)) (forall (?c - crate) (at ?c hall)) (not (alarm))))
  (:metric minimize (total-cost)))
"""


@pytest.fixture(scope="session")
def cases() -> Path:
    if not CASES.is_dir():
        pytest.skip(f"the conformance cases are not beside the repository ({CASES.name})")
    return CASES


@pytest.fixture
def rooms() -> tuple[str, str]:
    """A domain and a problem that use every part of PDDL that is supported."""
    return ROOMS, ROOMS_PROBLEM


@pytest.fixture
def blocks() -> tuple[str, str]:
    """Two blocks on the table, b to be on a."""
    return BLOCKS, BLOCKS_PROBLEM


BLOCKS = """
(define (domain blocks)
  (:requirements :strips)
  (:predicates (clear ?x) (ontable ?x) (handempty) (holding ?x) (on ?x ?y))
  (:action pick-up
    :parameters (?x)
    :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (holding ?x) (not (clear ?x)) (not (ontable ?x)) (not (handempty))))
  (:action put-down
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (clear ?x) (handempty) (ontable ?x) (not (holding ?x))))
  (:action stack
    :parameters (?x ?y)
    :precondition (and (clear ?y) (holding ?x))
    :effect (and (handempty) (clear ?x) (on ?x ?y) (not (clear ?y)) (not (holding ?x))))
  (:action unstack
    :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (on ?x ?y)) (not (clear ?x)) (not (handempty)))))
"""

BLOCKS_PROBLEM = """
(define (problem two) (:domain blocks) (:objects a b)
  (:init (clear a) (clear b) (ontable a) (ontable b) (handempty))
  (:goal (and (on b a))))
"""
