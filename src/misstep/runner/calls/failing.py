"""What a provider's error means: its kind, whether it may pass, and how long it asks to wait."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from inspect_ai.model import ModelAPI, RetryDecision

from misstep.core.errors import MisstepError
from misstep.core.faults import Fault

_CUT_OFF = ("connection", "readerror", "writeerror", "protocolerror", "incompleteread", "reset")
_DAMAGED = ("jsondecodeerror", "responsevalidationerror")
_MOST_WORDS = 200


@dataclass(frozen=True)
class Failure:
    """A call that brought no reply. `wait`: the seconds that the server asked for, if any."""

    fault: Fault
    said: str
    is_passing: bool
    wait: float = 0.0


TIMEOUT = Failure(Fault.TIMEOUT, "no reply in time", is_passing=True)
"""A call that was cut off after `--attempt-timeout`."""


def failure_of(api: ModelAPI, error: Exception) -> Failure:
    """By what the provider itself makes of the error."""
    decision = decide(api, error)
    fault = _fault(error, decision)
    return Failure(fault, _said(error, fault), bool(decision), asked_wait(error))


def decide(api: ModelAPI, error: Exception) -> bool | RetryDecision:
    """Whether to try again. The provider's own judgement, but that a damaged reply may pass."""
    if isinstance(error, MisstepError):
        return False
    # Beneath what stands in its place while a run is under way.
    own = type(api).should_retry(api, error)
    return own if own or not _is_damaged(error) else RetryDecision.transient()


def asked_wait(error: BaseException) -> float:
    """The seconds of a header Retry-After, which may also hold a date; 0 without one."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    text = "" if headers is None else str(headers.get("retry-after", ""))
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0


def _fault(error: Exception, decision: bool | RetryDecision) -> Fault:
    status, names = _status(error), [type(one).__name__.lower() for one in _chain(error)]
    if status == 429 or (isinstance(decision, RetryDecision) and decision.kind == "rate_limit"):
        return Fault.RATE_LIMIT if decision else Fault.REFUSED
    if not decision:
        return Fault.REFUSED
    if status is not None:
        return Fault.SERVER_ERROR
    if _is_damaged(error):
        return Fault.UNREADABLE
    if any("timeout" in name for name in names):
        return Fault.TIMEOUT
    is_cut_off = any(word in name for name in names for word in _CUT_OFF)
    return Fault.CONNECTION if is_cut_off else Fault.SERVER_ERROR


def _said(error: Exception, fault: Fault) -> str:
    """In a few words: of an error that may pass its kind, of a refusal its reason."""
    status = _status(error)
    if fault is Fault.REFUSED:
        words = one_line(str(error))[:_MOST_WORDS] or type(error).__name__
        return words if status is None or str(status) in words else f"HTTP {status}: {words}"
    return fault.words if status is None else f"HTTP {status} ({fault.words})"


def _status(error: Exception) -> int | None:
    """The HTTP status; providers' libraries keep it in one of these places."""
    response = getattr(error, "response", None)
    for holder, name in ((error, "status_code"), (response, "status_code"), (error, "code")):
        status = getattr(holder, name, None)
        if isinstance(status, int):
            return status
    return None


def _is_damaged(error: Exception) -> bool:
    if isinstance(error, json.JSONDecodeError):
        return True
    return any(word in type(error).__name__.lower() for word in _DAMAGED)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, and what it came of."""
    seen: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in seen:
        yield at
        seen.append(at)
        at = at.__cause__ or at.__context__


def one_line(message: str) -> str:
    """The message without its markup, its line breaks and its word of alarm."""
    text = re.sub(r"\[/?[a-z ]*\]", "", message)
    return re.sub(r"\s+", " ", text).strip().removeprefix("ERROR: ")
