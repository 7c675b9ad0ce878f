"""All words of the family: a question in each of its wordings, and those of a tree of thought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misstep.core.items import Item
from misstep.core.thoughts import ballot_words
from misstep.families.grammar.spec import GrammarPayload

MEMORIZE = "Please memorize the following letter strings:"
"""First line of the paper's pilot (A.2), which prints only four words of it."""

RULES = "These strings were generated according to a certain set of rules."
QUESTION = "Does the following string also follow the same set of rules?"
"""Table 7, as is `direct` below."""

LAST_LINES = {
    "direct": "Please ONLY answer “Yes” or “No”.",
    "cot": "Please reason about your answer before answering “Yes” or “No”.",
    "tot": "Please write one thought that explains whether the string also follows the same set "
    "of rules, and end it with your answer, “Yes” or “No”.",
}
"""What each wording ends with; `direct` and `cot` are the paper's (A.2), `tot` follows A.3."""

VOTE = (
    "Which of these thoughts explains best whether the string also follows the same set of rules?"
)


def prompt(item: Item[GrammarPayload], wording: str) -> str:
    """The whole question; the wording decides its last line only."""
    if wording not in LAST_LINES:
        raise ValueError(f"grammar has no wording {wording!r}")
    return beginnings(item)[-1] + LAST_LINES[wording]


def beginnings(item: Item[GrammarPayload]) -> tuple[str, str]:
    """What all prompts of the item's grammar begin with, and what those of the item do."""
    first = (MEMORIZE,) if item.payload.wording == "memorize" else ()
    shared = "\n".join((*first, *item.payload.training, RULES, QUESTION, ""))
    return shared, f"{shared}{item.payload.test}\n"


def thought(item: Item[GrammarPayload]) -> str:
    """What is asked for one of the five thoughts; its last words are then read as an answer."""
    return prompt(item, "tot")


def ballot(item: Item[GrammarPayload], thoughts: Sequence[str]) -> str:
    """What is asked for one vote; the answer is the number of a thought, from 1."""
    return ballot_words(beginnings(item)[-1], thoughts, VOTE)


def parts(item: Item[GrammarPayload]) -> Mapping[str, str]:
    """What a template of one's own may name: the training strings, a line each, and the other."""
    return {"strings": "\n".join(item.payload.training), "string": item.payload.test}
