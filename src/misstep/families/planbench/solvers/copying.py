"""ref/copy-example: the last example's answer, with its steps and facts as they are."""

from __future__ import annotations

from dataclasses import replace

from misstep.core.family import Solution
from misstep.core.items import Item
from misstep.families.planbench.cases import case_of, examples_of
from misstep.families.planbench.prompts import answer_words
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.planning.wording import WordingError


def copy_example(item: Item[PlanbenchPayload]) -> Solution:
    """Nothing where there is no example. An object that the question doesn't have is said by its
    PDDL name, as is all else then."""
    payload = item.payload
    examples = examples_of(payload)
    if not examples:
        return Solution("")
    last = examples[-1]
    copied = replace(case_of(payload), answer=last.answer, optimum=last.optimum)
    try:
        return Solution(answer_words(payload, copied))
    except WordingError:
        return Solution(answer_words(payload, last))
