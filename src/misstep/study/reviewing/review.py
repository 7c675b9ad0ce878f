"""The review of a set of faces by eye: its problems, and what is said of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from misstep.families.faces.review import decisions
from misstep.families.faces.review.decisions import Decision, Line
from misstep.families.faces.sets import Problem


@dataclass
class Review:
    """The state of one set's review; all of it can be had again from the file of decisions.

    `folder` is where decisions are kept, `content` gives the bytes of a problem's picture by its
    place: 0 is the reference, 1 to 5 are the candidates.
    """

    folder: Path
    problems: Sequence[Problem]
    content: Callable[[Problem, int], bytes]
    now: dict[str, Decision] = field(default_factory=dict)
    _history: list[tuple[str, Decision | None]] = field(default_factory=list)

    def decide(self, problem: Problem, decision: Decision | None) -> None:
        """Return only when the decision is on disk."""
        before = self.now.get(problem.id)
        decisions.append(self.folder, Line(problem.id, decision))
        self._history.append((problem.id, before))
        self._set(problem.id, decision)

    def undo(self) -> str | None:
        """Take back what was decided last, also by an earlier process, and say of which problem."""
        known = {problem.id for problem in self.problems}
        while self._history:
            name, before = self._history[-1]
            decisions.append(self.folder, Line(name, before, is_undo=True))
            self._history.pop()
            self._set(name, before)
            if name in known:
                return name
        return None

    @property
    def can_undo(self) -> bool:
        return bool(self._history)

    def count(self, decision: Decision) -> int:
        return sum(self.now.get(problem.id) is decision for problem in self.problems)

    def _set(self, name: str, decision: Decision | None) -> None:
        self.now.pop(name, None)
        if decision is not None:
            self.now[name] = decision


def open_review(
    folder: Path, problems: Sequence[Problem], content: Callable[[Problem, int], bytes]
) -> Review:
    """The review as it stands."""
    found = decisions.said(decisions.read(folder))
    return Review(folder, tuple(problems), content, dict(found.now), list(found.history))
