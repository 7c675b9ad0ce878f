"""What a reply says is what is read, never fewer steps: every shipped domain, dress and style."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from misstep.planning.folders import draw_problem, shipped, shipped_names
from misstep.planning.generators.chance import Chance, SeededChance, choice
from misstep.planning.grounding import ground
from misstep.planning.model import Problem, Step
from misstep.planning.obfuscation import Disguise, obfuscate, problem_renaming
from misstep.planning.reading import Lexicon, lexicon_for, own_words, read_with
from misstep.planning.renaming import rename_problem
from misstep.planning.successors import successors
from misstep.planning.wording import Wording, phrasebook, say_action, say_object

Style = Callable[[Sequence[str]], str]
DRESSES = (None, *Disguise)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _each(form: str, before: str = "", after: str = "", joint: str = "\n") -> Style:
    def style(steps: Sequence[str]) -> str:
        said = (form.format(n=n, s=s, S=_capital(s)) for n, s in enumerate(steps, 1))
        return before + joint.join(said) + after

    return style


def _told(steps: Sequence[str], joint: str) -> str:
    words = ("Then", "Next", "After that", "Finally")
    first, *rest = steps
    told = [f"{words[at % 4]}, {step}." for at, step in enumerate(rest)]
    return joint.join([f"First, {first}.", *told])


STYLES: dict[str, Style] = {
    "numbered": _each("{n}. {S}."),
    "bracket after the number": _each("{n}) {s}"),
    "label": _each("Step {n}: {S}"),
    "bold label": _each("**Step {n}:** {s}", "Here is the plan:\n\n", "\n\nDone.", "\n\n"),
    "bold step": _each("{n}. **{S}**"),
    "bullets": _each("- {s}", "Plan:\n"),
    "marked": _each("{s}", "[PLAN]\n", "\n[PLAN END]"),
    "bare lines": _each("{s}"),
    "capital lines": _each("{S}.", "Plan:\n"),
    "fenced": lambda steps: "```\n" + "\n".join(steps).upper() + "\n```",
    "we": _each("{n}. We {s}."),
    "a remark after it": _each("{n}. {S} (as needed), so that all is ready."),
    "prose in lines": lambda steps: _told(steps, "\n"),
    "prose in one paragraph": lambda steps: _told(steps, " "),
    "numbers in one paragraph": _each("{n}. {S}.", joint=" "),
    "thought before": _each("{n}. {S}", "I think first.\n\n**Final answer:**\n\n"),
}


def _drawn(name: str, dress: Disguise | None, chance: Chance) -> tuple[Problem, Wording]:
    folder = shipped(name)
    plain = draw_problem(folder, chance)
    if dress is None:
        return plain, folder.wording
    disguised = obfuscate(folder.domain, dress, chance)
    renaming = problem_renaming(disguised, plain, chance)
    return rename_problem(renaming, plain, disguised.domain), disguised.wording


def _walk(problem: Problem, chance: Chance, length: int = 12) -> list[Step]:
    """A plan that can be executed; every action that is possible is as likely."""
    task = ground(problem)
    node = task.initial
    steps: list[Step] = []
    while len(steps) < length:
        possible = list(successors(task, node))
        action = choice(chance, sorted({each.operator.step[0] for each in possible}))
        taken = choice(chance, [each for each in possible if each.operator.step[0] == action])
        steps.append(taken.operator.step)
        node = taken.node
    return steps


def _said(problem: Problem, wording: Wording, steps: Sequence[Step]) -> Iterator[list[str]]:
    """By the prompt's own templates, then by each further one that the wording reads."""
    book = phrasebook(problem, wording)
    yield [say_action(book, step) for step in steps]
    for at in range(max(len(action.read) for action in wording.actions.values())):
        chosen = ((wording.actions[step[0]], step) for step in steps)
        templates = [
            ((each.say, *each.read)[(at + 1) % (len(each.read) + 1)], s) for each, s in chosen
        ]
        yield [t.fill([say_object(book, name) for name in s[1:]]) for t, s in templates]


def _task(
    name: str, dress: Disguise | None, seed: int
) -> tuple[Problem, Wording, Lexicon, list[Step], Chance]:
    chance = SeededChance(seed)
    problem, wording = _drawn(name, dress, chance)
    lexicon = lexicon_for(problem.domain, problem, own_words(problem.domain, wording, problem))
    return problem, wording, lexicon, _walk(problem, chance), chance


@pytest.mark.parametrize("dress", DRESSES, ids=str)
@pytest.mark.parametrize("name", shipped_names())
def test_a_plan_that_can_be_executed_is_read_as_it_is_said(
    name: str, dress: Disguise | None
) -> None:
    for seed in range(2):
        problem, wording, lexicon, steps, _ = _task(name, dress, seed)
        for said in _said(problem, wording, steps):
            for title, style in STYLES.items():
                reading = read_with(style(said), lexicon, "", "stop")
                assert (title, reading.plan) == (title, tuple(steps)), style(said)


@pytest.mark.parametrize("dress", DRESSES, ids=str)
@pytest.mark.parametrize("name", shipped_names())
def test_a_step_that_breaks_off_or_names_nothing_known_is_never_left_out(
    name: str, dress: Disguise | None
) -> None:
    """Such a step is read with the objects that it has, or makes the reply unparsed."""
    for seed in range(2):
        problem, wording, lexicon, steps, chance = _task(name, dress, seed)
        book = phrasebook(problem, wording)
        said = [say_action(book, step) for step in steps]
        at = chance.below(len(said))
        last = say_object(book, steps[at][-1])
        words = said[at].split()
        for broken in (
            said[at].replace(last, "somewhere else"),
            " ".join(words[: len(words) // 2 + 1]),
        ):
            told = [*said[:at], broken, *said[at + 1 :]]
            for title, style in STYLES.items():
                reading = read_with(style(told), lexicon, "", "stop")
                count = len(steps) if reading.plan is None else len(reading.plan)
                assert (title, count) == (title, len(steps)), style(told)


def test_the_line_that_can_not_be_read_is_told() -> None:
    _, _, lexicon, _, _ = _task("logistics", None, 1)
    load = "load package 0 into truck 0 at place 0-0"
    for line in ("drive the truck to the airport", "drive quickly truck 0", "unload it somewhere"):
        reading = read_with(f"{load}\n{line}\n{load}", lexicon)
        assert (reading.outcome, reading.line) == ("unparsed", 2)


def test_a_head_that_ends_in_an_objects_noun_is_tried_shorter() -> None:
    _, _, lexicon, _, _ = _task("logistics", None, 1)
    said = "drive truck 0 from location 0-0 to location 0-1 in city 0"
    for reply in (said, f"First, {said}.", f"1. {said}", f"**Step 1:** {said}"):
        assert read_with(reply, lexicon).texts == ["(drive-truck t0 l0-0 l0-1 c0)"]


def test_an_objects_number_at_a_sentences_end_begins_no_list() -> None:
    _, _, lexicon, _, _ = _task("ferry", None, 1)
    reply = "1. Sail from harbour 4 to harbour 2. The ferry is there now."
    assert read_with(reply, lexicon).texts == ["(sail h4 h2)"]


def test_remarks_around_a_plan_are_left_out() -> None:
    _, _, lexicon, _, _ = _task("ferry", None, 1)
    plan = "board car 1 at harbour 2\nsail from harbour 2 to harbour 3\nlet car 1 off at harbour 3"
    before = "Sail only when needed; board a car first.\n\nBoard and sail, then:\n"
    after = "\n\nSail back is not needed.\nThe car is at harbour 3."
    reading = read_with(f"{before}{plan}{after}", lexicon)
    assert reading.plan is not None
    assert [step[0] for step in reading.plan] == ["board", "sail", "debark"]


@pytest.mark.parametrize(
    "last", ["stack it on the blue block", "unstack that from the blue block."]
)
def test_a_last_step_that_cant_be_read_but_ends_in_an_object_is_not_taken_for_cut(
    last: str,
) -> None:
    folder = shipped("blocksworld")
    problem = draw_problem(folder, SeededChance(0), {"blocks": 3})
    lexicon = lexicon_for(folder.domain, problem, own_words(folder.domain, folder.wording, problem))
    whole = read_with(f"My plan:\n1. pick up the red block\n2. {last}", lexicon)
    assert (whole.outcome, whole.plan, whole.line) == ("unparsed", None, 3)
    cut = read_with(f"My plan:\n1. pick up the red block\n2. {last[:12]}", lexicon)
    assert (cut.outcome, cut.texts) == ("answered", ["(pick-up a)"])
