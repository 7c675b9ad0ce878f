"""Random Depots problems: crates in stacks at depots and distributors, wanted in other stacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misstep.planning.generators.chance import Chance, choice, sample
from misstep.planning.generators.settings import TRIES, Generator, Setting, SettingError
from misstep.planning.model import And, Atom, Domain, Problem, Typed


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name}{number}" for number in range(count)]


def _make(domain: Domain, settings: Mapping[str, int], chance: Chance, name: str) -> Problem:
    names = {
        kind: _numbered(kind, settings[f"{kind}s"])
        for kind in ("depot", "distributor", "truck", "crate")
    }
    places = [*names["depot"], *names["distributor"]]
    for kind in ("pallet", "hoist"):
        names[kind] = _numbered(kind, len(places) + settings[f"more_{kind}s"])
    where = _fixed(names["pallet"], places, chance) | _fixed(names["hoist"], places, chance)
    stacks = _stacks(names["crate"], names["pallet"], chance)
    return Problem(
        name,
        domain,
        objects=tuple(Typed(one, (kind,)) for kind, group in names.items() for one in group),
        init=(
            *(Atom("at", (thing, place)) for thing, place in where.items()),
            *(Atom("at", (truck, choice(chance, places))) for truck in names["truck"]),
            *(Atom("available", (hoist,)) for hoist in names["hoist"]),
            *_standing(stacks, where),
        ),
        goal=And(_goal(names["crate"], names["pallet"], frozenset(_on(stacks)), chance)),
    )


def _fixed(things: Sequence[str], places: Sequence[str], chance: Chance) -> dict[str, str]:
    """One at each place, the further ones anywhere."""
    rest = things[len(places) :]
    first = dict(zip(things, places, strict=False))
    return first | {thing: choice(chance, places) for thing in rest}


def _stacks(crates: Sequence[str], pallets: Sequence[str], chance: Chance) -> dict[str, list[str]]:
    """Each crate, in random order, on a random pallet's stack; from bottom to top."""
    stacks: dict[str, list[str]] = {pallet: [] for pallet in pallets}
    for crate in sample(chance, crates, len(crates)):
        stacks[choice(chance, pallets)].append(crate)
    return stacks


def _on(stacks: Mapping[str, Sequence[str]]) -> tuple[Atom, ...]:
    return tuple(
        Atom("on", (upper, lower))
        for pallet, stack in stacks.items()
        for lower, upper in zip((pallet, *stack), stack, strict=False)
    )


def _standing(stacks: Mapping[str, Sequence[str]], where: Mapping[str, str]) -> list[Atom]:
    at = [Atom("at", (crate, where[pallet])) for pallet, stack in stacks.items() for crate in stack]
    clear = [Atom("clear", ((pallet, *stack)[-1],)) for pallet, stack in stacks.items()]
    return [*at, *_on(stacks), *clear]


def _goal(
    crates: Sequence[str], pallets: Sequence[str], start: frozenset[Atom], chance: Chance
) -> tuple[Atom, ...]:
    """What each crate stands on in another random arrangement."""
    for _ in range(TRIES):
        wanted = _on(_stacks(crates, pallets, chance))
        if not start.issuperset(wanted):
            return tuple(sorted(wanted, key=lambda atom: crates.index(atom.terms[0])))
    raise SettingError("depots: crates: one crate and one pallet leave no goal")


DEPOTS = Generator(
    "depots",
    {
        "depots": Setting(1, 1, "number of depots"),
        "distributors": Setting(2, 1, "number of distributors"),
        "trucks": Setting(1, 1, "number of trucks"),
        "crates": Setting(4, 1, "number of crates"),
        "more_pallets": Setting(0, 0, "pallets besides the one at each place"),
        "more_hoists": Setting(0, 0, "hoists besides the one at each place"),
    },
    "all crates can be loaded into a truck, top first, and then be stacked anew, bottom first",
    _make,
)
