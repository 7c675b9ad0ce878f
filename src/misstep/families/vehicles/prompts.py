"""All words of the family: a question in each wording, what is said to an answer, and the request
for an explanation."""

from __future__ import annotations

from misstep.core.items import Item
from misstep.families.vehicles.spec import VehiclesPayload

DESCRIPTION = "The vehicle description is as follows:"
QUESTION = "Is this vehicle more likely to be a Class A or Class B vehicle?"
"""Table 11, as is `direct` below."""

LAST_LINES = {
    "direct": "Only answer with ‘A’ or ‘B’.",
    "cot": "Let’s think step by step and answer with either ‘A’ or ‘B’. If you are unsure, feel "
    "free to guess and explain your reasoning",
    "explain": "Only answer with ‘A’ or ‘B’. You will then be told the right class, and asked to "
    "explain it.",
}
"""What each wording ends with; `direct` and `cot` are the paper's (C.2), `explain` is ours."""

CORRECT = "Correct."
EXPLAIN = "Please explain why this vehicle is a Class {name} vehicle."
"""After the task of Williams et al. (2013), whose people explained each class once they knew it."""

NO_ANSWER = "(no answer)"
"""What the history holds of a reply in which nothing was read."""


def prompt(item: Item[VehiclesPayload], wording: str) -> str:
    """The question of the item's turn, or the request to explain the vehicle just answered."""
    if wording not in LAST_LINES:
        raise ValueError(f"vehicles has no wording {wording!r}")
    payload = item.payload
    if payload.is_explaining:
        return EXPLAIN.format(name=payload.classes[_answered(payload)])
    described = description(payload, payload.current)
    return "\n".join((DESCRIPTION, described, QUESTION, LAST_LINES[wording]))


def description(payload: VehiclesPayload, vehicle: int) -> str:
    """The vehicle at this place in the list: a line for each of its features."""
    return "\n".join(
        (
            f"License plate: {payload.plates[vehicle]}",
            f"Descriptor: {payload.descriptors[vehicle]}",
            f"Transmission: {payload.transmissions[vehicle]}",
            f"Seat Cover: {payload.seat_covers[vehicle]}",
            f"Doors: {payload.doors[vehicle]}",
        )
    )


def feedback(payload: VehiclesPayload) -> str:
    """What is said to the last answer; an answer that wasn't read is said to be so."""
    answer, right = payload.answers[-1], payload.classes[_answered(payload)]
    if answer == right:
        return CORRECT
    found = "Your answer was not read." if answer is None else "Incorrect."
    return f"{found} The right class is {right}."


def _answered(payload: VehiclesPayload) -> int:
    """The vehicle that the last answer was about."""
    return payload.shown(len(payload.answers) - 1)
