"""The planning library from PDDL to a verdict, in words and back, with nothing else installed.

Run by the interpreter of an environment that has misstep alone (`pip install --no-deps`).
"""

from __future__ import annotations

import importlib.util

import misstep
from misstep.planning import ground, read_domain, read_problem, score_plan, validate
from misstep.planning.folders import draw_problem, shipped, shipped_names
from misstep.planning.generators import SeededChance
from misstep.planning.planners import search_problem
from misstep.planning.reading import read_plan
from misstep.planning.wording import introduction, phrasebook, say_action, say_problem
from misstep.planning.writing import write_domain, write_problem


def main() -> None:
    for name in ("click", "rich", "inspect_ai", "numpy"):
        assert importlib.util.find_spec(name) is None, f"{name} is installed"
    assert misstep.__version__
    for name in shipped_names():
        folder = shipped(name)
        drawn = draw_problem(folder, SeededChance(1))
        domain = read_domain(write_domain(folder.domain))
        problem = read_problem(write_problem(drawn), domain)
        assert ground(problem).operators
        book = phrasebook(problem, folder.wording)
        assert introduction(domain, folder.wording)
        assert say_problem(book, problem)
        assert not validate(problem, []).is_valid
    _solve_and_read()


def _solve_and_read() -> None:
    """A plan found, said, read from a reply, and validated."""
    folder = shipped("blocksworld")
    problem = draw_problem(folder, SeededChance(2), {"blocks": 3})
    found = search_problem(problem)
    assert found.plan is not None, found.said
    book = phrasebook(problem, folder.wording)
    reply = "My plan:\n" + "\n".join(say_action(book, step) for step in found.plan)
    read = read_plan(reply, folder.domain, folder.wording, problem=problem)
    assert read.plan == tuple(found.plan), read
    assert score_plan(problem, read.plan, found.cost).excess == 0


if __name__ == "__main__":
    main()
