"""What a robot knows: the study's own file, and the screens that it is shown.

Nobody tells a robot which items it has. It compares what it is shown with what the file says that
each place of the study is shown after the same answers, and answers by the items of the places
that are left. So the truth never passes through the web, and every screen is held against the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from misstep.core.errors import MisstepError
from misstep.study.course.nouns import Step, Study
from misstep.study.course.way import step
from misstep.study.robots.answering import answer_at, taken_ms
from misstep.study.robots.crowd import Manner, Robot
from misstep.study.screens import Json, fit, plain
from misstep.study.trials.nouns import Given

Shown = Mapping[str, Json]
"""A step as it came over the web."""

_STEP = ("key", "part", "done", "total", "trial", "screen")


@dataclass(frozen=True)
class Answer:
    """`rt_ms` is the time that a robot without a browser says it took; a browser takes its own."""

    key: str
    answer: Mapping[str, Json]
    rt_ms: float | None


@dataclass(frozen=True)
class Leave:
    """The robot goes: by the button for it, or without a word."""

    withdraws: bool


class Places:
    """What each place is shown, remembered for all robots: as long as they answer alike, what one
    has looked up is there for the next."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._digests: dict[tuple[int, bytes], bytes] = {}

    def digest(self, slot: int, given: Sequence[Given], history: bytes) -> bytes:
        """`history` names the answers."""
        found = self._digests.get((slot, history))
        if found is None:
            at = step(self.study, slot, given)
            found = self._digests[slot, history] = _digest(
                {name: getattr(at, name) for name in _STEP[:-1]} | {"screen": plain(at.screen)}
            )
        return found


class Mind:
    """One robot's, from entering to the end. `given` are the answers that were confirmed."""

    def __init__(self, places: Places, robot: Robot) -> None:
        self._places, self._robot = places, robot
        self._slots = list(range(places.study.people))
        self._history = b""
        self.given: tuple[Given, ...] = ()

    @property
    def slot(self) -> int:
        """The lowest place that has been shown all that this robot was."""
        return self._slots[0]

    def act(self, shown: Shown) -> Answer | Leave:
        """What to do at this step, which isn't the end; MisstepError where no place of the study
        is shown this."""
        at = self._found(shown)
        if self._goes(at):
            return Leave(withdraws=self._robot.manner is Manner.LEAVES)
        answer = answer_at(self._places.study, self.slot, at, self.given, self._robot)
        return Answer(at.key, answer, taken_ms(at.screen, self._robot, at.key))

    def confirmed(self, sent: Answer) -> None:
        """The server has it."""
        at = step(self._places.study, self.slot, self.given)
        kept = fit(at.screen, json.loads(json.dumps(sent.answer)))
        self.given = (*self.given, Given(sent.key, kept, sent.rt_ms))
        self._history = _digest([self._history.hex(), sent.key, kept])

    def _found(self, shown: Shown) -> Step:
        seen = _digest({name: shown[name] for name in _STEP})
        fitting = [
            slot
            for slot in self._slots
            if self._places.digest(slot, self.given, self._history) == seen
        ]
        if not fitting:
            raise MisstepError(
                f"at {shown['key']} the server shows what no place of this study is shown: "
                "is it serving the same file, and the same version of misstep?"
            )
        self._slots = fitting
        return step(self._places.study, self.slot, self.given)

    def _goes(self, at: Step) -> bool:
        goes = self._robot.manner in (Manner.LEAVES, Manner.VANISHES)
        return goes and at.trial is not None and at.trial >= int(self._robot.goes_at * at.total)


def _digest(value: Json) -> bytes:
    return sha256(json.dumps(value, sort_keys=True).encode()).digest()
