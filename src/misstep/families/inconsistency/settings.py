"""The options of a run, checked: what contradicts is said in one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.family import Options
from misstep.core.options import OptionValue, by_content, read_options
from misstep.families.inconsistency.spec import OPTIONS

CORPORA = ("snli", "mnli")


@dataclass(frozen=True)
class Settings:
    """The options as the generator needs them. `files` holds the corpora that are asked for;
    `pairs` is a file in the place of the shipped pairs."""

    with_own: bool
    pairs: Path | None
    files: Mapping[str, tuple[Path, ...]]
    filters_as_paper: bool
    counts_as_paper: bool
    subset: bool


def read_settings(options: Options) -> Settings:
    values = read_options(OPTIONS, options, "inconsistency")
    source, pairs = str(values["source"]), str(values["pairs"])
    with_own = source in ("own", "all")
    _refuse_idle(values, with_own=with_own)
    is_paper = values["protocol"] == "paper"
    return Settings(
        with_own=with_own,
        pairs=Path(pairs) if pairs else None,
        files={name: _files(name, values) for name in CORPORA if source in (name, "all")},
        filters_as_paper=is_paper or values["filter"] == "paper",
        counts_as_paper=is_paper,
        subset=bool(values["subset"]),
    )


def _refuse_idle(values: Mapping[str, OptionValue], *, with_own: bool) -> None:
    """An option that would do nothing is a mistake, and is said."""
    source = values["source"]
    for name in CORPORA:
        if values[name] and source not in (name, "all"):
            raise BadInput(f"-T {name}: {values[name]!r} needs source={name} or source=all")
    if values["pairs"] and not with_own:
        raise BadInput(f"-T pairs: {values['pairs']!r} needs source=own or source=all")
    if values["subset"] and source != "own":
        raise BadInput(f"-T subset: is of the own pairs, not of source={source}")
    if values["filter"] != "text" and source == "own":
        raise BadInput(f"-T filter: {values['filter']} is for SNLI and MNLI, not source=own")


def _files(name: str, values: Mapping[str, OptionValue]) -> tuple[Path, ...]:
    given = [part.strip() for part in str(values[name]).split(",") if part.strip()]
    if not given:
        raise BadInput(
            f"-T source: {values['source']} needs your official files: -T {name}=FILE[,FILE]"
        )
    for path in given:
        if given.count(path) > 1:
            raise BadInput(f"-T {name}: {path!r} is named twice")
    return tuple(map(Path, given))


def named(options: Options) -> Options:
    """A file of pairs by what it holds."""
    own = str(options.get("pairs", ""))
    return {**options, "pairs": by_content(own)} if own else options
