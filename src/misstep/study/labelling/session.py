"""One person labels: which question comes next, on which side each reply stands, what was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from misstep.core import labels
from misstep.core.labels import Judgement, Label
from misstep.core.seeds import Chance, stream
from misstep.study.labelling.questions import Answer, Question


class Choice(StrEnum):
    """What a labeller says of the two replies as they stand on the page."""

    LEFT = "left"
    RIGHT = "right"
    BOTH = "both"
    NEITHER = "neither"
    CANNOT_SAY = "cannot_say"


@dataclass(frozen=True)
class Turn:
    """A question as one labeller sees it."""

    question: Question
    is_first_left: bool

    @property
    def left(self) -> Answer:
        return self.question.first if self.is_first_left else self.question.second

    @property
    def right(self) -> Answer:
        return self.question.second if self.is_first_left else self.question.first

    def choices(self) -> list[Choice]:
        """What can be said: a side without an answer can't be right."""
        impossible = set()
        if not self.left.can_be_right:
            impossible = {Choice.LEFT, Choice.BOTH}
        if not self.right.can_be_right:
            impossible = {Choice.RIGHT, Choice.BOTH}
        return [choice for choice in Choice if choice not in impossible]

    def judgement(self, choice: Choice) -> Judgement:
        if choice in (Choice.LEFT, Choice.RIGHT):
            is_first = (choice is Choice.LEFT) == self.is_first_left
            return Judgement.FIRST if is_first else Judgement.SECOND
        return Judgement(choice.value)


@dataclass
class Session:
    """The state of one labeller's work; all of it can be had again from the file of labels.

    `said` holds this person's judgements, the last said at the end.
    """

    path: Path
    labeller: str
    turns: tuple[Turn, ...]
    said: dict[str, Judgement] = field(default_factory=dict)

    @property
    def current(self) -> Turn | None:
        """The first question without a label; None where all have one."""
        return next((turn for turn in self.turns if turn.question.id not in self.said), None)

    def turn(self, name: str) -> Turn | None:
        return next((turn for turn in self.turns if turn.question.id == name), None)

    def judge(self, turn: Turn, choice: Choice) -> None:
        """Return only when the label is on disk."""
        judgement = turn.judgement(choice)
        self._keep(turn.question, judgement)
        self.said.pop(turn.question.id, None)
        self.said[turn.question.id] = judgement

    def undo(self) -> None:
        """Take back what was said last, also by an earlier process; nothing where nothing was."""
        if self.said:
            turn = self.turn(next(reversed(self.said)))
            assert turn is not None  # noqa: S101 (`said` holds only questions of this session)
            self._keep(turn.question, None)
            del self.said[turn.question.id]

    def _keep(self, question: Question, judgement: Judgement | None) -> None:
        labels.append(self.path, Label(question.item, question.id, self.labeller, judgement))


def open_session(
    path: Path, labeller: str, questions: Sequence[Question], seed: int, *, is_anew: bool = False
) -> Session:
    """The labeller's work as it stands; the order and the sides hang on the seed and the name.

    With `is_anew`, every question is asked as if this person had said nothing of it.
    """
    chance = _chance(seed, labeller, "order")
    ordered = chance.shuffled(sorted(questions, key=lambda question: question.id))
    turns = tuple(
        Turn(question, _chance(seed, labeller, "sides", question.id).below(2) == 0)
        for question in ordered
    )
    known = set() if is_anew else {question.id for question in questions}
    return Session(path, labeller, turns, _said(labels.read(path), labeller, known))


def _said(given: Iterable[Label], labeller: str, known: set[str]) -> dict[str, Judgement]:
    said = labels.latest(label for label in given if label.labeller == labeller)
    return {name: own[labeller] for name, own in said.items() if name in known}


def _chance(seed: int, labeller: str, *path: str) -> Chance:
    return stream("labelling", labels.SCHEMA, seed, labeller, *path)
