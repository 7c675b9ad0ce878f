"""What ended a run, in a line: the runner keeps an error as its `repr`, with the whole request."""

from __future__ import annotations

import re
from ast import literal_eval
from typing import TYPE_CHECKING

from misstep.core.errors import BadInput, MisstepError
from misstep.runner.providers import one_line

if TYPE_CHECKING:
    from misstep.runner.run import Plan

_REQUEST = re.compile(r"ModelGenerateError\((?P<said>'.*'|\".*\")\)", re.DOTALL)
"""A provider's refusal, with the whole request before it."""
_DISK = re.compile(r"OSError\((?:27|28|122), '(?P<said>[^']+)'\)")
"""A file too large, a disk full, a quota reached."""
_OURS = re.compile(r"(?P<kind>BadInput|MisstepError)\((?P<said>'.*'|\".*\")\)", re.DOTALL)


def failed(plan: Plan, message: str, heard: int) -> MisstepError:
    """What ended the run, in one line, and how many answers it has."""
    kind, reason = _failure(message)
    is_ours = _OURS.fullmatch(message) is not None
    if (full := _DISK.fullmatch(reason)) is not None:
        return MisstepError(
            f"{plan.folder}: cannot write: {full['said']}; {heard} of {plan.samples} answers are "
            "kept there; the same command goes on"
        )
    # What names an option is no fault of the model.
    where = "" if reason.startswith("--") else f"--model: {plan.manifest.model}: "
    is_blind = plan.has_pictures and not heard and not is_ours
    blind = " (its questions show pictures)" if is_blind else ""
    said = " ".join(reason.split()) if is_ours else one_line(reason)
    return kind(
        f"{where}{said[:300]}{blind}; {heard} of {plan.samples} answers are kept in {plan.folder}"
    )


def _failure(message: str) -> tuple[type[MisstepError], str]:
    """The runner keeps an error as its `repr`; of ours the kind and the words come out again."""
    ours = _OURS.fullmatch(message)
    refused = _REQUEST.fullmatch(message)
    if refused is not None:
        return MisstepError, str(literal_eval(refused["said"])).rpartition("\n\n")[2]
    if ours is None:
        return MisstepError, message
    return (BadInput if ours["kind"] == "BadInput" else MisstepError), str(
        literal_eval(ours["said"])
    )
