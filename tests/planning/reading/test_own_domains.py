"""Plans said in a shipped domain's own words come back, in every style a model may write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from misstep.planning.folders import draw_problem, shipped, shipped_names
from misstep.planning.generators.chance import SeededChance, sample
from misstep.planning.grounding import ground
from misstep.planning.obfuscation import Disguise, obfuscate, problem_renaming
from misstep.planning.reading import read_plan
from misstep.planning.renaming import rename_problem
from misstep.planning.wording import phrasebook, say_action

Style = Callable[[Sequence[str]], str]


def _numbered(steps: Sequence[str]) -> str:
    return "\n".join(f"{number}. {step.capitalize()}." for number, step in enumerate(steps, 1))


def _bold(steps: Sequence[str]) -> str:
    lines = "\n\n".join(f"**Step {number}:** {step}" for number, step in enumerate(steps, 1))
    return f"Here is the plan:\n\n{lines}\n\nThis reaches the goal."


def _marked(steps: Sequence[str]) -> str:
    return "[PLAN]\n" + "\n".join(steps) + "\n[PLAN END]\n"


def _fenced(steps: Sequence[str]) -> str:
    return "Plan:\n```\n" + "\n".join(step.upper() for step in steps) + "\n```"


STYLES: tuple[Style, ...] = (_numbered, _bold, _marked, _fenced)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__.strip("_"))
@pytest.mark.parametrize("name", shipped_names())
def test_steps_said_in_a_domains_own_words_are_read_back(name: str, style: Style) -> None:
    folder = shipped(name)
    for seed in range(3):
        chance = SeededChance(seed)
        problem = draw_problem(folder, chance)
        book = phrasebook(problem, folder.wording)
        operators = ground(problem).operators
        steps = [operator.step for operator in sample(chance, operators, min(20, len(operators)))]
        said = [say_action(book, step) for step in steps]
        reading = read_plan(style(said), problem.domain, folder.wording, problem=problem)
        assert (reading.outcome, reading.plan) == ("answered", tuple(steps))


@pytest.mark.parametrize("disguise", list(Disguise))
@pytest.mark.parametrize("name", shipped_names())
def test_steps_said_in_a_disguised_domains_words_are_read_back(
    name: str, disguise: Disguise
) -> None:
    folder, chance = shipped(name), SeededChance(5)
    plain = draw_problem(folder, chance)
    disguised = obfuscate(folder.domain, disguise, chance)
    renaming = problem_renaming(disguised, plain, chance)
    problem = rename_problem(renaming, plain, disguised.domain)
    book = phrasebook(problem, disguised.wording)
    operators = ground(problem).operators
    steps = [operator.step for operator in sample(chance, operators, min(30, len(operators)))]
    reply = _numbered([say_action(book, step) for step in steps])
    reading = read_plan(reply, problem.domain, disguised.wording, problem=problem)
    assert (reading.outcome, reading.plan) == ("answered", tuple(steps))
