"""A question as it stands in a file of items: text, or messages where it shows pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from misstep.core.pictures import Picture, parts

PathOf = Callable[[Picture], str]
"""Where the picture is to be found; who makes the path may save the picture there."""
Plain = dict[str, object]


def name_alone(picture: Picture) -> str:
    """The path of a picture that nobody has saved."""
    return picture.name


def prompt(text: str, pictures: Sequence[Picture], path: PathOf) -> str | list[Plain]:
    """For item lines: one message of the user's with its parts, a picture by its path."""
    if not pictures:
        return text
    shown = [
        {"text": part} if isinstance(part, str) else {"picture": path(part), "alt": part.alt}
        for part in parts(text, pictures)
    ]
    return [{"role": "user", "parts": shown}]


def chat(text: str, pictures: Sequence[Picture], path: PathOf) -> str | list[Plain]:
    """The content of a message to fine-tune on, in the form that most trainers of models that see
    take."""
    if not pictures:
        return text
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image", "image": path(part)}
        for part in parts(text, pictures)
    ]
