"""The options of a run, checked: what contradicts is said in one line."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.core.errors import BadInput
from misstep.core.family import Balance, Options
from misstep.core.options import read_options
from misstep.core.seeds import digest
from misstep.families.vehicles.spec import OPTIONS, SPEC


@dataclass(frozen=True)
class Settings:
    """The options as the generator needs them. `variant` names all but the defaults, in six hex
    digits, or is empty."""

    is_paper: bool
    is_cold_always_a: bool
    history: str
    variant: str


def read_settings(options: Options) -> Settings:
    values = read_options(OPTIONS, options, SPEC.name)
    is_paper = values["protocol"] == "paper"
    if is_paper and values["history"] == "text":
        raise BadInput("-T history: text contradicts protocol=paper, whose memory holds guesses")
    changed = sorted(one.name for one in OPTIONS if values[one.name] != one.default)
    if is_paper:
        changed = ["protocol"]  # with or without mapping=paper, which it implies
    parts = (f"{name}={values[name]}" for name in changed)
    return Settings(
        is_paper=is_paper,
        is_cold_always_a=is_paper or values["mapping"] == "paper",
        history=str(values["history"]),
        variant=digest(SPEC.name, *parts).hex()[:6] if changed else "",
    )


def balance(options: Options) -> Balance | None:
    """Of two lists, cold is A in one and B in the other, unless it always is A."""
    if read_settings(options).is_cold_always_a:
        return None
    return Balance("both mappings of climate and class", 2, "-T mapping=paper")
