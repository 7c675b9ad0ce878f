"""Random Blocksworld problems: start and goal are drawn evenly from all arrangements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from misstep.planning.generators.chance import Chance, sample
from misstep.planning.generators.settings import TRIES, Generator, Setting, SettingError
from misstep.planning.model import And, Atom, Domain, Problem, Typed

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def block_names(count: int) -> list[str]:
    """a to z, then b27, b28 and so on."""
    return [_LETTERS[place] if place < len(_LETTERS) else f"b{place + 1}" for place in range(count)]


def random_towers(chance: Chance, blocks: Sequence[str]) -> list[list[str]]:
    """Towers from bottom to top; every arrangement of the blocks is as likely.

    Single blocks are put down one after another, on the table or on one of the towers, with the
    chances that make all arrangements even (Slaney and Thiébaux, 2001, Blocks World revisited).
    """
    waiting = sample(chance, blocks, len(blocks))
    standing: list[list[str]] = []
    loose = [[block] for block in waiting]
    while loose:
        tower = loose.pop()
        rest, grounded = len(loose), len(standing)
        if chance.below(_completions(rest + 1, grounded)) < _completions(rest, grounded + 1):
            standing.append(tower)
        else:
            place = chance.below(rest + grounded)
            (loose[place] if place < rest else standing[place - rest]).extend(tower)
    return standing


@lru_cache(maxsize=1)
def _table(most: int) -> list[list[int]]:
    rows = [[1] * (most + 2)]
    for loose in range(most + 1):
        before = rows[-1]
        rows.append([before[k] * (loose + k) + before[k + 1] for k in range(len(before) - 1)])
    return rows


def _completions(loose: int, grounded: int) -> int:
    """In how many ways `loose` ungrounded towers can be put onto the table and the others."""
    size = 32
    while size < loose + grounded:
        size *= 2
    return _table(size)[loose][grounded]


def _facts(towers: Sequence[Sequence[str]]) -> dict[str, tuple[Atom, ...]]:
    """By predicate."""
    return {
        "on": tuple(
            Atom("on", (upper, lower)) for tower in towers for lower, upper in pairwise(tower)
        ),
        "ontable": tuple(Atom("ontable", (tower[0],)) for tower in towers),
        "clear": tuple(Atom("clear", (tower[-1],)) for tower in towers),
    }


def _make(domain: Domain, settings: Mapping[str, int], chance: Chance, name: str) -> Problem:
    blocks = block_names(settings["blocks"])
    start = _facts(random_towers(chance, blocks))
    init = tuple(sorted((*start["on"], *start["ontable"], *start["clear"]), key=_order))
    goal = _goal(blocks, frozenset(init), settings["full_goal"] == 1, chance)
    return Problem(
        name,
        domain,
        objects=tuple(Typed(block) for block in blocks),
        init=(*init, Atom("handempty")),
        goal=And(goal),
    )


def _goal(
    blocks: Sequence[str], init: frozenset[Atom], full: bool, chance: Chance
) -> tuple[Atom, ...]:
    """Which block is on which; all of the arrangement if `full`. Never met at the start."""
    for _ in range(TRIES):
        wanted = _facts(random_towers(chance, blocks))
        facts = wanted["on"] + (wanted["ontable"] + wanted["clear"] if full else ())
        if not init.issuperset(facts):
            return tuple(sorted(facts, key=_order))
    raise SettingError(f"blocksworld: blocks: {len(blocks)} leave no goal that is not met already")


def _order(atom: Atom) -> tuple[str, list[tuple[int, str]]]:
    return atom.predicate, [(len(term), term) for term in atom.terms]


BLOCKSWORLD = Generator(
    "blocksworld",
    {
        "blocks": Setting(4, 2, "number of blocks"),
        "full_goal": Setting(0, 0, "1: the goal states the whole arrangement", 1),
    },
    "every arrangement can be reached from every other, by way of all blocks on the table",
    _make,
)
