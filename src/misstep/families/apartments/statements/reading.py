"""A file of statements → features; what is not as it should be is said in one line."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import BadInput

SHIPPED = Path(__file__).parent / "shipped.toml"
FEATURES = 80
LEVELS = ("positive", "upper", "lower", "negative")
"""Best to worst; the two between are the paper's neutral ones, made from each end (F.1)."""
LOWEST, HIGHEST = -5, 5


@dataclass(frozen=True)
class Statement:
    """What is said, and how much it adds to an apartment's appeal; None: not rated yet."""

    text: str
    rating: int | None


@dataclass(frozen=True)
class Feature:
    """One aspect of an apartment; its statements stand in the order of `LEVELS`."""

    name: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Statements:
    """A whole file. `shared` are words that several features may turn on; `rated_by` names the
    model that rated them, empty where a person did."""

    features: tuple[Feature, ...]
    shared: tuple[str, ...] = ()
    rated_by: str = ""


def read_statements(path: Path) -> Statements:
    """The file as it stands, its form checked and its content not. Raises BadInput."""
    plain = _parsed(path)
    for key in plain:
        if key not in ("feature", "shared", "rated_by"):
            raise BadInput(f"{path}: {key}: unknown; known: feature, shared, rated_by")
    shared = plain.get("shared", [])
    if not isinstance(shared, list) or not all(isinstance(word, str) for word in shared):
        raise BadInput(f"{path}: shared: {shared!r} is no list of words")
    rated_by = plain.get("rated_by", "")
    if not isinstance(rated_by, str):
        raise BadInput(f"{path}: rated_by: {rated_by!r} is no text")
    features = plain.get("feature", {})
    if not isinstance(features, dict) or not features:
        raise BadInput(f"{path}: holds no table [feature.NAME]")
    for name in features:
        if not name.strip() or not name.isprintable():
            raise BadInput(f"{path}: feature {name!r}: the name is no printable word")
    read = tuple(_feature(f"{path}: feature {name}", name, one) for name, one in features.items())
    return Statements(read, tuple(shared), rated_by)


def _parsed(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: is no UTF-8 text: byte {error.start}: {error.reason}") from None
    except (ValueError, RecursionError) as error:  # a number may be too long for Python, too
        raise BadInput(f"{path}: is no TOML: {error}") from None


def _feature(place: str, name: str, plain: object) -> Feature:
    if not isinstance(plain, Mapping):
        raise BadInput(f"{place}: {plain!r} is no table")
    for level in plain:
        if level not in LEVELS:
            raise BadInput(f"{place}: {level}: unknown; known: {', '.join(LEVELS)}")
    for level in LEVELS:
        if level not in plain:
            raise BadInput(f"{place}: {level}: missing")
    return Feature(name, tuple(_statement(f"{place}: {level}", plain[level]) for level in LEVELS))


def _statement(place: str, plain: object) -> Statement:
    if not isinstance(plain, Mapping) or not set(plain) <= {"rating", "text"}:
        raise BadInput(f"{place}: {plain!r} is not {{ rating = NUMBER, text = TEXT }}")
    text, rating = plain.get("text"), plain.get("rating")
    if not isinstance(text, str):
        raise BadInput(
            f"{place}: text: {'missing' if text is None else repr(text) + ' is no text'}"
        )
    if rating is None:
        return Statement(text, None)
    is_whole = isinstance(rating, int) and not isinstance(rating, bool)
    if not is_whole or not LOWEST <= rating <= HIGHEST:
        raise BadInput(f"{place}: rating: {rating!r} is no whole number from {LOWEST} to {HIGHEST}")
    return Statement(text, rating)
