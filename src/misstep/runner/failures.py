"""What ended a run, in a line: the runner keeps an error as its `repr`, with the whole request."""

from __future__ import annotations

import re
from ast import literal_eval
from collections import Counter
from typing import TYPE_CHECKING

from misstep.core.errors import BadInput, MisstepError
from misstep.runner.calls.failing import one_line

if TYPE_CHECKING:
    from misstep.runner.paying.purse import Purse
    from misstep.runner.run import Plan

_REQUEST = re.compile(r"ModelGenerateError\((?P<said>'.*'|\".*\")\)", re.DOTALL)
"""A provider's refusal, with the whole request before it."""
_DISK = re.compile(r"OSError\((?:27|28|122), '(?P<said>[^']+)'\)")
"""A file too large, a disk full, a quota reached."""
_OURS = re.compile(r"(?P<kind>BadInput|MisstepError|Gone)\((?P<said>'.*'|\".*\")\)", re.DOTALL)


class Incomplete(MisstepError):
    """Some questions were given up, `because` of what; all others are answered, and kept."""

    def __init__(self, plan: Plan, answered: int, because: str) -> None:
        left = plan.samples - answered
        questions = "1 question has" if left == 1 else f"{left} questions have"
        super().__init__(
            f"--model: {plan.manifest.model}: {questions} no answer: {because}"
            f"{_blind(plan, answered)}; {answered} of {plan.samples} answers are kept in "
            f"{plan.folder}; the same command goes on from there"
        )
        self.folder = plan.folder
        self.because = because


class BudgetReached(MisstepError):
    """The run was stopped before it passed the budget; what was answered is kept in `folder`."""

    def __init__(self, plan: Plan, purse: Purse, answered: int) -> None:
        currency = next(iter(plan.accounts.values())).price.currency
        earlier = f" ({purse.earlier:.6g} of it before)" if purse.earlier else ""
        super().__init__(
            f"stopped at answer {answered} of {plan.samples}, before the budget of "
            f"{purse.budget:.6g} {currency} is passed: {purse.spent:.6g} is spent{earlier}, "
            f"{purse.left:.6g} is left, and the next call may cost {purse.refused:.6g}; all "
            f"replies so far are kept in {plan.folder}; the same command goes on from there, with "
            "a larger budget"
        )
        self.folder = plan.folder


def failed(plan: Plan, message: str, heard: int) -> MisstepError:
    """What ended the run, in one line, and how many answers it has."""
    kind, reason = _failure(message)
    ours = _OURS.fullmatch(message)
    if (full := _DISK.fullmatch(reason)) is not None:
        return MisstepError(
            f"{plan.folder}: cannot write: {full['said']}; {heard} of {plan.samples} answers are "
            "kept there; the same command goes on"
        )
    # What names an option is no fault of the model.
    where = "" if reason.startswith("--") else f"--model: {plan.manifest.model}: "
    is_of_model = ours is None or ours["kind"] == "Gone"
    blind = _blind(plan, heard) if is_of_model else ""
    said = one_line(reason) if ours is None else " ".join(reason.split())
    on = "; the same command goes on from there" if is_of_model else ""
    return kind(
        f"{where}{said[:300]}{blind}; {heard} of {plan.samples} answers are kept in "
        f"{plan.folder}{on}"
    )


def _blind(plan: Plan, heard: int) -> str:
    """A likely reason, where a model has answered no question that shows pictures."""
    return " (its questions show pictures)" if plan.has_pictures and not heard else ""


def why(reasons: Counter[str]) -> str:
    """ "HTTP 500 (server error) 9 times, no reply in time once": the commonest three."""
    listed = [
        f"{reason} {'once' if count == 1 else f'{count} times'}"
        for reason, count in reasons.most_common(3)
    ]
    return ", ".join([*listed, "others"] if len(reasons) > len(listed) else listed)


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
