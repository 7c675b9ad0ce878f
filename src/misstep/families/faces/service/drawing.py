"""One problem from the service: a pair that is one person, then four others that are not.

What the gate doesn't pass is asked for again with another seed of the service, up to a stated
number of times for each picture, and counted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from misstep.core.seeds import Chance, stream
from misstep.families.faces.attributes import Attributes
from misstep.families.faces.service import calls
from misstep.families.faces.service.calls import LARGEST_SEED, Call
from misstep.families.faces.service.halves import halves, squared
from misstep.families.faces.service.prices import OTHERS
from misstep.families.faces.service.purchases import Answer, End

SOURCE, VERSION = "service", 1
Embedding = Sequence[float]
Eyes = Callable[[bytes], Embedding | None]
"""The embedding of the face in a picture; None where there isn't exactly one."""


@dataclass(frozen=True)
class Terms:
    """What a problem is drawn with. `farther`: each other is that much farther from both pictures
    of the person than these are from each other, which are `nearest` apart at most."""

    seed: int
    size: int
    draws: int
    strength: float
    farther: float
    nearest: float


@dataclass(frozen=True)
class Take:
    """One picture that passed, and what it was asked with."""

    picture: bytes = field(repr=False)
    embedding: Embedding = field(repr=False)
    asked_seed: int


@dataclass(frozen=True)
class Drawn:
    """The six pictures of a problem: the reference, the right one, the four others."""

    reference: Take
    right: Take
    others: tuple[Take, ...]
    redraws: Counter[str]


class GivenUp(Exception):
    """No draw of one picture passed; `redraws` says why, by reason."""

    def __init__(self, what: str, redraws: Counter[str]) -> None:
        super().__init__(what)
        self.redraws = redraws


@dataclass
class Drawing:
    """The work on one problem; `redraws` grows as draws are thrown away."""

    attributes: Attributes
    place: tuple[str | int, ...]
    terms: Terms
    ask: Callable[[Call], Answer]
    eyes: Eyes
    redraws: Counter[str] = field(default_factory=Counter)

    def draw(self) -> Drawn:
        """GivenUp where some picture failed as often as may be."""
        reference, right = self._pair()
        others: list[Take] = []
        for number in range(OTHERS):
            others.append(self._other(number, reference, right, others))
        return Drawn(reference, right, tuple(others), self.redraws)

    def _pair(self) -> tuple[Take, Take]:
        for seed in self._seeds("pair"):
            content = self._bought(calls.pair(self.attributes, seed))
            if content is None:
                continue
            both = halves(content, self.terms.size)
            left, right = self._seen(both.left, seed), self._seen(both.right, seed)
            if left is None or right is None:
                self.redraws["no single face"] += 1
            elif math.dist(left.embedding, right.embedding) > self.terms.nearest:
                self.redraws["two people"] += 1
            else:
                is_left_first = self._chance("reference").below(2) == 0
                return (left, right) if is_left_first else (right, left)
        raise GivenUp("the pair", self.redraws)

    def _other(self, number: int, reference: Take, right: Take, others: list[Take]) -> Take:
        for seed in self._seeds("other", number):
            call = calls.other(self.attributes, right.picture, seed, self.terms.strength)
            content = self._bought(call)
            if content is None:
                continue
            take = self._seen(squared(content, self.terms.size), seed)
            if take is None:
                self.redraws["no single face"] += 1
            elif not self._is_other(take, reference, right):
                self.redraws["too near"] += 1
            elif any(take.picture == one.picture for one in others):
                self.redraws["the same picture"] += 1
            else:
                return take
        raise GivenUp(f"other {number + 1}", self.redraws)

    def _bought(self, call: Call) -> bytes | None:
        answer = self.ask(call)
        if answer.end is End.PICTURE:
            return answer.picture
        self.redraws[answer.end.value] += 1
        return None

    def _seen(self, picture: bytes, seed: int) -> Take | None:
        embedding = self.eyes(picture)
        return None if embedding is None else Take(picture, embedding, seed)

    def _is_other(self, take: Take, reference: Take, right: Take) -> bool:
        least = math.dist(reference.embedding, right.embedding) + self.terms.farther
        return all(math.dist(take.embedding, one.embedding) >= least for one in (reference, right))

    def _seeds(self, *path: str | int) -> Iterator[int]:
        """The service's seeds of one picture's draws, all different."""
        chance = self._chance(*path)
        for _ in range(self.terms.draws):
            yield 1 + chance.below(LARGEST_SEED)

    def _chance(self, *path: str | int) -> Chance:
        return stream("faces", VERSION, self.terms.seed, SOURCE, *self.place, *path)
