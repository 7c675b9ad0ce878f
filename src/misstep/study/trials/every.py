"""The one list of the families that people can meet; a family's side is opened when first asked."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from misstep.core.errors import BadInput
from misstep.study.trials.nouns import Trial

TRIALS = (
    "grammar",
    "faces",
    "vehicles",
    "inconsistency",
    "cups",
    "apartments",
    "planbench",
)  # fmt: skip


def trial(name: str) -> Trial[Any]:  # Any: families of every payload
    """The family's side of a study; BadInput names the known ones."""
    if name not in TRIALS:
        raise BadInput(f"family: no study of {name!r}; known: {', '.join(TRIALS)}")
    found: Trial[Any] = import_module(f"misstep.study.trials.{name}").TRIAL  # Any: likewise
    return found
