"""Scores as others write them, read as a share from worst to best; absence stays absence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome
from misstep.runner.foreign.nouns import Scale

NO_ANSWER = "N"
_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def flattened(scores: Mapping[str, object]) -> dict[str, object]:
    """A score of several parts becomes several: "f1.precision"."""
    found: dict[str, object] = {}
    for name, value in scores.items():
        if isinstance(value, Mapping):
            found |= {f"{name}.{part}": one for part, one in flattened(value).items()}
        else:
            found[name] = value
    return found


def chosen(names: Iterable[str], wanted: str | None, file: Path) -> str:
    """The one score that is meant: its name, or the end of it after a dot, where that is enough."""
    known = list(dict.fromkeys(names))
    if not known:
        raise BadInput(f"{file}: holds no score at all")
    if wanted is None:
        if len(known) == 1:
            return known[0]
        raise BadInput(f"--score: {file} has several scores; name one of {', '.join(known)}")
    ends = [name for name in known if name.endswith(f".{wanted}")]
    if wanted in known:
        return wanted
    if len(ends) == 1:
        return ends[0]
    raise BadInput(f"--score: {file} has no score {wanted!r}; known: {', '.join(known)}")


def share_of(value: object, scale: Scale) -> float | None:
    """From 0 (worst) to 1; None where there is no score; ValueError where it is no number.

    The runner's grades are right (C), half right (P), wrong (I) and no answer (N).
    """
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        return _share_of_text(value.strip(), scale)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, (int, float)):
        return scale.share(value)
    raise ValueError(f"a {type(value).__name__} is no single number")


def outcome_of(value: float | None, absent: Outcome = Outcome.UNPARSED) -> Outcome:
    if value is None:
        return absent
    return Outcome.CORRECT if value == 1 else Outcome.WRONG


def _share_of_text(text: str, scale: Scale) -> float | None:
    if text in ("", NO_ANSWER):
        return None
    known = _GRADES.get(text, _WORDS.get(text.lower()))
    if known is not None:
        return known
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is neither a grade (C, I, P, N) nor a number") from None
    return share_of(number, scale)
