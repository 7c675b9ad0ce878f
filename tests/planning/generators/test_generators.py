"""Random problems: sound, solvable, not met already, even, and the same bytes everywhere."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from misstep.planning.folders import draw_problem, shipped, shipped_names
from misstep.planning.generators import GENERATORS, SeededChance, SettingError, random_problem
from misstep.planning.generators.blocksworld import block_names, random_towers
from misstep.planning.model import And, Atom, Problem
from misstep.planning.parsing import read_problem
from misstep.planning.planners.answers import Outcome
from misstep.planning.planners.problems import search_problem
from misstep.planning.states import goals_missing, initial_state
from misstep.planning.validation import validate
from misstep.planning.writing import write_problem

TINY: dict[str, dict[str, int]] = {
    "blocksworld": {"blocks": 4},
    "logistics": {"packages": 1},
    "depots": {"crates": 2, "distributors": 1},
    "household": {"rooms": 2, "items": 2, "moves": 1, "chores": 1},
    "ferry": {"cars": 2, "harbours": 3},
    "satellite": {"targets": 2, "images": 2},
}
LARGE: dict[str, dict[str, int]] = {
    "blocksworld": {"blocks": 40},
    "logistics": {"cities": 12, "places": 5, "packages": 40, "airplanes": 3},
    "depots": {"depots": 4, "distributors": 4, "trucks": 3, "crates": 25, "more_hoists": 3},
    "household": {"rooms": 8, "items": 60, "moves": 20, "chores": 10},
    "ferry": {"cars": 30, "harbours": 12},
    "satellite": {"satellites": 4, "instruments": 9, "modes": 6, "targets": 20, "images": 30},
}
NAMES = shipped_names()


def _draw(name: str, seed: int, settings: dict[str, int] | None = None) -> Problem:
    return draw_problem(shipped(name), SeededChance(seed), settings)


@pytest.mark.parametrize("settings", [{}, TINY, LARGE], ids=["default", "tiny", "large"])
@pytest.mark.parametrize("name", NAMES)
def test_every_problem_parses_to_itself_and_is_not_solved_already(
    name: str, settings: dict[str, dict[str, int]]
) -> None:
    for seed in range(20):
        problem = _draw(name, seed, settings.get(name))
        assert read_problem(write_problem(problem), problem.domain) == problem
        assert goals_missing(problem, initial_state(problem))
        assert len(problem.init) == len(set(problem.init))


@pytest.mark.parametrize("name", NAMES)
def test_small_problems_have_a_plan(name: str) -> None:
    for seed in range(6):
        problem = _draw(name, seed, TINY[name])
        answer = search_problem(problem)
        assert answer.outcome is Outcome.SOLVED, (name, seed)
        assert answer.plan
        assert validate(problem, answer.plan).is_valid


@pytest.mark.parametrize("name", NAMES)
def test_other_seeds_give_other_problems(name: str) -> None:
    texts = {write_problem(_draw(name, seed, LARGE[name])) for seed in range(50)}
    assert len(texts) == 50


@pytest.mark.parametrize("name", NAMES)
def test_one_draw_leaves_the_next_alone(name: str) -> None:
    alone = write_problem(_draw(name, 5))
    _draw(name, 4)
    assert write_problem(_draw(name, 5)) == alone


_PRINT = """
import hashlib
from misstep.planning.folders import draw_problem, shipped, shipped_names
from misstep.planning.generators import SeededChance
from misstep.planning.obfuscation import Disguise, obfuscate, problem_renaming
from misstep.planning.renaming import rename_problem
from misstep.planning.wording import introduction, phrasebook, say_problem, write_wording
from misstep.planning.writing import write_domain, write_problem
found = hashlib.sha256()
for name in shipped_names():
    folder = shipped(name)
    for seed in range(5):
        problem = draw_problem(folder, SeededChance(seed))
        told = [write_problem(problem), say_problem(phrasebook(problem, folder.wording), problem)]
        for style in Disguise:
            made = obfuscate(folder.domain, style, SeededChance(seed))
            renaming = problem_renaming(made, problem, SeededChance(seed))
            hidden = rename_problem(renaming, problem, made.domain)
            told += [write_domain(made.domain), write_wording(made.wording), write_problem(hidden)]
            told += [introduction(made.domain, made.wording)]
            told += [say_problem(phrasebook(hidden, made.wording), hidden)]
        found.update("".join(told).encode())
print(found.hexdigest())
"""


def test_bytes_are_the_same_in_fresh_processes_whatever_the_hash_seed() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", _PRINT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(printed) == 1
    assert len(printed.pop().strip()) == 64


def test_a_known_seed_gives_the_known_problem() -> None:
    """A change of any draw must be meant, as it changes everyone's instances."""
    text = "".join(write_problem(_draw(name, 0)) for name in NAMES)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "7535bac8af6c2f18"


def _arrangements(blocks: tuple[str, ...]) -> Iterator[frozenset[tuple[str, ...]]]:
    """Every way to cut every order of the blocks into towers, duplicates and all."""
    for order in permutations(blocks):
        for cuts in range(2 ** (len(blocks) - 1)):
            towers, tower = [], [order[0]]
            for place, block in enumerate(order[1:]):
                if cuts >> place & 1:
                    towers.append(tuple(tower))
                    tower = []
                tower.append(block)
            yield frozenset((*towers, tuple(tower)))


@pytest.mark.parametrize(("count", "expected"), [(2, 3), (3, 13), (4, 73)])
def test_all_arrangements_of_blocks_are_drawn_evenly(count: int, expected: int) -> None:
    """Counts by brute force (1, 3, 13, 73 … sets of lists), then a chi-square test."""
    blocks = tuple(block_names(count))
    states = set(_arrangements(blocks))
    assert len(states) == expected
    chance, draws = SeededChance(17), 200 * expected
    seen = Counter(frozenset(map(tuple, random_towers(chance, blocks))) for _ in range(draws))
    assert set(seen) == states
    square = sum((times - 200) ** 2 / 200 for times in seen.values())
    # 0.999 quantiles of chi-square with 2, 12 and 72 degrees of freedom.
    assert square < {3: 13.8, 13: 32.9, 73: 114.8}[expected]


def test_a_full_goal_states_the_whole_arrangement() -> None:
    problem = _draw("blocksworld", 3, {"blocks": 6, "full_goal": 1})
    assert isinstance(problem.goal, And)
    counts = Counter(part.predicate for part in problem.goal.parts if isinstance(part, Atom))
    assert counts["on"] + counts["ontable"] == 6
    assert counts["ontable"] == counts["clear"]


def test_names_of_objects_are_those_of_published_instances() -> None:
    logistics = {one.name for one in _draw("logistics", 0).objects}
    assert {"a0", "c0", "t1", "l0-0", "l1-1", "p0"} <= logistics
    assert {"depot0", "distributor0", "truck0", "crate1", "pallet0", "hoist1"} <= {
        one.name for one in _draw("depots", 0).objects
    }
    assert [one.name for one in _draw("blocksworld", 0).objects] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("blocksworld", {"blocks": 1}, "blocksworld: blocks: 1 is less than 2"),
        ("blocksworld", {"block": 4}, "blocksworld: no setting 'block'"),
        ("blocksworld", {"blocks": "4"}, "blocksworld: blocks: '4' is no whole number"),
        ("blocksworld", {"blocks": True}, "blocksworld: blocks: True is no whole number"),
        ("household", {"rooms": 9}, "household: rooms: 9 is more than 8"),
        ("logistics", {"cities": 1, "places": 1}, "logistics: places: one place in one city"),
        ("chess", {}, "no generator 'chess'"),
    ],
)
def test_a_bad_setting_is_named(name: str, settings: dict[str, object], message: str) -> None:
    domain = shipped("blocksworld" if name == "chess" else name).domain
    with pytest.raises(SettingError) as caught:
        random_problem(name, domain, SeededChance(0), settings)
    assert str(caught.value).startswith(message)


def test_every_generator_says_why_its_problems_have_plans() -> None:
    assert tuple(GENERATORS) == NAMES
    assert all(generator.solvable for generator in GENERATORS.values())
