"""Random household problems: things to be brought to their places, and chores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misstep.planning.generators.chance import Chance, choice, coin, sample
from misstep.planning.generators.settings import Generator, Setting
from misstep.planning.model import (
    TOTAL_COST,
    And,
    Atom,
    Domain,
    Fluent,
    Formula,
    Metric,
    Not,
    Problem,
    Typed,
    Value,
)

_FURNITURE = {
    "kitchen": {
        "kitchen-table": "surface",
        "fridge": "container",
        "dishwasher": "appliance",
        "kitchen-sink": "sink",
    },
    "living-room": {"coffee-table": "surface", "sideboard": "container"},
    "bedroom": {"bedside-table": "surface", "wardrobe": "container"},
    "bathroom": {
        "bathroom-shelf": "surface",
        "washing-machine": "appliance",
        "washbasin": "sink",
    },
    "hall": {"shoe-rack": "surface", "chest": "container"},
    "study": {"desk": "surface", "filing-cabinet": "container"},
    "pantry": {"pantry-shelf": "surface", "freezer": "container"},
    "garage": {"workbench": "surface", "tool-cupboard": "container"},
}
_THINGS = (
    *("cup", "plate", "bowl", "book", "shirt", "towel", "apple", "hammer", "vase", "spoon"),
    *("letter", "hat", "scarf", "basket", "bottle", "candle", "brush", "blanket", "umbrella"),
    *("teapot",),
)
_COLOURS = ("", "red-", "blue-", "green-", "yellow-", "white-", "black-")


@dataclass(frozen=True)
class _Home:
    """`furniture`: name → type; `room`: fixture → its room; `doors`: pairs of rooms."""

    rooms: Sequence[str]
    furniture: Mapping[str, str]
    room: Mapping[str, str]
    doors: Sequence[tuple[str, str]]
    things: Sequence[str]

    def of(self, *types: str) -> list[str]:
        return [name for name, kind in self.furniture.items() if kind in types]


def _make(domain: Domain, settings: Mapping[str, int], chance: Chance, name: str) -> Problem:
    home = _home(settings, chance)
    spots = home.of("surface", "container", "appliance")
    places = {thing: choice(chance, spots) for thing in home.things}
    opened = [one for one in home.of("container", "appliance") if coin(chance)]
    clean = [thing for thing in home.things if coin(chance)]
    return Problem(
        name,
        domain,
        objects=(
            *(Typed(room, ("room",)) for room in home.rooms),
            *(Typed(one, (kind,)) for one, kind in home.furniture.items()),
            *(Typed(thing, ("item",)) for thing in home.things),
        ),
        init=(
            Atom("in-room", (choice(chance, home.rooms),)),
            *(Atom("next-to", door) for door in home.doors),
            *(Atom("stands-in", pair) for pair in home.room.items()),
            *(_placed(home, thing, spot) for thing, spot in places.items()),
            Atom("hand-free"),
            *(Atom("open", (one,)) for one in opened),
            *(Atom("clean", (thing,)) for thing in clean),
        ),
        goal=And(
            (
                *_errands(home, settings["moves"], places, chance),
                *_chores(home, settings["chores"], opened, clean, chance),
            )
        ),
        values=(Value(Fluent(TOTAL_COST), 0),),
        metric=Metric("minimize", Fluent(TOTAL_COST)),
    )


def _home(settings: Mapping[str, int], chance: Chance) -> _Home:
    """Always with a kitchen; the doors make a tree, so that every room can be reached."""
    kitchen, *others = _FURNITURE
    rooms = [kitchen, *sample(chance, others, settings["rooms"] - 1)]
    pairs = [(room, rooms[chance.below(place)]) for place, room in enumerate(rooms) if place]
    doors = [door for one, other in pairs for door in ((one, other), (other, one))]
    things = [f"{colour}{thing}" for colour in _COLOURS for thing in _THINGS]
    plain = max(settings["items"], len(_THINGS))
    return _Home(
        rooms,
        {one: kind for room in rooms for one, kind in _FURNITURE[room].items()},
        {one: room for room in rooms for one in _FURNITURE[room]},
        doors,
        sample(chance, things[:plain], settings["items"]),
    )


def _placed(home: _Home, thing: str, spot: str) -> Atom:
    return Atom("on" if home.furniture[spot] == "surface" else "inside", (thing, spot))


def _errands(home: _Home, moves: int, places: Mapping[str, str], chance: Chance) -> list[Formula]:
    """Things wanted at other places than they are at."""
    moved = sample(chance, home.things, min(moves, len(home.things)))
    return [
        _placed(home, thing, choice(chance, [one for one in _spots(home) if one != places[thing]]))
        for thing in home.things
        if thing in moved
    ]


def _spots(home: _Home) -> list[str]:
    return home.of("surface", "container", "appliance")


def _chores(
    home: _Home, count: int, opened: Sequence[str], clean: Sequence[str], chance: Chance
) -> list[Formula]:
    """Things to be clean, containers to be shut, appliances to be running; none is so already."""
    chores: list[Formula] = [
        *(Atom("clean", (thing,)) for thing in home.things if thing not in clean),
        *(Not(Atom("open", (one,))) for one in opened),
        *(Atom("running", (one,)) for one in home.of("appliance")),
    ]
    chosen = sample(chance, range(len(chores)), min(count, len(chores)))
    return [chores[place] for place in sorted(chosen)]


HOUSEHOLD = Generator(
    "household",
    {
        "rooms": Setting(3, 1, "number of rooms", len(_FURNITURE)),
        "items": Setting(4, 1, "things that can be carried", len(_THINGS) * len(_COLOURS)),
        "moves": Setting(2, 1, "things wanted elsewhere, as far as there are so many"),
        "chores": Setting(1, 0, "washing, shutting, switching on, as far as there is to do"),
    },
    "all rooms can be reached; things are washed and brought first, then all is shut and run",
    _make,
)
