"""What a reply of the image service means: a picture, a refusal, try again, or give up."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

LONGEST_WAIT = 120.0
"""Seconds; a service that asks for more is not waited for."""
LONGEST_WORDS = 200


class Meaning(StrEnum):
    """Of a reply. Pictures, filtered and broken ones are paid for; the others are not."""

    PICTURE = "picture"
    FILTERED = "filtered"
    BROKEN = "broken"
    REFUSED = "refused"
    AGAIN = "again"
    STOP = "stop"


@dataclass(frozen=True)
class Reading:
    """`picture` for PICTURE; `wait` in seconds for AGAIN, None where none is named;
    `is_unsure` where such a call may have been paid for all the same."""

    meaning: Meaning
    picture: bytes = b""
    words: str = ""
    wait: float | None = None
    is_unsure: bool = False


_STOPS = {
    400: "the service can't read the request",
    401: "the service doesn't accept the key",
    402: "the account has too few credits",
    403: "the account may not do this",
    404: "there is no such call at this address",
    413: "the picture that was sent is too large for the service",
    422: "the service rejects the request",
}


def read(status: int, headers: Mapping[str, str], content: bytes) -> Reading:
    """`headers` by their names in small letters.

    403 means content moderation where the service says so, else that the key lacks a right.
    """
    if status == 200:
        return _picture(headers, content)
    words, name = _words(content)
    if status == 403 and name == "content_moderation":
        return Reading(Meaning.REFUSED, words=words)
    if status == 429 or status >= 500:
        return _again(status, headers, words)
    why = _STOPS.get(status, "the service gave no picture")
    return Reading(Meaning.STOP, words=f"{why} (HTTP {status}{words and f': {words}'})")


def _picture(headers: Mapping[str, str], content: bytes) -> Reading:
    """As bytes, with how it ended in the headers, or as JSON that holds both."""
    if not headers.get("content-type", "").startswith("application/json"):
        ended = headers.get("finish-reason", "SUCCESS")
        return _ended(ended, content)
    try:
        plain = json.loads(content)
        picture = base64.b64decode(plain["image"], validate=True)
        return _ended(str(plain.get("finish_reason", "SUCCESS")), picture)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, binascii.Error):
        return Reading(Meaning.BROKEN, words="the reply holds no picture")


def _ended(how: str, picture: bytes) -> Reading:
    if how == "CONTENT_FILTERED":
        return Reading(Meaning.FILTERED, picture)
    if how != "SUCCESS" or not picture:
        return Reading(Meaning.BROKEN, words=f"the picture ended as {how[:40]!r}")
    return Reading(Meaning.PICTURE, picture)


def _again(status: int, headers: Mapping[str, str], words: str) -> Reading:
    why = "too many requests" if status == 429 else "the service fails"
    said = f"{why} (HTTP {status}{words and f': {words}'})"
    wait = _seconds(headers.get("retry-after", ""))
    if wait is not None and wait > LONGEST_WAIT:
        said = f"{said}; it asks to wait for {wait:,.0f} seconds"
        return Reading(Meaning.STOP, words=said)
    return Reading(Meaning.AGAIN, words=said, wait=wait)


def _seconds(text: str) -> float | None:
    """Only whole seconds: a date would have to trust two clocks."""
    return float(text) if text.isdecimal() and len(text) < 10 else None


def _words(content: bytes) -> tuple[str, str]:
    """The service's own words in one line, and the name of its error; empty where it says none."""
    try:
        plain = json.loads(content)
    except (ValueError, RecursionError):
        return "", ""
    if not isinstance(plain, dict):
        return "", ""
    errors = plain.get("errors")
    said = "; ".join(map(str, errors)) if isinstance(errors, list) else ""
    return " ".join(said.split())[:LONGEST_WORDS], str(plain.get("name", ""))
