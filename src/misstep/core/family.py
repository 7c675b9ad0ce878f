"""A family: the record of what every room holds, and the choice of items that a run asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Generic, TypeVar

from misstep.core.answers import Vocabulary
from misstep.core.arms import Arm
from misstep.core.conversation import Conversation
from misstep.core.errors import BadInput
from misstep.core.items import Group, Groups, Item
from misstep.core.measures import ACCURACY, Measure
from misstep.core.options import Option, OptionValue, variant
from misstep.core.outcomes import Reply, Score
from misstep.core.pictures import Picture
from misstep.core.progress import report

P = TypeVar("P")
MOST_ITEMS = 1_000_000
Options = Mapping[str, OptionValue]


class Expected(StrEnum):
    """What is predicted of a model that thinks."""

    HURTS = "hurts"
    HELPS = "helps"
    HURTS_NOT = "does not hurt"


@dataclass(frozen=True)
class Prediction:
    """What the literature says of deliberation on this task, and hence of models.

    `direction` holds one of the words of `Expected`, as in "thinking hurts". `effect` is what was
    found in people, `replication` whether others found it again; empty: not known.
    """

    hurts_people: bool
    shared_by_models: bool
    direction: str
    source: str
    effect: str = ""
    replication: str = ""

    @property
    def expected(self) -> Expected | None:
        """None where the direction says none."""
        found = (one for one in reversed(Expected) if one.value in self.direction)
        return next(found, None)


@dataclass(frozen=True)
class Scale:
    """How many groups; `per_truth` cuts each group to that many items for each truth."""

    groups: int
    per_truth: int | None = None


@dataclass(frozen=True)
class Entry:
    """Something to choose, and what it is."""

    name: str
    about: str


@dataclass(frozen=True)
class Listing:
    """The values of one option, `test` for instance, where more is to be said than its choices;
    or, with no option named, what else a family has to name. `endings` may follow any value."""

    option: str
    title: str
    entries: tuple[Entry, ...]
    endings: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Instances:
    """What an item asks about, and all else that its prompt shows.

    An instance is given as texts that are the same for the same instance, whatever it is called.
    """

    asked: tuple[str, ...]
    shown: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Spec:
    """The data of a family: `spec.py` holds one, and nothing that computes.

    `margin` is the smallest difference that matters, in the measure's unit. `chance` is the value
    of a blind guess, on average (None: not known); `chances` that of the items which an option
    makes ("test=unsolvable"), where it is another. `context` is the number of tokens that an item's
    questions and replies take in all, where that is more than usual. Changed items, words or
    scoring bump `version`.
    `ready` is how many groups of seed 0 are there at once, where others take long to make.
    """

    name: str
    title: str
    version: int
    source: str
    measures: str
    arms: tuple[Arm, ...]
    options: tuple[Option, ...]
    factors: tuple[str, ...]
    scales: Mapping[str, Scale]
    vocabulary: Vocabulary
    chance: float | None
    margin: float
    prediction: Prediction
    finite_pool: bool = False
    measure: Measure = ACCURACY
    chances: Mapping[str, float] = field(default_factory=dict)
    context: int | None = None
    ready: int | None = None

    def chance_in(self, variant: str) -> float | None:
        """The chance of the items that these options make; `variant` is as in records."""
        known = (self.chances[one] for one in variant.split(", ") if one in self.chances)
        return next(known, self.chance)

    @property
    def default_arms(self) -> tuple[Arm, ...]:
        return tuple(arm for arm in self.arms if arm.is_default)


@dataclass(frozen=True)
class Balance:
    """Something that a family balances over every so many items; `else_` is how to do without."""

    over: str
    items: int
    else_: str


@dataclass(frozen=True)
class Solution:
    """A reference solver's answer; `score` is its evidence, split at the group's median later."""

    answer: str
    score: float | None = None


Solver = Callable[[Item[P]], Solution]


@dataclass(frozen=True)
class Family(Generic[P]):
    """A room's functions beside its data.

    `generate(seed, options)` yields groups without end (or all of a finite pool), each in the
    order in which it is asked. `prompt(item, wording)` gives the words of an arm's wording;
    `beginnings(item)` the ever longer texts with which the prompts of its group, then of the item
    itself, start, so that a model that can keep them evaluates them once.
    `thought` and `ballot` are the family's own words of a tree of thought, where it has any: what
    is asked for one thought, and for a vote among thoughts; else `core.thoughts` has them.
    `parts` are texts of the item that a user's template may name. `essence(item, answer)` is the
    same text for answers that are graded alike, for votes; None: the answer itself.
    `feedback` is what is said back to a reply in a feedback arm, None where the conversation is
    over. A vocabulary without answers means free text: then `truth` is a reply that is right.
    `pictures` are those of an item, one for each `pictures.PLACE` in its prompts, in order.
    With `has_picture_files` they are read from files of the machine that made the items, which
    another machine that asks is sent.
    With `is_spread` the making of items takes so long that several machines may share it: then
    `generate` asks `core.spreading`.
    `balance` is what a number of items must keep balanced, by the options; None: nothing.
    `named` gives the options as records name them: a file or a folder by what it holds, so that it
    counts as the same wherever it is, and as another when it holds something else.
    With a `conversation` an item takes many turns; its own prompt, truth and lure, and what `score`
    and the solvers make of it, are those of the first.
    """

    spec: Spec
    payload: type[P]
    generate: Callable[[int, Options], Groups[P]]
    prompt: Callable[[Item[P], str], str]
    score: Callable[[Item[P], Reply], Score]
    solvers: Mapping[str, Solver[P]]
    solver_about: Mapping[str, str]
    beginnings: Callable[[Item[P]], tuple[str, ...]] = lambda item: ()
    thought: Callable[[Item[P]], str] | None = None
    ballot: Callable[[Item[P], Sequence[str]], str] | None = None
    parts: Callable[[Item[P]], Mapping[str, str]] | None = None
    essence: Callable[[Item[P], str], str] | None = None
    feedback: Callable[[Item[P], Reply], str | None] | None = None
    say: Callable[[Item[P], str], str] | None = None
    instances: Callable[[Item[P]], Instances] | None = None
    listings: tuple[Listing, ...] = ()
    pictures: Callable[[Item[P]], tuple[Picture, ...]] | None = None
    has_picture_files: bool = False
    is_spread: bool = False
    conversation: Conversation[P] | None = None
    balance: Callable[[Options], Balance | None] = lambda options: None
    named: Callable[[Options], Options] = lambda options: options

    def variant(self, options: Options) -> str:
        """What of all its options made other items than the defaults do; "" for the defaults."""
        return variant(self.spec.options, self.named(options))


def select(
    family: Family[P], scale: str, limit: int | None, seed: int, options: Options
) -> Iterator[Item[P]]:
    """The items of a run, group after group.

    `limit` counts items and takes whole groups (as the scale cuts them); it may go beyond the
    scale's own number of groups. How far it has come is reported (`core.progress`).
    """
    if scale not in family.spec.scales:
        known = ", ".join(family.spec.scales)
        raise BadInput(f"--scale: {family.spec.name} has no scale {scale!r}; known: {known}")
    size = family.spec.scales[scale]
    groups = (cut(group, size.per_truth) for group in family.generate(seed, options))
    name = family.spec.name
    if limit is None:
        return _told(islice(groups, size.groups), size.groups, name, lambda _group: 1)
    _check_balanced(name, limit, family.balance(options))
    report(0, limit, _making(name))
    return _told(_up_to(groups, limit, name), limit, name, len)


def cut(group: Group[P], per_truth: int | None) -> Group[P]:
    """The first `per_truth` items of each truth, in the group's own order."""
    if per_truth is None:
        return group
    seen: dict[str, int] = {}
    kept: list[Item[P]] = []
    for item in group:
        seen[item.truth] = seen.get(item.truth, 0) + 1
        if seen[item.truth] <= per_truth:
            kept.append(item)
    return tuple(kept)


def _told(
    groups: Iterator[Group[P]], total: int, name: str, size: Callable[[Group[P]], int]
) -> Iterator[Item[P]]:
    """The groups' items; after each group is made, what is done of the total is reported."""
    done = 0
    report(done, total, _making(name))
    for group in groups:
        done += size(group)
        if done < total:
            report(done, total, _making(name))
        yield from group
    report(done, done, _making(name))


def _making(name: str) -> str:
    return f"making items of {name}"


def _check_balanced(name: str, limit: int, balance: Balance | None) -> None:
    beyond = limit % balance.items if balance else 0
    if balance and beyond:
        near = [str(one) for one in (limit - beyond, limit - beyond + balance.items) if one]
        raise BadInput(
            f"--limit: {limit} items of {name} can't be balanced over {balance.over}; "
            f"take {' or '.join(near)}, or {balance.else_}"
        )


def _up_to(groups: Iterator[Group[P]], limit: int, name: str) -> Iterator[Group[P]]:
    if limit > MOST_ITEMS:
        raise BadInput(f"--limit: {limit} is above {MOST_ITEMS}")
    first = next(groups)
    if limit < len(first):
        raise BadInput(
            f"--limit: {limit} is below one group; the first group of {name} has {len(first)} items"
        )
    return _whole_groups(first, groups, limit)


def _whole_groups(first: Group[P], groups: Iterator[Group[P]], limit: int) -> Iterator[Group[P]]:
    left = limit
    group: Group[P] | None = first
    while group is not None and len(group) <= left:
        yield group
        left -= len(group)
        group = next(groups, None) if left else None
