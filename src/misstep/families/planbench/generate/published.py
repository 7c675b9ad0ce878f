"""Published prompts as items: asked as they stand, graded on the problem that they ask."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.items import Groups, Item, Scalar
from misstep.families.planbench.cases import case_of
from misstep.families.planbench.generate.drawing import goals
from misstep.families.planbench.generate.packing import length_bin
from misstep.families.planbench.prompts import answer_words
from misstep.families.planbench.spec import NO_PLAN, SPEC, PlanbenchPayload
from misstep.families.planbench.texts import texts_of
from misstep.planning.errors import PlanningError
from misstep.planning.published import PublishedPrompt, PublishedPrompts, read_prompts
from misstep.planning.writing import write_domain, write_problem

TESTS_BY_NUMBER = {
    "1": "plan-generation",
    "2": "optimal-planning",
    "3": "plan-verification",
    "4": "plan-reuse",
    "5": "plan-generalization",
    "6": "replanning",
    "7": "plan-execution",
    "8_1": "goal-shuffling",
    "8_2": "goal-full-to-partial",
    "8_3": "goal-partial-to-full",
}
_NOT_IN_IDS = re.compile(r"[^\w.-]+")


def published_items(path: Path) -> Groups[PlanbenchPayload]:
    """The file's prompts in its order, each a group, and then no more; what can't be used is
    passed over. Raises BadInput at once where none can."""
    try:
        found = read_prompts(path)
    except PlanningError as error:
        raise BadInput(f"-T published: {error}") from None
    return _groups(found)


def _groups(found: PublishedPrompts) -> Groups[PlanbenchPayload]:
    for identity, prompt in zip(_ids(found), found.prompts, strict=True):
        yield (_item(found, prompt, identity),)


def _ids(found: PublishedPrompts) -> Iterator[str]:
    """An instance that the file asks again is told apart by how often it has come up."""
    seen: Counter[str] = Counter()
    for prompt in found.prompts:
        name = "-".join((SPEC.name, found.domain, found.task, prompt.instance))
        name = _NOT_IN_IDS.sub("_", name)
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name}~{seen[name]}"


def _item(
    found: PublishedPrompts, prompt: PublishedPrompt, identity: str
) -> Item[PlanbenchPayload]:
    """Its truth is put in PDDL: the published words for plans are many, and all are read."""
    payload = PlanbenchPayload(
        test=TESTS_BY_NUMBER[found.number],
        question="state",
        wording="pddl",
        domain=write_domain(prompt.problem.domain),
        words="",
        problem=write_problem(prompt.problem),
        before="",
        shown=texts_of(prompt.shown),
        executed=0,
        answer=_answer(prompt),
        optimum=prompt.optimum,
        examples=(),
        query=prompt.query,
    )
    return Item(
        id=identity,
        family=SPEC.name,
        version=SPEC.version,
        group=identity,
        payload=payload,
        truth=answer_words(payload, case_of(payload)),
        lure=None,
        factors=_factors(found, prompt),
    )


def _answer(prompt: PublishedPrompt) -> tuple[str, ...]:
    if prompt.truth:
        return prompt.truth
    return (NO_PLAN,) if prompt.answer is None else texts_of(prompt.answer)


def _factors(found: PublishedPrompts, prompt: PublishedPrompt) -> dict[str, Scalar]:
    test = TESTS_BY_NUMBER[found.number]
    length = len(prompt.shown) or len(prompt.answer or ()) or None
    return {
        "test": test,
        "domain": found.domain,
        "length": length,
        "length_bin": length_bin(length),
        "is_shortest": prompt.is_shortest,
        "objects": len(prompt.problem.objects),
        "goals": len(goals(prompt.problem)),
        "kind": _kind(prompt, test),
    }


def _kind(prompt: PublishedPrompt, test: str) -> str | None:
    """As in questions of our own; of published replanning prompts some are after an event that
    has brought the goal about."""
    if test == "plan-verification":
        return prompt.truth[0]
    if test == "plan-execution":
        return "state"
    if test == "replanning" and prompt.answer == ():
        return "goal_holds"
    return None
