"""What people see of replies in a log: the question with its pictures, and the words that came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from inspect_ai.log import EvalSample
from inspect_ai.model import ContentImage

from misstep.core.answers.thinking import cut_thinking
from misstep.core.records import Record
from misstep.runner.logged.logs import Found, read_chosen
from misstep.runner.pictures import text_of

_ATTACHED = "attachment://"


@dataclass(frozen=True)
class Shown:
    """A reply without its thinking. `pictures` of the question are data URIs.

    `missing` is how many pictures the log does not hold.
    """

    record: Record
    words: str
    pictures: tuple[str, ...]
    missing: int
    reply: str


def read_shown(chosen: Iterable[Found]) -> Iterator[Shown]:
    """What is shown of these records, in the order of their logs."""
    for transcript, sample in read_chosen(chosen):
        images = list(_images(sample))
        pictures = tuple(image for image in images if image.startswith("data:image/"))
        reply = cut_thinking(transcript.reply).text.strip()
        missing = len(images) - len(pictures)
        yield Shown(transcript.record, _words(sample), pictures, missing, reply)


def _words(sample: EvalSample) -> str:
    """What the question says, and before it who said what, where it is a conversation."""
    if isinstance(sample.input, str):
        return sample.input
    if len(sample.input) == 1:
        return text_of(sample.input[0])
    named = ((message.role, text_of(message)) for message in sample.input)
    return "\n\n".join(f"[{role}] {text}" for role, text in named if text)


def _images(sample: EvalSample) -> Iterator[str]:
    messages = [] if isinstance(sample.input, str) else sample.input
    for message in messages:
        for part in [] if isinstance(message.content, str) else message.content:
            if isinstance(part, ContentImage):
                name = part.image.removeprefix(_ATTACHED)
                yield sample.attachments.get(name, part.image)
