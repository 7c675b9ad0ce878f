"""Pictures of a family in a run: named in the words, and put in their places as a call goes out.

A message holds words in the place of each picture until the provider is asked, so that the runner
keeps no picture in memory or in its log that nobody wants there. One sample of each item may keep
its pictures: that of the run's first arm.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from inspect_ai.model import ChatMessage, Content, ContentImage, ContentText, Model
from inspect_ai.solver import TaskState

from misstep.core.arms import Arm
from misstep.core.errors import BadInput, MisstepError
from misstep.core.family import Family
from misstep.core.items import Item
from misstep.core.pictures import PLACE, Picture, content_of, parts, said_of

FIELD = "pictures"
"""Of a sample's metadata: what pictures it shows."""
_NAME = "misstep_picture"
Json = dict[str, Any]  # Any: JSON values, as the runner keeps them


@dataclass(frozen=True)
class Drawn:
    """A picture with the bytes that are sent, made once for a question."""

    picture: Picture
    content: bytes

    @cached_property
    def uri(self) -> str:
        return data_uri(self.picture.media, self.content)

    @property
    def plain(self) -> Json:
        """What a log says of it."""
        return {
            "name": self.picture.name,
            "alt": self.picture.alt,
            "sha256": hashlib.sha256(self.content).hexdigest(),
        }


def data_uri(media: str, content: bytes) -> str:
    return f"data:{media};base64,{base64.b64encode(content).decode()}"


def pictures_of(family: Family[Any], item: Item[Any]) -> tuple[Picture, ...]:  # Any: any payload
    return () if family.pictures is None else family.pictures(item)


def draw(family: Family[Any], item: Item[Any]) -> tuple[Drawn, ...]:  # Any: likewise
    """The item's pictures with their bytes; MisstepError where a file of one can't be read."""
    return tuple(Drawn(one, content_of(one)) for one in pictures_of(family, item))


def content(words: str, pictures: Sequence[Picture]) -> str | list[Content]:
    """A message's content: words, and words in the place of each picture. No place, no picture."""
    if PLACE not in words or not pictures:
        return words
    return [
        ContentText(text=part) if isinstance(part, str) else _named(part)
        for part in parts(words, pictures)
    ]


def check_places(words: str, pictures: Sequence[Picture], arm: Arm, item: str) -> None:
    """BadInput where an arm's words don't show each picture once."""
    places = words.count(PLACE)
    if places != len(pictures):
        raise BadInput(
            f"--arms: arm {arm.name!r}: its words have {places} places for the {len(pictures)} "
            f"pictures of {item}"
        )


def text_of(message: ChatMessage) -> str:
    """What a message says; where it names pictures, in one piece as it was written."""
    if isinstance(message.content, str) or not any(map(_picture_name, message.content)):
        return message.text
    return "".join(part.text for part in message.content if isinstance(part, ContentText))


def shown(message: ChatMessage, drawn: Sequence[Drawn]) -> ChatMessage:
    """The message with its pictures in their places."""
    if isinstance(message.content, str):
        return message
    known = {one.picture.name: one for one in drawn}
    seen = [_seen(part, known) for part in message.content]
    return message.model_copy(update={"content": seen}) if seen != message.content else message


def note(state: TaskState, drawn: Sequence[Drawn], keeper: str | None) -> None:
    """Put down which pictures a sample shows, and which sample of the item keeps them: that of the
    arm `keeper`, if any, asked for the first time."""
    fields = state.metadata
    kept_in = None if keeper is None else f"{fields['id']}@{keeper}"
    fields[FIELD] = {"kept_in": kept_in, "files": [one.plain for one in drawn]}
    if fields["arm"] == keeper and fields.get("repetition", state.epoch) == 1:
        state.messages = [shown(message, drawn) for message in state.messages]


def put_in(model: Model, drawn: Callable[[], Sequence[Drawn]]) -> None:
    """Let this model object put pictures in their places, call by call, from now on.

    `drawn` gives those of the call under way. What wraps the provider's own method, such as the
    journal, is asked with the pictures in place.
    """
    if isinstance(model.api.generate, _PutIn):
        return
    setattr(model.api, "generate", _PutIn(model.api.generate, drawn))  # noqa: B010 (a method may not be assigned to by name)


@dataclass(frozen=True)
class _PutIn:
    generate: Callable[..., Awaitable[Any]]  # Any: an output, or a pair of output and call record
    drawn: Callable[[], Sequence[Drawn]]

    async def __call__(
        self,
        input: list[ChatMessage],  # noqa: A002 (the provider's own name)
        **further: Any,  # Any: passed on as it came
    ) -> Any:  # Any: see generate
        drawn = self.drawn()
        return await self.generate(input=[shown(one, drawn) for one in input], **further)


def _named(picture: Picture) -> ContentText:
    return ContentText(text=said_of(picture.alt), internal={_NAME: picture.name})


def _picture_name(part: Content) -> str | None:
    internal = part.internal if isinstance(part, ContentText) else None
    return str(internal[_NAME]) if isinstance(internal, dict) and _NAME in internal else None


def _seen(part: Content, known: Mapping[str, Drawn]) -> Content:
    name = _picture_name(part)
    if name is None:
        return part
    if name not in known:
        raise MisstepError(f"picture {name}: is none of the question that is asked")
    return ContentImage(image=known[name].uri)
