"""Reference solvers: no language model; each answers in the words that the question asks for."""

from __future__ import annotations

from collections.abc import Mapping

from misstep.core.family import Solver
from misstep.families.planbench.solvers.copying import copy_example
from misstep.families.planbench.solvers.planner import planner
from misstep.families.planbench.solvers.walking import random_walk
from misstep.families.planbench.spec import PlanbenchPayload

SOLVERS: Mapping[str, Solver[PlanbenchPayload]] = {
    "planner": planner,
    "random-walk": random_walk,
    "copy-example": copy_example,
}
SOLVER_ABOUT = {
    "planner": "searches, simulates, validates (by Fast Downward in a large world): all right",
    "random-walk": "random actions that can be executed, until the goal is met or 20 are done",
    "copy-example": "the last example's answer, its objects' names as they are",
}

__all__ = ["SOLVERS", "SOLVER_ABOUT"]
