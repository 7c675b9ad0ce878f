"""Which items a person gets, in which arms and order: hangs on the study and the slot alone.

Items come in sheaves: as many of one group as a person gets of it in one arm. So in a family whose
items share something to be learned, a person learns it once, and not in two arms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from misstep.core.errors import BadInput
from misstep.core.family import select
from misstep.core.items import Item
from misstep.core.options import read_options
from misstep.core.seeds import Chance, stream
from misstep.registry import family
from misstep.study.course.nouns import Block, Design, Draw, Planned, Study

AnyItem = Item[Any]  # Any: a study serves families of every payload
Sheaf = tuple[AnyItem, ...]


@dataclass(frozen=True)
class Pool:
    """The items of one block: those to practise with, and the sheaves of its trials. Neighbouring
    sheaves are of different groups, as far as there are groups enough."""

    practice: tuple[AnyItem, ...]
    sheaves: tuple[Sheaf, ...]


@dataclass(frozen=True)
class ArmTrials:
    """What a person meets in one arm of a block."""

    arm: str
    practice: tuple[AnyItem, ...]
    trials: tuple[AnyItem, ...]


@lru_cache(maxsize=64)
def pool_of(study: Study, block: int) -> Pool:
    """The block's pool, the same for everyone; BadInput where it holds too few items."""
    asked = study.blocks[block]
    groups = [tuple(group) for _, group in groupby(_items(study, block), _group)]
    practice, rest = _set_aside(asked, groups)
    size = _sheaf_size(asked, rest)
    per_person = asked.items // size
    every = _sheaves(_chance(study, block, "pool"), rest, size)
    if asked.draw is Draw.BALANCED:
        every = every[: len(every) - len(every) % per_person]
    if len(every) < per_person:
        held = sum(map(len, groups))
        raise BadInput(
            f"block.{block + 1}.pool: {held} items of {asked.family} are too few for {asked.items} "
            f"a person and {len(practice)} to practise with; take a larger pool, or fewer items"
        )
    return Pool(practice, tuple(every))


def drawn(study: Study, block: int, slot: int) -> tuple[ArmTrials, ...]:
    """The arms in the order in which this person meets them.

    Balanced: over all people each sheaf comes as often as any other, and as often in each arm;
    within people the arms' order turns from one person to the next, and over all people goes with
    no sheaf. Between people as many neighbours as there are arms get the same items, each in an
    arm of its own.
    """
    asked = study.blocks[block]
    pool = pool_of(study, block)
    chance = _chance(study, block, "person", slot)
    if asked.design is Design.BETWEEN:
        arm = asked.arms[slot % len(asked.arms)]
        own = _own(asked, pool, slot // len(asked.arms), chance)
        return (ArmTrials(arm, pool.practice[: asked.practice], _ordered(own, chance)),)
    return _within(asked, pool, slot, chance)


def planned(study: Study, slot: int) -> tuple[Planned, ...]:
    """All trials of a person, in their order."""
    return tuple(
        Planned(asked.family, item.id, one.arm, number)
        for number, asked in enumerate(study.blocks)
        for one in drawn(study, number, slot)
        for item in one.trials
    )


def item_of(study: Study, trial: Planned) -> AnyItem:
    return _by_id(study, trial.block)[trial.item]


@lru_cache(maxsize=64)
def _by_id(study: Study, block: int) -> dict[str, AnyItem]:
    pool = pool_of(study, block)
    return {item.id: item for sheaf in pool.sheaves for item in sheaf}


def _items(study: Study, block: int) -> Iterator[AnyItem]:
    """The scale's items, or as many whole groups as the pool holds."""
    asked = study.blocks[block]
    room = family(asked.family)
    try:
        options = read_options(room.spec.options, asked.options, asked.family)
        yield from select(room, asked.scale, asked.pool, study.seed, options)
    except BadInput as error:
        raise BadInput(f"block.{block + 1}{_as_in_a_study(str(error))}") from None


def _as_in_a_study(said: str) -> str:
    """A run's `--limit` is a study's pool, and its `-T` an option."""
    for own, field in (("--limit", ".pool"), ("-T ", ".options.")):
        if said.startswith(own):
            return field + said.removeprefix(own)
    return f": {said}"


def _group(item: AnyItem) -> str:
    return item.group


def _set_aside(asked: Block, groups: Sequence[Sheaf]) -> tuple[tuple[AnyItem, ...], list[Sheaf]]:
    """Whole groups to practise with, different items for each arm of a person's."""
    arms = len(asked.arms) if asked.design is Design.WITHIN else 1
    needed = asked.practice * arms
    practice: list[AnyItem] = []
    taken = 0
    while len(practice) < needed and taken < len(groups):
        practice += _mixed(groups[taken])[: asked.practice * arms]
        taken += 1
    return tuple(practice[:needed]), list(groups[taken:])


def _sheaf_size(asked: Block, groups: Sequence[Sheaf]) -> int:
    """The most items of one group that share a person's number of items in an arm evenly."""
    in_arm = asked.items // (len(asked.arms) if asked.design is Design.WITHIN else 1)
    smallest = min((len(group) for group in groups), default=1)
    return max(size for size in range(1, in_arm + 1) if in_arm % size == 0 and size <= smallest)


def _sheaves(chance: Chance, groups: Sequence[Sheaf], size: int) -> list[Sheaf]:
    """The first sheaf of each group, then the second of each, and so on, as long as all have one;
    each with its truths mixed as evenly as can be."""
    mixed = [_mixed(chance.shuffled(group)) for group in chance.shuffled(groups)]
    rounds = min((len(group) // size for group in mixed), default=0)
    return [
        tuple(group[turn * size : (turn + 1) * size]) for turn in range(rounds) for group in mixed
    ]


def _mixed(group: Sequence[AnyItem]) -> list[AnyItem]:
    """One of each truth, then the next of each: any stretch holds them about evenly."""
    truths = list(dict.fromkeys(item.truth for item in group))
    of_truth = {truth: [item for item in group if item.truth == truth] for truth in truths}
    longest = max(map(len, of_truth.values()), default=0)
    rounds = (own[turn] for turn in range(longest) for own in of_truth.values() if turn < len(own))
    return list(rounds)


def _own(asked: Block, pool: Pool, turn: int, chance: Chance) -> tuple[Sheaf, ...]:
    """The sheaves of the person of this turn."""
    count = asked.items // len(pool.sheaves[0])
    if asked.draw is Draw.RANDOM:
        return tuple(_of_different_groups(chance.shuffled(pool.sheaves), count))
    start = turn * count % len(pool.sheaves)
    return pool.sheaves[start : start + count]


def _of_different_groups(shuffled: Sequence[Sheaf], count: int) -> list[Sheaf]:
    """The first of each group, and only then further ones."""
    seen: set[str] = set()
    fresh: list[Sheaf] = []
    further: list[Sheaf] = []
    for sheaf in shuffled:
        (further if sheaf[0].group in seen else fresh).append(sheaf)
        seen.add(sheaf[0].group)
    return (fresh + further)[:count]


def _within(asked: Block, pool: Pool, slot: int, chance: Chance) -> tuple[ArmTrials, ...]:
    own = _own(asked, pool, slot, chance)
    arms = len(asked.arms)
    if asked.draw is Draw.RANDOM:
        shift, first = chance.below(arms), chance.below(arms)
    else:
        people = len(pool.sheaves) // len(own)
        cycle = slot // people
        shift, first = cycle % arms, (slot % people + cycle + cycle // arms) % arms
    met = [(first + turn) % arms for turn in range(arms)]
    return tuple(
        ArmTrials(
            asked.arms[arm],
            pool.practice[turn * asked.practice : (turn + 1) * asked.practice],
            _ordered([sheaf for j, sheaf in enumerate(own) if (j + shift) % arms == arm], chance),
        )
        for turn, arm in enumerate(met)
    )


def _ordered(sheaves: Sequence[Sheaf], chance: Chance) -> tuple[AnyItem, ...]:
    """Sheaf after sheaf, both the sheaves and what is in them shuffled for this person."""
    return tuple(item for sheaf in chance.shuffled(sheaves) for item in chance.shuffled(sheaf))


def _chance(study: Study, block: int, *path: str | int) -> Chance:
    return stream("study", 1, study.seed, block, *path)
