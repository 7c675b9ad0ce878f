"""What a labeller is shown of a disagreement: the question and two replies, and no arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from misstep.analyse.labels.disagreements import Disagreement, Side
from misstep.core.records import Record
from misstep.runner.logged.logs import Found
from misstep.runner.logged.shown import Shown, read_shown

_WHY = {
    "refused": "It refuses.",
    "truncated": "It was cut off before an answer.",
    "empty": "It is empty.",
    "unparsed": "No answer can be read in it.",
}


@dataclass(frozen=True)
class Answer:
    """One side as it is shown. `answer` is empty where the reply's own words are all there is.

    `note` says why a side holds no answer; such a side counts as wrong and can't be called right.
    """

    answer: str
    reply: str
    note: str = ""

    @property
    def can_be_right(self) -> bool:
        return not self.note


@dataclass(frozen=True)
class Question:
    """A disagreement with its words; which side is which arm is not part of it."""

    id: str
    item: str
    words: str
    pictures: tuple[str, ...]
    missing: int
    first: Answer
    second: Answer


_Place = tuple[str, str, int]


def read_questions(
    found: Iterable[Found], disagreements: Sequence[Disagreement]
) -> tuple[Question, ...]:
    """The disagreements with the words of their replies; `found` are the run's records."""
    wanted = {
        (one.item, side.arm, side.repetition)
        for one in disagreements
        for side in (one.first, one.second)
    }
    chosen = (one for one in found if _place(one.record) in wanted)
    shown = {_place(one.record): one for one in read_shown(chosen)}
    return tuple(_question(one, shown) for one in disagreements)


def _place(record: Record) -> _Place:
    return record.item, record.arm, record.repetition


def _question(one: Disagreement, shown: Mapping[_Place, Shown]) -> Question:
    first, second = (shown[one.item, side.arm, side.repetition] for side in (one.first, one.second))
    is_read = not (_is_whole(one.first, first) and _is_whole(one.second, second))
    return Question(
        id=one.id,
        item=one.item,
        words=first.words,
        pictures=first.pictures,
        missing=first.missing,
        first=_answer(one.first, first, is_read=is_read),
        second=_answer(one.second, second, is_read=is_read),
    )


def _is_whole(side: Side, shown: Shown) -> bool:
    return side.answer in (None, " ".join(shown.reply.split()))


def _answer(side: Side, shown: Shown, *, is_read: bool) -> Answer:
    """Both sides look alike, so that a wordy one is not known by its looks."""
    if side.answer is None:
        return Answer("", shown.reply, _WHY[shown.record.outcome.value])
    return Answer(side.answer if is_read else "", shown.reply)
