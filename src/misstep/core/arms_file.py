"""Arms of the user's own, from a TOML file of schema 1 (docs/arms.md)."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from misstep.core.arms import (
    MOST_THINKING,
    MOST_THOUGHTS,
    MOST_VOTES,
    TREE_OF_THOUGHT,
    Arm,
    Strategy,
    Wording,
    general,
    is_thinking,
    resolve,
    treed,
    voted,
)
from misstep.core.errors import BadInput
from misstep.core.templates import fields as template_fields

SCHEMA = 1
MOST_TOKENS = 10_000_000
MOST_TEMPERATURE = 2.0
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}")


@dataclass(frozen=True)
class Definition:
    """One arm as the file states it. `base` names the arm of the family whose words it stands on;
    None: the family's baseline, or its tree of thought where `thoughts` are asked for."""

    name: str
    about: str | None = None
    base: str | None = None
    system: str | None = None
    before: str | None = None
    after: str | None = None
    instruction: str | None = None
    template: str | None = None
    thinking: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    votes: int | None = None
    thoughts: int | None = None

    def plain(self) -> dict[str, str | int | float]:
        """As JSON values, without what isn't stated: for the log and the manifest."""
        stated = asdict(self).items()
        return {name: value for name, value in stated if value is not None}


def read(path: Path) -> tuple[Definition, ...]:
    """The file's arms in their order; BadInput names file, arm, field and value."""
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"--arms-file: {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: is no UTF-8 text") from None
    except (ValueError, RecursionError) as error:  # a number may be too long for Python, too
        raise BadInput(f"{path}: is no TOML: {' '.join(str(error).split())}") from None
    if plain.get("schema") != SCHEMA or not _is_whole(plain["schema"]):
        raise BadInput(f"{path}: schema is {plain.get('schema')!r}, this version reads {SCHEMA}")
    strange = sorted(set(plain) - {"schema", "arms"})
    if strange:
        raise BadInput(f"{path}: unknown field {strange[0]!r}; known: schema, arms")
    arms = plain.get("arms")
    if not isinstance(arms, dict) or not arms:
        raise BadInput(f"{path}: arms: holds no arm; an arm is a table [arms.NAME]")
    return tuple(_definition(path, name, arm) for name, arm in arms.items())


def from_plain(plain: Mapping[str, object], where: Path) -> Definition:
    """A definition as a log holds it."""
    return _definition(where, str(plain.get("name")), {k: plain[k] for k in plain if k != "name"})


def arm(definition: Definition, known: tuple[Arm, ...]) -> Arm:
    """The arm of one family; BadInput where the family has no such base, or the name already."""
    if definition.name in (one.name for one in (*known, *general(known))):
        raise BadInput(f"--arms-file: arm {definition.name!r}: the family has an arm of this name")
    base = _base(definition, known)
    own = replace(
        base,
        name=definition.name,
        about=definition.about or f"the user's own, on the words of {base.name}",
        is_default=False,
        thinking=definition.thinking,
        temperature=definition.temperature,
        max_tokens=definition.max_tokens,
        wording=_wording(definition),
    )
    if definition.thoughts is not None:
        return treed(own, definition.thoughts, own.name)
    return own if definition.votes is None else voted(own, definition.votes, own.name)


def chosen(
    names: Sequence[str],
    known: tuple[Arm, ...],
    usual: tuple[Arm, ...],
    own: Sequence[Definition] = (),
    option: str = "--arms",
) -> tuple[Arm, ...]:
    """The arms of these names, the family's or the user's own, the baseline first.

    No names: the usual ones; where there are arms of the user's own, the family's first arm and
    these.
    """
    mine = tuple(arm(definition, known) for definition in own)
    if names:
        return resolve(names, known + mine, option)
    return (known[0], *mine) if mine else usual


def _wording(definition: Definition) -> Wording | None:
    found = Wording(
        definition.system,
        definition.before,
        definition.after,
        definition.instruction,
        definition.template,
    )
    return None if found == Wording() else found


def _base(definition: Definition, known: tuple[Arm, ...]) -> Arm:
    """A tree of thought stands on the family's own, or on a single-reply arm."""
    name = definition.base
    if name is None and definition.thoughts is None:
        return known[0]
    if name in (None, TREE_OF_THOUGHT) and definition.votes is None:
        return resolve([TREE_OF_THOUGHT], known, f"--arms-file: arm {definition.name!r}: base")[0]
    for one in known:
        if one.name == name and one.strategy is Strategy.SINGLE:
            return one
    names = ", ".join(one.name for one in known if one.strategy is Strategy.SINGLE)
    raise BadInput(
        f"--arms-file: arm {definition.name!r}: base: {name!r} is no single-reply arm of the "
        f"family; known: {names}" + ("" if definition.votes else f", and {TREE_OF_THOUGHT}")
    )


def _definition(path: Path, name: str, table: object) -> Definition:
    where = f"{path}: arm {name!r}"
    if not _NAME.fullmatch(name):
        raise BadInput(f"{where}: name should be a letter, then letters, digits, '_', '.' or '-'")
    if not isinstance(table, dict):
        raise BadInput(f"{where}: is {table!r}, and should be a table [arms.{name}]")
    known = [one.name for one in fields(Definition) if one.name != "name"]
    for field, value in table.items():
        if field not in known:
            raise BadInput(f"{where}: unknown field {field!r}; known: {', '.join(known)}")
        fault = _FAULTS[field](value)
        if fault is not None:
            raise BadInput(f"{where}: {field}: {_shown(value)} {fault}")
    _refuse_contradictions(where, table)
    own = dict(table)
    if "thinking" in own:
        own["thinking"] = str(own["thinking"])
    if "temperature" in own:
        own["temperature"] = float(own["temperature"])
    return Definition(name, **own)


def _refuse_contradictions(where: str, table: Mapping[str, object]) -> None:
    for field in ("before", "after", "instruction"):
        if field in table and "template" in table:
            raise BadInput(f"{where}: {field}: a template already holds all that is said")
    if "votes" in table and "thoughts" in table:
        raise BadInput(f"{where}: votes: thoughts are voted for as often as there are thoughts")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _text(value: object) -> str | None:
    return None if isinstance(value, str) and value.strip() else "is no text with anything in it"


def _template(value: object) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return _text(value)
    try:
        named = template_fields(value)
    except ValueError as error:
        return f"is no template: {error}"
    return None if named else "names no field, such as {question}"


def _thinking(value: object) -> str | None:
    is_known = isinstance(value, (str, int)) and not isinstance(value, bool)
    if is_known and is_thinking(str(value)):
        return None
    return f"is none of none, low, medium, high, or a number of tokens from 1 to {MOST_THINKING}"


def _temperature(value: object) -> str | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if (
        is_number
        and math.isfinite(float(str(value)))
        and 0 <= float(str(value)) <= MOST_TEMPERATURE
    ):
        return None
    return f"is no number from 0 to {MOST_TEMPERATURE:g}"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _whole(least: int, most: int) -> Callable[[object], str | None]:
    def fault(value: object) -> str | None:
        if _is_whole(value) and least <= int(str(value)) <= most:
            return None
        return f"is no whole number from {least} to {most}"

    return fault


_FAULTS: Mapping[str, Callable[[object], str | None]] = {
    **dict.fromkeys(("about", "base", "system", "before", "after", "instruction"), _text),
    "template": _template,
    "thinking": _thinking,
    "temperature": _temperature,
    "max_tokens": _whole(1, MOST_TOKENS),
    "votes": _whole(2, MOST_VOTES),
    "thoughts": _whole(2, MOST_THOUGHTS),
}
