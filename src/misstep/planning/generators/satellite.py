"""Random Satellite problems: instruments with modes and calibration targets, images wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misstep.planning.generators.chance import Chance, choice, sample
from misstep.planning.generators.settings import Generator, Setting
from misstep.planning.model import And, Atom, Domain, Problem, Typed

_MODES = ("image", "infrared", "spectrograph", "thermograph")
_TARGETS = ("star", "planet", "phenomenon")


@dataclass(frozen=True)
class _Sky:
    satellites: Sequence[str]
    instruments: Sequence[str]
    modes: Sequence[str]
    stations: Sequence[str]
    targets: Sequence[str]


def _make(domain: Domain, settings: Mapping[str, int], chance: Chance, name: str) -> Problem:
    sky = _sky(settings, chance)
    directions = [*sky.stations, *sky.targets]
    supported = {one: _some(chance, sky.modes) for one in sky.instruments}
    modes = [mode for mode in sky.modes if any(mode in each for each in supported.values())]
    groups = {"satellite": sky.satellites, "instrument": sky.instruments}
    groups |= {"mode": sky.modes, "direction": directions}
    wanted = [(target, mode) for target in sky.targets for mode in modes]
    images = sample(chance, wanted, min(settings["images"], len(wanted)))
    return Problem(
        name,
        domain,
        objects=tuple(Typed(one, (kind,)) for kind, names in groups.items() for one in names),
        init=(
            *_boards(sky, chance),
            *(Atom("supports", (one, mode)) for one, each in supported.items() for mode in each),
            *(
                Atom("calibration_target", (one, choice(chance, sky.stations)))
                for one in sky.instruments
            ),
            *(Atom("pointing", (one, choice(chance, directions))) for one in sky.satellites),
            *(Atom("power_avail", (one,)) for one in sky.satellites),
        ),
        goal=And(tuple(Atom("have_image", pair) for pair in sorted(images, key=wanted.index))),
    )


def _sky(settings: Mapping[str, int], chance: Chance) -> _Sky:
    """Directions are numbered through, so that a number names one direction."""
    stations = settings["stations"]
    targets = range(stations, stations + settings["targets"])
    instruments = max(settings["instruments"], settings["satellites"])
    return _Sky(
        [f"satellite{number}" for number in range(settings["satellites"])],
        [f"instrument{number}" for number in range(instruments)],
        [f"{_MODES[number % len(_MODES)]}{number}" for number in range(settings["modes"])],
        [f"groundstation{number}" for number in range(stations)],
        [f"{choice(chance, _TARGETS)}{number}" for number in targets],
    )


def _boards(sky: _Sky, chance: Chance) -> list[Atom]:
    """Each satellite carries an instrument; the further ones are anywhere."""
    rest = [choice(chance, sky.satellites) for _ in sky.instruments[len(sky.satellites) :]]
    carriers = [*sky.satellites, *rest]
    return [Atom("on_board", pair) for pair in zip(sky.instruments, carriers, strict=True)]


def _some(chance: Chance, options: Sequence[str]) -> list[str]:
    """One or more of them, in their order."""
    kept = sample(chance, options, 1 + chance.below(len(options)))
    return [option for option in options if option in kept]


SATELLITE = Generator(
    "satellite",
    {
        "satellites": Setting(1, 1, "number of satellites"),
        "instruments": Setting(2, 1, "number of instruments; at least one for each satellite"),
        "modes": Setting(2, 1, "number of modes"),
        "stations": Setting(2, 1, "ground stations, where instruments are calibrated"),
        "targets": Setting(3, 1, "directions that images are wanted of"),
        "images": Setting(2, 1, "number of images wanted, as far as there are so many"),
    },
    "each mode that is wanted is supported by an instrument with a calibration target",
    _make,
)
