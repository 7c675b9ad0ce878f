"""Statements rated by a model: what it is asked (F.1), and how far it agrees with a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean

from misstep.core.answers import ReadingState, read_number, value_of
from misstep.core.outcomes import Reply
from misstep.families.apartments.statements.reading import (
    HIGHEST,
    LEVELS,
    LOWEST,
    Statements,
)

QUESTION = (
    "Here is a statement about an apartment: {text}\n"
    "How much does this statement affect the desirability of the apartment for the average tenant, "
    "from -5 to 5, with 5 being most desirable? Respond with only a whole number from -5 to 5, do "
    "not include anything else."
)
"""F.1 prints what is rated, for whom and the scale; the rest is ours. Each statement is asked for
by itself."""


@dataclass(frozen=True)
class Rated:
    """One statement with the file's rating and the model's; None: it has none."""

    feature: str
    level: str
    text: str
    before: int | None
    now: int | None

    @property
    def shift(self) -> int | None:
        return None if self.before is None or self.now is None else self.now - self.before


@dataclass(frozen=True)
class Agreement:
    """Over the statements that both have rated. `correlation` is Spearman's, ties at their mean
    rank; None where one side rates all alike. `shift` is the mean of model less file."""

    number: int
    correlation: float | None
    shift: float
    distance: float
    same: int


def questions(found: Statements) -> list[tuple[str, str]]:
    """For each statement, in the file's order, an id and what is asked."""
    return [
        (f"{feature.name}/{level}", QUESTION.format(text=one.text))
        for feature in found.features
        for level, one in zip(LEVELS, feature.statements, strict=True)
    ]


def read_rating(reply: Reply) -> int | None:
    """The whole number from -5 to 5 that the reply gives, else None."""
    reading = read_number(reply.text, reply.stop_reason)
    if reading.state is not ReadingState.ANSWERED or reading.answer is None:
        return None
    value = value_of(reading.answer)
    if value is None or value != int(value) or not LOWEST <= value <= HIGHEST:
        return None
    return int(value)


def rated(found: Statements, ratings: Sequence[int | None]) -> list[Rated]:
    """The statements with the model's ratings, given in the file's order."""
    left = iter(ratings)
    return [
        Rated(feature.name, level, one.text, one.rating, next(left))
        for feature in found.features
        for level, one in zip(LEVELS, feature.statements, strict=True)
    ]


def with_ratings(found: Statements, by: str, ratings: Sequence[int | None]) -> Statements:
    """The same statements with the model's ratings in the place of the file's."""
    left = iter(ratings)
    features = tuple(
        replace(
            feature,
            statements=tuple(replace(one, rating=next(left)) for one in feature.statements),
        )
        for feature in found.features
    )
    return replace(found, features=features, rated_by=by)


def agreement(rows: Sequence[Rated]) -> Agreement | None:
    """None where there is no statement that both have rated."""
    pairs = [
        (row.before, row.now) for row in rows if row.before is not None and row.now is not None
    ]
    if not pairs:
        return None
    before, now = [one for one, _ in pairs], [other for _, other in pairs]
    shifts = [other - one for one, other in pairs]
    return Agreement(
        number=len(pairs),
        correlation=spearman(before, now),
        shift=mean(shifts),
        distance=mean(abs(one) for one in shifts),
        same=shifts.count(0),
    )


def most_different(rows: Sequence[Rated], number: int) -> list[Rated]:
    """The statements with the largest shifts, the largest first, none that agree."""
    differing = [row for row in rows if row.shift]
    return sorted(differing, key=lambda row: -abs(row.shift or 0))[:number]


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """The correlation of the ranks; None where all of one side are level."""
    left, right = _ranks(one), _ranks(other)
    middle = mean(left)
    across = sum((a - middle) * (b - middle) for a, b in zip(left, right, strict=True))
    spread = sum((a - middle) ** 2 for a in left) * sum((b - middle) ** 2 for b in right)
    return across / spread**0.5 if spread else None


def _ranks(values: Sequence[float]) -> list[float]:
    """From 1; equal values share the mean of their ranks."""
    ordered = sorted(values)
    first = {value: at for at, value in reversed(list(enumerate(ordered, 1)))}
    last = {value: at for at, value in enumerate(ordered, 1)}
    return [(first[value] + last[value]) / 2 for value in values]
