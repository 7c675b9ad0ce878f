"""A question of the user's own: a row of a file, or what else is asked, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from misstep.core.errors import BadInput
from misstep.core.items import Scalar
from misstep.core.seeds import digest

Json = str | int | float | bool | list["Json"] | dict[str, "Json"] | None
PREFIX = "ab:"
VERSION = 1
"""Of the way in which tasks of the user's own are asked and scored."""
MOST_CHOICES = 26
LONGEST_FACTOR = 200
"""A longer text is no level of a factor."""


def is_own(family: str) -> bool:
    """Whether the records' family is a task of the user's own, which no room stands for."""
    return family.startswith(PREFIX)


@dataclass(frozen=True)
class Part:
    """Text, or a picture: a data URI, or the path of a file."""

    text: str | None = None
    image: str | None = None


@dataclass(frozen=True)
class Call:
    """A call of a tool that an earlier message of the assistant made."""

    id: str
    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True)
class Message:
    """`role` is system, user, assistant or tool; `call` is what a tool's message answers."""

    role: str
    parts: tuple[Part, ...]
    calls: tuple[Call, ...] = ()
    call: str | None = None

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts if part.text is not None)


@dataclass(frozen=True)
class Tool:
    """A function that the model may call; `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Json]


@dataclass(frozen=True)
class Question:
    """One item. `answer` None: not known. `schema` is what a JSON reply has to obey.

    `results` are what tools give back, by their names: a call of one is answered, a call of any
    other tool is the reply. `columns` are the row as the file has it, without the words that are
    asked; `place` is where it stands, for messages.
    """

    id: str
    group: str
    messages: tuple[Message, ...]
    answer: Json = None
    choices: tuple[str, ...] = ()
    factors: Mapping[str, Scalar] = field(default_factory=dict)
    tools: tuple[Tool, ...] = ()
    results: Mapping[str, str] = field(default_factory=dict)
    schema: Mapping[str, Json] | None = None
    columns: Mapping[str, Json] = field(default_factory=dict)
    place: str = ""


def with_choices(text: str, choices: Sequence[str]) -> str:
    """The question with its choices below, a letter before each."""
    listed = [
        f"{letter}) {choice}" for letter, choice in zip(ascii_uppercase, choices, strict=False)
    ]
    return "\n".join([text, *listed])


def factors_of(columns: Mapping[str, Json]) -> dict[str, Scalar]:
    """The columns whose values can be levels: numbers, yes and no, short texts."""
    found: dict[str, Scalar] = {}
    for name, value in columns.items():
        is_short = not isinstance(value, str) or len(value) <= LONGEST_FACTOR
        if is_short and not isinstance(value, (list, dict)):
            found[name] = value
    return found


def chosen_groups(
    sizes: Mapping[str, int], limit: int | None, seed: int, name: str
) -> dict[str, int]:
    """The groups to ask, with the place of each in the seed's order; `limit` counts items.

    As for families: whole groups, until the next one does not fit. Which of two groups comes first
    depends on the seed and their names alone, so that more rows do not mix up what was asked.
    """
    order = sorted(sizes, key=lambda group: digest(PREFIX, VERSION, seed, group))
    if limit is None:
        return {group: place for place, group in enumerate(order)}
    if limit < 1:
        raise BadInput(f"--limit: {limit} is below 1")
    if limit < sizes[order[0]]:
        raise BadInput(
            f"--limit: {limit} is below one group; the first group of {name}, {order[0]!r}, "
            f"has {sizes[order[0]]} items"
        )
    return _up_to(order, sizes, limit)


def _up_to(order: Sequence[str], sizes: Mapping[str, int], limit: int) -> dict[str, int]:
    found: dict[str, int] = {}
    left = limit
    for group in order:
        if sizes[group] > left:
            break
        found[group] = len(found)
        left -= sizes[group]
    return found
