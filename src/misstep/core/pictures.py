"""Pictures in a question: where they stand in its words, and how each is had when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from misstep.core.errors import MisstepError

PLACE = "\ufffc"
"""Stands in a prompt's text where a picture goes (Unicode's object replacement character), so that
words stay text everywhere until a question is handed to a model or drawn on a page."""

MEDIA = {".png": "image/png", ".jpg": "image/jpeg", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Picture:
    """One picture of an item.

    `name` is a file name, unique in the whole family, `alt` what a reader who doesn't see it is
    told (never the answer), `content` gives the file's bytes, made or read when they are needed.
    `also` is the same in other forms: saved beside it with the items, never sent to a model.
    """

    name: str
    alt: str
    content: Callable[[], bytes]
    also: tuple[Picture, ...] = ()

    @property
    def media(self) -> str:
        return MEDIA[self.name[self.name.rindex(".") :]]


def content_of(picture: Picture) -> bytes:
    """The picture's bytes; MisstepError, in one line, where a file of it can't be read."""
    try:
        return picture.content()
    except OSError as error:
        raise MisstepError(f"picture {picture.name}: {error.strerror or error}") from None


def parts(text: str, pictures: Sequence[Picture]) -> Iterator[str | Picture]:
    """Words and pictures in the order in which they are shown; empty words are left out.

    ValueError where the text has not as many places as there are pictures.
    """
    words = text.split(PLACE)
    if len(words) != len(pictures) + 1:
        raise ValueError(f"{len(words) - 1} places in the words for {len(pictures)} pictures")
    for said, picture in zip(words, pictures, strict=False):
        if said:
            yield said
        yield picture
    if words[-1]:
        yield words[-1]


@dataclass(frozen=True)
class Seen:
    """A picture as a model was shown it, for a reader; `content` None: it is not at hand."""

    name: str
    alt: str
    content: bytes | None = None

    @property
    def media(self) -> str:
        return MEDIA[self.name[self.name.rindex(".") :]]


def said_of(alt: str) -> str:
    """The words that stand for a picture where none can be shown."""
    return f"[picture: {alt}]"


def told(text: str, pictures: Sequence[Picture]) -> str:
    """The text with words in the place of each picture."""
    shown = parts(text, pictures) if PLACE in text or pictures else iter([text])
    return "".join(part if isinstance(part, str) else said_of(part.alt) for part in shown)
