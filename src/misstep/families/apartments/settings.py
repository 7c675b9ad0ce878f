"""The options of a run, checked: what contradicts is said in one line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.family import Options
from misstep.core.options import OptionValue, by_content, read_options
from misstep.core.seeds import digest
from misstep.families.apartments.spec import OPTIONS, RANGES
from misstep.families.apartments.statements import SHIPPED, Statements, read_checked

MOST_BACK, MOST_LETTERS = 9, 200


@dataclass(frozen=True)
class Settings:
    """The options as the generator needs them. `ranges` are places in `RANGES`; `origin` names the
    statements in messages. `variant` names all that makes other items, in six hex digits, or is
    empty."""

    has_clause: bool
    is_grouped: bool
    shows_ratings: bool
    ranges: tuple[int, ...]
    statements: Statements
    origin: str
    letters: int
    back: int
    variant: str


def read_settings(options: Options) -> Settings:
    values = read_options(OPTIONS, options, "apartments")
    _refuse_contradictions(values)
    back, letters = _n_back(values)
    own = str(values["statements"])
    statements = read_checked(Path(own)) if own else shipped()
    names = [name for name, _, _ in RANGES]
    chosen = str(values["ranges"])
    shows_ratings = values["ratings"] == "shown"
    return Settings(
        has_clause=shows_ratings or values["protocol"] == "paper",
        is_grouped=values["order"] == "grouped",
        shows_ratings=shows_ratings,
        ranges=tuple(range(len(names))) if chosen == "all" else (names.index(chosen),),
        statements=statements,
        origin=own or "the shipped statements",
        letters=letters,
        back=back,
        variant=_variant(values, statements),
    )


@lru_cache(maxsize=1)
def shipped() -> Statements:
    return read_checked(SHIPPED)


def _n_back(values: dict[str, OptionValue]) -> tuple[int, int]:
    back, letters = int(values["back"]), int(values["letters"])
    if not 1 <= back <= MOST_BACK:
        raise BadInput(f"-T back: {back} is not between 1 and {MOST_BACK}")
    if not back < letters <= MOST_LETTERS:
        raise BadInput(f"-T letters: {letters} is not between {back + 1} and {MOST_LETTERS}")
    return back, letters


def _refuse_contradictions(values: dict[str, OptionValue]) -> None:
    if values["protocol"] == "paper" and values["ratings"] == "shown":
        raise BadInput(
            "-T ratings: shown contradicts protocol=paper, which prints statements alone; "
            "without protocol=paper the words are the same, with ratings"
        )


def _variant(values: dict[str, OptionValue], statements: Statements) -> str:
    """A file counts by its content, so that the same one elsewhere gives the same ids."""
    named = {**values, "statements": digest("statements", repr(statements)).hex()}
    changed = [
        f"{option.name}={named[option.name]}"
        for option in OPTIONS
        if option.makes_other_items and values[option.name] != option.default
    ]
    return digest("apartments", *sorted(changed)).hex()[:6] if changed else ""


def named(options: Options) -> Options:
    """A file of statements by what it holds."""
    own = str(options.get("statements", ""))
    return {**options, "statements": by_content(own)} if own else options
