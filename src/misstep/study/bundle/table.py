"""All screens of a place, and which comes after which answer: `course.way` walked ahead.

The browser holds no rule of the study: only a table of screens, keyed by answers. Stages that
are over have no say in what follows, so a stage is walked by itself, over all that can be answered
in it. Of answers without end (a text, a plan) two are tried, and must lead to the same screens, but
for the text itself, which may be shown again later.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from misstep.core.errors import BadInput
from misstep.study.course.nouns import Step, Study
from misstep.study.course.way import step
from misstep.study.screens import (
    Ask,
    Check,
    End,
    Json,
    NBack,
    Page,
    Plan,
    Screen,
    Stream,
    Write,
    plain,
)
from misstep.study.trials.nouns import Given

START = "consent"
Answer = Mapping[str, Json]
_MOST_NODES, _MOST_NUMBERS = 2_000, 200
_TEXTS = ("\x01one\x01" * 8, "\x01other\x01" * 8)
"""Stand for whatever is written; no text of a study holds them."""


@dataclass(frozen=True)
class Node:
    """A step, with its screen as JSON values in which {"answer_to": key} stands for the text that
    was written there. `next` names the node after it; where that hangs on the answer, `by` has it
    for each (as `canonical` has it), and `next` for all others."""

    key: str
    part: str
    done: int
    total: int
    trial: int | None
    screen: Json
    next: str | None
    by: Mapping[str, str]


Way = Mapping[str, Node]
"""Nodes by name, from START on; a name is the step's key, with a number where there are several."""


def way_of(study: Study, slot: int) -> Way:
    """BadInput where a stage has too many ways to be listed."""
    return _Walk(study, slot).walked()


def canonical(answer: Answer) -> str:
    return json.dumps(answer, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class _Entry:
    """Where a stage begins: the answers that lead there, one history for all."""

    name: str
    given: tuple[Given, ...]


class _Walk:
    """`entries` are the names of stages that were met, `left` those that are still to be walked."""

    def __init__(self, study: Study, slot: int) -> None:
        self._study, self._slot = study, slot
        self._nodes: dict[str, Node] = {}
        self._left: list[_Entry] = [_Entry(START, ())]
        self._met = {START}

    def walked(self) -> Way:
        while self._left:
            entry = self._left.pop()
            found = self._node(entry.given)
            assert found == entry.name  # noqa: S101 (the first node of a stage has its key's name)
        return self._nodes

    def _node(self, given: tuple[Given, ...]) -> str:
        """The name of the node after these answers, all that follows in its stage with it."""
        at = step(self._study, self._slot, given)
        screen = _with_places(plain(at.screen), given)
        if isinstance(at.screen, End):
            return self._kept(_made(at, screen, None, {}), _name(at))
        after = {
            canonical(answer): self._after(at, (*given, Given(at.key, answer, None)))
            for answer in self._answers(at, given)
        }
        return self._kept(_node(at, screen, after), at.key)

    def _after(self, at: Step, given: tuple[Given, ...]) -> str:
        """Where another stage begins, its name: it is walked later, and once."""
        following = step(self._study, self._slot, given)
        name = _name(following)
        if _stage(following) == _stage(at):
            return self._node(given)
        if name not in self._met:
            self._met.add(name)
            self._left.append(_Entry(name, given))
        return name

    def _answers(self, at: Step, given: tuple[Given, ...]) -> Iterator[Answer]:
        """All that lead to different screens. Of a check only whether it is right counts, so one
        answer will do for each next screen, and "any other" for the rest."""
        if not isinstance(at.screen, Check):
            yield from _possible(at.screen)
            return
        seen: dict[str, int] = {}
        found = []
        for answer in _possible(at.screen):
            name = _name(step(self._study, self._slot, (*given, Given(at.key, answer, None))))
            seen[name] = seen.get(name, 0) + 1
            if seen[name] == 1:
                found.append((name, answer))
        # The right one last, so that the others are those that stand for any.
        yield from (answer for name, answer in sorted(found, key=lambda one: -seen[one[0]]))

    def _kept(self, node: Node, name: str) -> str:
        """The name of the same node where it is there already."""
        number, found = 1, name
        while found in self._nodes and self._nodes[found] != node:
            number += 1
            found = f"{name}#{number}"
        self._nodes[found] = node
        if number > _MOST_NODES:
            raise BadInput(
                f"STUDY: {name}: its screens hang on more answers than can be listed ahead"
            )
        return found


def _node(at: Step, screen: Json, after: Mapping[str, str]) -> Node:
    """The commonest next node is that of any answer; the first of several as common."""
    names = list(after.values())
    if isinstance(at.screen, (Write, Plan, NBack)) and len(set(names)) > 1:
        raise BadInput(f"STUDY: {at.key}: the next screen hangs on what is written or picked")
    usual = names[0] if isinstance(at.screen, Check) else max(names, key=names.count)
    return _made(at, screen, usual, {said: name for said, name in after.items() if name != usual})


def _made(at: Step, screen: Json, following: str | None, by: Mapping[str, str]) -> Node:
    return Node(at.key, at.part, at.done, at.total, at.trial, screen, following, by)


def _name(at: Step) -> str:
    return f"{at.key}/{at.screen.ending}" if isinstance(at.screen, End) else at.key


def _stage(at: Step) -> str:
    """What is over before the next begins: a trial, a check with all its tries, a page."""
    kind, *rest = at.key.split("/")
    lengths = {"trial": 1, "practice": 2, "check": 1}
    return "/".join((kind, *rest[: lengths[kind]])) if kind in lengths else _name(at)


def _possible(screen: Screen) -> Iterator[Answer]:
    match screen:
        case Page(choices=choices, auto_ms=auto):
            yield from ({"value": one.value} for one in choices)
            if auto is not None:
                yield {"value": ""}
        case Ask():
            yield from _asked(screen)
        case Check(questions=questions):
            names = [one.name for one in questions]
            for values in product(*([choice.value for choice in one.choices] for one in questions)):
                yield {"values": dict(zip(names, values, strict=True))}
        case Write():
            yield from ({"text": text} for text in _TEXTS)
        case NBack():
            yield from ({"pressed": pressed} for pressed in ([], [0]))
        case Plan(actions=actions):
            yield from ({"steps": steps} for steps in ([], [one.name for one in actions[:1]]))
        case Stream():
            yield {}


def _asked(screen: Ask) -> Iterator[Answer]:
    if screen.choices:
        yield from ({"value": one.value} for one in screen.choices)
    else:
        least = 0 if screen.least is None else screen.least
        most = least + 1 if screen.most is None else screen.most
        if most - least > _MOST_NUMBERS:
            raise BadInput(f"STUDY: {screen.question[:60]!r} has more than {_MOST_NUMBERS} answers")
        yield from ({"value": str(number)} for number in range(least, most + 1))
    if screen.deadline_ms is not None:
        yield {"value": None}


def _with_places(value: Json, given: Sequence[Given]) -> Json:
    """What was written before, wherever it is shown again, as a place for it."""
    if isinstance(value, str):
        written = [one.key for one in given if one.answer.get("text") == value]
        return {"answer_to": written[-1]} if written else value
    if isinstance(value, Mapping):
        return {name: _with_places(one, given) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_places(one, given) for one in value]
    return value
