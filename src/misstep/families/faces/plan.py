"""Seed → what a problem's six pictures show: style, scenes, and where each person's chance is from.

The reference differs from every candidate in pose, expression, light, clothing and background; the
five candidates share pose, expression and light, and each has clothes and a background of its own,
drawn without a look at which of them is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from misstep.core.seeds import Chance, digest, stream
from misstep.families.faces.attributes import Attributes, dealt
from misstep.families.faces.portraits import colours
from misstep.families.faces.portraits.looks import Scene, Style
from misstep.families.faces.sets import CANDIDATES

DRAWING = 1
"""Version of the embedded source: other pictures for the same seed make it another."""

LIGHTS = 5
EXPRESSIONS = ("neutral", "smile", "serious", "grin", "surprised")
_YEARS = {"young": (0.0, 0.08), "middle-aged": (0.42, 0.55), "old": (0.85, 1.0)}


@dataclass(frozen=True)
class Plan:
    """A problem before anything is drawn; `candidates` by their place, the right one at `truth`."""

    seed: int
    number: int
    take: int
    attributes: Attributes
    truth: int
    style: Style
    reference: Scene
    candidates: tuple[Scene, ...]


def plan(seed: int, number: int, take: int, combinations: Sequence[Attributes]) -> Plan:
    """A take made after a rejection has the same attributes and truth, and other people."""
    attributes = dealt(seed, DRAWING, number, combinations)
    deal, place = divmod(number, CANDIDATES)
    deck = stream("faces", DRAWING, seed, "truths", deal).shuffled(range(1, CANDIDATES + 1))
    reference, candidates = _scenes(stream("faces", DRAWING, seed, "scenes", number, take))
    return Plan(
        seed=seed,
        number=number,
        take=take,
        attributes=attributes,
        truth=deck[place],
        style=_style(attributes, stream("faces", DRAWING, seed, "style", number, take)),
        reference=reference,
        candidates=candidates,
    )


def problem_id(seed: int, drawn_with: str, number: int, take: int) -> str:
    """`drawn_with` names the options of drawing, in six hex digits, empty for the defaults."""
    variant = f"~{drawn_with}" if drawn_with else ""
    again = f".{take}" if take else ""
    return f"faces-{seed}{variant}-{number:03d}{again}"


def person_seed(problem: Plan, place: int, draw: int) -> int:
    """What the chance of a person's form starts from; place 0 is the person to recognise."""
    key = (problem.seed, "person", problem.number, problem.take, place, draw)
    return int.from_bytes(digest("faces", DRAWING, *key)[:16], "big")


def _within(chance: Chance, low: float, high: float) -> float:
    return low + (high - low) * chance.uniform()


def _bell(chance: Chance) -> float:
    """About normal, within ±3.5: a sum of uniform draws scaled to a deviation of 1."""
    return (sum(chance.uniform() for _ in range(4)) - 2) * 3**0.5


def _scenes(chance: Chance) -> tuple[Scene, tuple[Scene, ...]]:
    first, second = chance.sample(EXPRESSIONS, 2)
    lights = chance.sample(range(LIGHTS), 2)
    cloths, walls = chance.sample(colours.CLOTH, 6), chance.sample(colours.WALL, 6)
    necklines = chance.shuffled(("round", "v"))
    side = chance.choice((-1, 1))
    yaw, other_yaw = side * _within(chance, 1, 9), -side * _within(chance, 7, 16)
    pitch = _within(chance, -3, 4)
    turn, other_turn = _within(chance, -12, 12), _within(chance, -12, 12)
    amount = _within(chance, 0.5, 0.75)
    reference = Scene(
        pose=(yaw, pitch, _within(chance, -2, 2)),
        expression=first,
        amount=_within(chance, 0.5, 0.8),
        light=lights[0],
        turn=turn,
        cloth=colours.linear(cloths[0]),
        neckline=necklines[0],
        backdrop=colours.linear(walls[0]),
        backdrop_seed=chance.below(1 << 30),
        aim=(_within(chance, -0.12, 0.12), _within(chance, -0.08, 0.08)),
        zoom=_within(chance, 0.97, 1.05),
    )
    other_pitch = -pitch + _within(chance, -2, 2)
    candidates = tuple(
        Scene(
            pose=(
                other_yaw + _within(chance, -1.2, 1.2),
                other_pitch + _within(chance, -1.2, 1.2),
                _within(chance, -2, 2),
            ),
            expression=second,
            amount=amount + _within(chance, -0.08, 0.08),
            light=lights[1],
            turn=other_turn,
            cloth=colours.linear(cloths[place]),
            neckline=necklines[1],
            backdrop=colours.linear(walls[place]),
            backdrop_seed=chance.below(1 << 30),
            aim=(_within(chance, -0.12, 0.12), _within(chance, -0.08, 0.08)),
            zoom=_within(chance, 0.97, 1.05),
        )
        for place in range(1, CANDIDATES + 1)
    )
    return reference, candidates


def _style(one: Attributes, chance: Chance) -> Style:
    is_man, is_old = one.gender == "man", one.age == "old"
    gray = one.hair_colour == "gray"
    return Style(
        race=one.race,
        gender=one.gender,
        years=_within(chance, *_YEARS[one.age]),
        skin=colours.between(colours.SKIN[one.race], chance.uniform()),
        hair=colours.HAIR[one.hair_colour],
        white=_within(chance, 0.35, 0.6) if gray else (0.03 if is_old else 0.0),
        iris=colours.linear(colours.IRIS[one.eye_colour]),
        blush=_within(chance, 0.5, 1.1),
        freckles=max(0.0, 0.5 * _bell(chance)) if one.race == "white" else 0.0,
        moles=chance.below(3),
        lips=_within(chance, 0.15, 0.4) if is_man else _within(chance, 0.45, 0.85),
        beard=_within(chance, 0.0, 0.35 if one.race == "asian" else 0.55) if is_man else 0.0,
        hair_length=one.hair_length,
        hair_type=one.hair_type,
        hairline=1.5 * _bell(chance) - (2.0 if is_man and is_old else 0.0),
        receding=_within(chance, 0, 4) + (_within(chance, 1, 6) if is_old else 0) if is_man else 0,
        part=chance.choice((-1, 1)) * _within(chance, 0.08, 0.38),
        sweep=chance.choice((-1, 1)) * _within(chance, 0.2, 0.9),
        forward=chance.choice((-1.0, 1.0)),
        fringe=not is_man and chance.uniform() < 0.45,
        volume=_within(chance, 0.85, 1.2),
        length=_within(chance, 0.88, 1.15),
        seed=chance.below(1 << 30),
    )
