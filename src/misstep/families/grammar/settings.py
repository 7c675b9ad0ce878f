"""The options of a run, checked: what contradicts is said in one line."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

from misstep.core.errors import BadInput
from misstep.core.family import Options
from misstep.core.options import OptionValue, read_options
from misstep.core.seeds import digest
from misstep.families.grammar.spec import OPTIONS
from misstep.families.grammar.structures import REBER

FEWEST_LETTERS = 5
"""The most edges that leave one node, which a deterministic grammar must tell apart."""

_NOT_IN_THE_PAPER = ("negatives", "deterministic", "alphabet", "structure")


@dataclass(frozen=True)
class Settings:
    """The options as the generator needs them. `variant` names all but the defaults, in six hex
    digits, or is empty."""

    by_paths: bool
    paired: bool
    deterministic: bool
    alphabet: str
    reber: bool
    wording: str
    subset: bool
    variant: str


def read_settings(options: Options) -> Settings:
    values = read_options(OPTIONS, options, "grammar")
    alphabet = _checked_alphabet(str(values["alphabet"]))
    values["alphabet"] = alphabet
    changed = {option.name for option in OPTIONS if values[option.name] != option.default}
    _refuse_contradictions(values, changed)
    return Settings(
        by_paths=values["protocol"] == "paper",
        paired=values["negatives"] == "paired",
        deterministic=bool(values["deterministic"]),
        alphabet=alphabet,
        reber=values["structure"] == "reber",
        wording=str(values["wording"]),
        subset=bool(values["subset"]),
        variant=_variant(values, changed - {"subset"}),
    )


def _checked_alphabet(letters: str) -> str:
    """The letters in alphabetical order, so that PSTVX and XVTSP are one variant."""
    if set(letters) - set(ascii_uppercase) or len(set(letters)) < len(letters):
        raise BadInput(f"-T alphabet: {letters!r} must be capital letters A to Z, each once")
    if len(letters) < FEWEST_LETTERS:
        raise BadInput(f"-T alphabet: {letters!r} has fewer than {FEWEST_LETTERS} letters")
    return "".join(sorted(letters))


def _refuse_contradictions(values: dict[str, OptionValue], changed: set[str]) -> None:
    if values["protocol"] == "paper":
        for name in _NOT_IN_THE_PAPER:
            if name in changed:
                raise BadInput(f"-T {name}: {values[name]} contradicts protocol=paper")
    letters = "".join(sorted({letter for _, _, letter in REBER}))
    if values["structure"] == "reber" and values["alphabet"] not in (ascii_uppercase, letters):
        raise BadInput(f"-T alphabet: {values['alphabet']} contradicts structure=reber ({letters})")


def _variant(values: dict[str, OptionValue], changed: set[str]) -> str:
    parts = (f"{name}={values[name]}" for name in sorted(changed))
    return digest("grammar", *parts).hex()[:6] if changed else ""
