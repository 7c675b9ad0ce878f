"""The problems that can be looked at by eye, and where decisions on them are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.families.faces import sets
from misstep.families.faces.review import decisions
from misstep.families.faces.review.decisions import Decision
from misstep.families.faces.sets import Problem


@dataclass(frozen=True)
class Reviewable:
    """`folder` holds the decisions, `holders` the pictures: the first that has a file gives it."""

    folder: Path
    problems: tuple[Problem, ...]
    holders: tuple[Path, ...]

    def content(self, problem: Problem, place: int) -> bytes:
        """A picture's bytes; BadInput where it is gone or another than the index says."""
        shot = problem.shots[place]
        there = (one for one in self.holders if (one / shot.file).is_file())
        return sets.picture(next(there, self.folder), shot.file, shot.sha256)


def find_problems(folder: Path | None, seed: int) -> Reviewable:
    """Those of a set, else the ready-made ones and what was drawn for this seed since."""
    if folder is not None:
        if not folder.is_dir():
            raise BadInput(f"--set: {folder}: {'is no folder' if folder.exists() else 'not there'}")
        return _found(folder, (folder,))
    from misstep.families.faces.generate import SHIPPED, own_folder

    own = own_folder(seed)
    return _found(own, (SHIPPED, own) if seed == 0 else (own,))


def _found(folder: Path, holders: tuple[Path, ...]) -> Reviewable:
    every = {one.id: one for holder in holders for one in sets.read_problems(holder)}
    return Reviewable(folder, tuple(_standing(list(every.values()), folder)), holders)


def _standing(problems: Sequence[Problem], folder: Path) -> list[Problem]:
    """In the order of their numbers, without rejected ones that were made anew since."""
    said = decisions.said(decisions.read(folder)).now
    latest = {one.number: one.take for one in sorted(problems, key=lambda one: one.take)}
    stand = (
        one
        for one in problems
        if one.take == latest[one.number] or said.get(one.id) is not Decision.REJECT
    )
    return sorted(stand, key=lambda one: (one.number, one.take))
