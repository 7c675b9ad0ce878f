"""Secrets of the environment: found by name, and kept out of what is written or shown."""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from urllib.parse import parse_qsl, unquote, urlsplit

from misstep.core.errors import MisstepError

HIDDEN = "(secret)"
PLACEHOLDERS = ("none", "empty", "dummy", "unused")
"""What a server of one's own is told where a library insists on a key."""

SHORTEST = 8
"""Letters of a value that counts as a secret; a shorter one would be found in ordinary words."""

_NAMES = re.compile(r"(key|token|secret|passwo?r?d|credentials?)$", re.IGNORECASE)
_ARGUMENTS = re.compile(
    r"(^|_)(api_?key|passwo?r?d|secret|(access|auth|bearer|hf)_token)$|^token$", re.IGNORECASE
)
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/@'\"]+(?=@)")
_IN_HEADER = re.compile(r"\b(Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}")


@dataclass(frozen=True)
class Secrets:
    """Values that may stand nowhere; the longest first, as one may begin with another."""

    values: tuple[str, ...]

    def shows(self, text: str) -> bool:
        return any(value in text for value in self.values)

    def hide(self, text: str) -> str:
        """The text without the values. For what a model said, which must else stay as it is."""
        for value in self.values:
            text = text.replace(value, HIDDEN)
        return text

    def hide_all(self, text: str) -> str:
        """Without whatever looks like a key to a server, too. For errors and lines of logs."""
        return _IN_HEADER.sub(rf"\1 {HIDDEN}", _IN_ADDRESS.sub(HIDDEN, self.hide(text)))

    def cleaned(self, error: BaseException) -> BaseException:
        """The error, which says none of them any more, nor does any that caused it."""
        for one in _chain(error):
            _clean(one, self)
            told = f"{one} {one!r}"
            if self.hide_all(told) != told:
                # It makes its words anew whenever it is asked: only another error has others.
                return MisstepError(f"{type(one).__name__}: {self.hide_all(str(one))}")
        return error

    def __enter__(self) -> Secrets:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Whatever error leaves the block leaves it cleaned."""
        if error is not None and (clean := self.cleaned(error)) is not error:
            raise clean from None


def secrets_in(environment: Mapping[str, str]) -> Secrets:
    """The values of variables called like a key, and the passwords and keys in addresses."""
    found: set[str] = set()
    for name, value in environment.items():
        if _NAMES.search(name):
            found.add(value.strip())
        if "://" in value:
            found |= set(_of_address(value))
    return Secrets(tuple(sorted(filter(_is_secret, found), key=lambda one: (-len(one), one))))


def is_secret_argument(name: str, value: object, secrets: Secrets) -> bool:
    """Whether a model's argument is one that may not be kept with a run."""
    text = str(value)
    is_named = bool(_ARGUMENTS.search(name)) and text.lower() not in PLACEHOLDERS
    return is_named or secrets.hide_all(text) != text


@contextmanager
def hidden_from_logs(secrets: Secrets) -> Iterator[None]:
    """Lines of every log are written without them: libraries log the addresses that they call."""
    usual = logging.getLogRecordFactory()

    def made(*args: object, **named: object) -> logging.LogRecord:
        record = usual(*args, **named)
        said = record.getMessage()
        if (clean := secrets.hide_all(said)) != said:
            record.msg, record.args = clean, ()
        return record

    logging.setLogRecordFactory(made)
    try:
        yield
    finally:
        logging.setLogRecordFactory(usual)


def _of_address(value: str) -> Iterator[str]:
    try:
        parts = urlsplit(value)
    except ValueError:
        return
    named, _, _ = parts.netloc.rpartition("@")
    if named:
        _, _, password = named.partition(":")
        yield from (password, unquote(password))
        yield from (base64.b64encode(one.encode()).decode() for one in (named, unquote(named)))
    for _, given in parse_qsl(parts.query):
        yield given


def _is_secret(value: str) -> bool:
    """A word, a number and a file's path are none: they stand in replies for other reasons."""
    if len(value) < SHORTEST or value.isdigit() or (value.isalpha() and value in _plain(value)):
        return False
    return not (value.startswith(("/", "~", ".")) and Path(value).expanduser().exists())


def _plain(value: str) -> tuple[str, ...]:
    return value.lower(), value.upper(), value.capitalize()


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and all those behind it, each once."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            waiting += [one.__cause__, one.__context__]
            yield one


def _clean(error: BaseException, secrets: Secrets) -> None:
    """Changed where it stands: what it is decides whether the runner asks again."""
    error.args = tuple(_cleaned(part, secrets) for part in error.args)
    for name, value in list(vars(error).items()):
        vars(error)[name] = _cleaned(value, secrets)


def _cleaned(value: object, secrets: Secrets) -> object:
    if isinstance(value, str):
        return secrets.hide_all(value)
    if type(value) is dict:
        return {key: _cleaned(part, secrets) for key, part in value.items()}
    if type(value) is list:
        return [_cleaned(part, secrets) for part in value]
    if type(value) is tuple:
        return tuple(_cleaned(part, secrets) for part in value)
    return value
