"""First templates, made of names alone: what `misstep plan new-domain` drafts."""

from __future__ import annotations

import pytest

from misstep.planning.wording.defaults import denial_template
from misstep.planning.wording.guessing import guess_action, guess_fact

FACTS = {
    "grows-at plant spot": "{plant} grows at {spot}",
    "carries truck box": "{truck} carries {box}",
    "has-key robot key": "{robot} has key {key}",
    "has-power lamp": "{lamp} has power",
    "have-image direction mode": "{direction} has image {mode}",
    "is-open door": "{door} is open",
    "is-next-to a b": "{a} is next to {b}",
    "can-reach robot room": "{robot} can reach {room}",
    "not-full box": "{box} is not full",
    "in package truck": "{package} is in {truck}",
    "on upper lower": "{upper} is on {lower}",
    "at thing place": "{thing} is at {place}",
    "clear block": "{block} is clear",
    "glass cup": "{cup} is glass",
    "watered plant": "{plant} is watered",
    "connected a b": "{a} is connected to {b}",
    "connected-to a b": "{a} is connected to {b}",
    "painted part colour": "{part} is painted {colour}",
    "lifting hoist crate": "{hoist} is lifting {crate}",
    "lent book reader desk": "{book} is lent {reader} with {desk}",
    "holding block": "I am holding {block}",
    "standing-at spot": "I am standing at {spot}",
    "tap-at spot": "the tap is at {spot}",
    "path from to": "there is a path from {from} to {to}",
    "moved box from to": "{box} is moved from {from} to {to}",
    "truck truck": "{truck} is a truck",
    "handempty": "handempty is the case",
}


@pytest.mark.parametrize("asked", FACTS)
def test_a_predicates_name_makes_a_clause(asked: str) -> None:
    name, *parameters = asked.split()
    assert guess_fact(name, parameters).fact == FACTS[asked]


@pytest.mark.parametrize(
    ("asked", "denied"),
    [
        ("grows-at plant spot", "{plant} does not grow at {spot}"),
        ("carries truck box", "{truck} does not carry {box}"),
        ("reaches crane box", "{crane} does not reach {box}"),
        ("has-key robot key", "{robot} does not have key {key}"),
        ("can-reach robot room", "{robot} cannot reach {room}"),
        ("not-full box", "{box} is full"),
        ("path from to", "there is no path from {from} to {to}"),
        ("standing-at spot", "I am not standing at {spot}"),
    ],
)
def test_a_denial_denies_the_verb(asked: str, denied: str) -> None:
    name, *parameters = asked.split()
    assert guess_fact(name, parameters).denial == denied


@pytest.mark.parametrize("name", ["clear", "connected", "is-open", "in", "painted"])
def test_what_is_said_with_is_is_denied_as_a_wording_file_would(name: str) -> None:
    guess = guess_fact(name, ["x", "y"])
    assert guess.denial == denial_template(guess.fact)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("pick-up ob", "pick up {ob}"),
        ("stack ob underob", "stack {ob} on {underob}"),
        ("unstack ob underob", "unstack {ob} from {underob}"),
        ("put-in item box room", "put {item} in {box} in {room}"),
        ("load-truck package truck loc", "load truck {package} into {truck} at {loc}"),
        ("drive truck from to", "drive {truck} from {from} to {to}"),
        ("walk from to", "walk from {from} to {to}"),
        ("turn_to satellite to from", "turn {satellite} to {to} from {from}"),
        ("take-out item box", "take out {item} from {box}"),
        ("switch-on lamp room", "switch on {lamp} in {room}"),
        ("water plant spot", "water {plant} at {spot}"),
        ("move-on x from to", "move on {x} from {from} to {to}"),
        ("go-to spot", "go to {spot}"),
        ("paint part brush", "paint {part} with {brush}"),
        ("rest", "rest"),
    ],
)
def test_an_actions_name_makes_an_order(asked: str, said: str) -> None:
    name, *parameters = asked.split()
    assert guess_action(name, parameters) == said
