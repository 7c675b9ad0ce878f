"""All words of the family: Table 15 and the further ways of asking of F.2."""

from __future__ import annotations

from collections.abc import Mapping

from misstep.core.items import Item
from misstep.families.apartments.spec import ApartmentsPayload
from misstep.families.apartments.statements import FEATURES

OPENING = (
    "You are an AI assistant designed to evaluate the desirability of four apartments for a "
    "potential tenant. You will be given a list of statements about the apartment candidates"
    "{clause}. Your task is to determine which apartment is the most desirable based on the given "
    "criteria. The statements are as follows:"
)
CLAUSE = (
    " and how much the tenant likes or dislikes an apartment with the quality described by the "
    "statement"
)
QUESTION = "Which apartment is most desirable to the tenant?"
"""Table 15, as are `direct` and, by F.2, `cot` below; the paper ends the latter without a stop."""

STEP_BY_STEP = "Let’s think step by step"
LAST_WORDS = {
    "direct": "Respond with only the number of the apartment, do not include anything else.",
    "cot": STEP_BY_STEP,
    "time-limit": f"You have three minutes to think about the problem. {STEP_BY_STEP}",
    "careful": f"Very carefully think about the problem. {STEP_BY_STEP}",
}
"""What each wording ends with. Of the last two, F.2 prints “you have three minutes to think about
the problem” and “very carefully think”."""

N_BACK = (
    "Before you answer, do another task. Here are {number} letters: {letters}. Write them down one "
    "after the other, and behind each of them “same” if it is the same letter as the one {back} "
    "before it, else “other”. Then, on a line of its own, respond with only the number of the "
    "apartment."
)
_PLACES = ("place", "places")


def prompt(item: Item[ApartmentsPayload], wording: str) -> str:
    """The whole question; the wording decides its last words only."""
    beginning = beginnings(item)[-1]
    if wording == "n-back":
        return f"{beginning} {_n_back(item.payload)}"
    if wording not in LAST_WORDS:
        raise ValueError(f"apartments has no wording {wording!r}")
    return f"{beginning} {LAST_WORDS[wording]}"


def beginnings(item: Item[ApartmentsPayload]) -> tuple[str]:
    """What all prompts of the set begin with: the statements and the question."""
    payload = item.payload
    opening = OPENING.format(clause=CLAUSE if payload.has_clause else "")
    return (f"{opening}\n{_lines(payload)}\n{QUESTION}",)


def parts(item: Item[ApartmentsPayload]) -> Mapping[str, str]:
    """What a template of one's own may name: the statements, a line each."""
    return {"statements": _lines(item.payload)}


def _lines(payload: ApartmentsPayload) -> str:
    return "\n".join(_line(payload, number) for number in payload.order)


def _line(payload: ApartmentsPayload, number: int) -> str:
    at, feature = divmod(number, FEATURES)
    rating = f" ({payload.ratings[at][feature]:+d})" if payload.shows_ratings else ""
    return f"Apartment {at + 1}: {payload.statements[at][feature]}{rating}"


def _n_back(payload: ApartmentsPayload) -> str:
    back = f"{payload.back} {_PLACES[payload.back > 1]}"
    return N_BACK.format(number=len(payload.letters), letters=" ".join(payload.letters), back=back)
