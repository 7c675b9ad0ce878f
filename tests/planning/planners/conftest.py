"""Small problems as text, and planners of a few lines that go wrong in one way each."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from misstep.planning.planners.fast_downward import FastDownward, find_fast_downward
from misstep.planning.planners.solving import Pddl

BLOCKS = """(define (domain blocks) (:requirements :strips)
(:predicates (clear ?x) (ontable ?x) (handempty) (holding ?x) (on ?x ?y))
(:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))
 :effect (and (holding ?x) (not (clear ?x)) (not (ontable ?x)) (not (handempty))))
(:action put-down :parameters (?x) :precondition (holding ?x)
 :effect (and (clear ?x) (handempty) (ontable ?x) (not (holding ?x))))
(:action stack :parameters (?x ?y) :precondition (and (clear ?y) (holding ?x))
 :effect (and (handempty) (clear ?x) (on ?x ?y) (not (clear ?y)) (not (holding ?x))))
(:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
 :effect (and (holding ?x) (clear ?y) (not (on ?x ?y)) (not (clear ?x)) (not (handempty)))))
"""


@pytest.fixture
def blocks() -> Callable[[str], Pddl]:
    """Two blocks, a on b, with the goal that is asked for."""

    def problem(goal: str) -> Pddl:
        text = (
            "(define (problem two) (:domain blocks) (:objects a b) "
            f"(:init (on a b) (ontable b) (clear a) (handempty)) (:goal {goal}))"
        )
        return Pddl(BLOCKS, text)

    return problem


@pytest.fixture
def tower() -> Callable[[int], Pddl]:
    """A tower of so many blocks, to be turned over on the same base: long for a blind search."""

    def problem(size: int) -> Pddl:
        names = [f"b{number}" for number in range(size)]
        pairs = list(pairwise(names))
        start = " ".join(f"(on {up} {down})" for up, down in pairs)
        goal = " ".join(f"(on {down} {up})" for up, down in pairs)
        text = (
            f"(define (problem tower) (:domain blocks) (:objects {' '.join(names)}) "
            f"(:init {start} (ontable {names[-1]}) (clear {names[0]}) (handempty)) "
            f"(:goal (and {goal})))"
        )
        return Pddl(BLOCKS, text)

    return problem


@pytest.fixture(scope="session")
def fast_downward() -> FastDownward:
    return find_fast_downward()


@pytest.fixture
def stub(tmp_path: Path) -> Callable[[str], FastDownward]:
    """A planner whose translator does nothing and whose search is this shell script."""

    def planner(search: str) -> FastDownward:
        return FastDownward(
            translate=(_script(tmp_path / "translate", "touch task.sas"),),
            search=(_script(tmp_path / "search", search),),
            version="stub 1",
        )

    return planner


@pytest.fixture
def python_stub(
    tmp_path: Path, stub: Callable[[str], FastDownward]
) -> Callable[[str], FastDownward]:
    """The same with a search in Python."""

    def planner(search: str) -> FastDownward:
        path = tmp_path / "search.py"
        path.write_text(search, encoding="utf-8")
        return stub(f'exec "{sys.executable}" -S "{path}"')

    return planner


def _script(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\nPATH={os.environ['PATH']}\n{body}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)
