"""Result files of a study without a server: what participants saved, or JATOS's downloads."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from misstep.core.errors import BadInput
from misstep.study.course.nouns import Study
from misstep.study.server.bodies import Answering, Entering
from misstep.study.store.nouns import Recruited, Sent

KIND = "misstep study result"
_ENDINGS = (".json", ".txt")
_ARCHIVES = (".zip", ".jrzip")
_BESIDE = "metadata.json"
"""JATOS's own file in an archive of results."""
_MOST_BYTES = 256 * 2**20
_Time = Annotated[int, Field(ge=0, le=2**53)]
_Run = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16,64}$")]


class _Kept(Answering):
    received: _Time


class _Visit(Entering):
    once: Literal[""] = ""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kind: Literal["misstep study result"]
    schema_: Literal[1] = Field(alias="schema")
    study: str = Field(max_length=64)
    consent: str = Field(max_length=64)
    run: _Run
    place: int = Field(ge=0, lt=1_000_000)
    visit: _Visit
    entered: _Time
    ended: _Time | None
    ending: str | None
    answers: list[_Kept] = Field(max_length=100_000)


@dataclass(frozen=True)
class Answered:
    """An answer, and when the browser kept it, in milliseconds of UTC since 1970."""

    sent: Sent
    received: int


@dataclass(frozen=True)
class Result:
    """One person's; `source` names the file for who reads an error, `run` the way for good.
    `ending` is what the page says of it, None where it was left in the middle."""

    source: str
    run: str
    place: int
    visit: Recruited
    entered: int
    ended: int | None
    ending: str | None
    answers: tuple[Answered, ...]


def read_results(places: Sequence[Path], study: Study) -> tuple[Result, ...]:
    """Each run once, as far as any of the files has it; BadInput names the file and its fault."""
    found: dict[str, Result] = {}
    for source, line in _lines(places):
        result = _result(source, line, study)
        before = found.get(result.run)
        if before is None or _length(before) < _length(result):
            found[result.run] = result
    if not found:
        raise BadInput(f"RESULT: {places[0]}: holds no result of a misstep study")
    return tuple(sorted(found.values(), key=lambda one: (one.entered, one.run)))


def _length(result: Result) -> tuple[int, bool]:
    return len(result.answers), result.ending is not None


def _lines(places: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """JATOS joins the results of many people line by line; ours have no line break."""
    for file in _files(places):
        for source, content in _contents(file):
            try:
                text = content.decode("utf-8-sig")
            except UnicodeDecodeError:
                raise BadInput(f"RESULT: {source}: is no UTF-8 text") from None
            lines = text.splitlines() if text.count("\n") and not _is_json(text) else [text]
            many = len(lines) > 1
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield (f"{source}: line {number}" if many else source), line


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _files(places: Sequence[Path]) -> Iterator[Path]:
    for place in places:
        if not place.is_dir():
            yield place
            continue
        inside = sorted(one for one in place.rglob("*") if one.suffix in (*_ENDINGS, *_ARCHIVES))
        yield from (one for one in inside if one.is_file() and one.name != _BESIDE)


def _contents(file: Path) -> Iterator[tuple[str, bytes]]:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise BadInput(f"RESULT: {file}: is larger than {_MOST_BYTES} bytes")
        if file.suffix in _ARCHIVES:
            yield from _archived(file)
        else:
            yield str(file), file.read_bytes()
    except OSError as error:
        raise BadInput(f"RESULT: {file}: {error.strerror or error}") from None


def _archived(file: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(file) as archive:
            inside = [one for one in archive.infolist() if _is_data(one.filename)]
            if sum(one.file_size for one in inside) > _MOST_BYTES:
                raise BadInput(f"RESULT: {file}: holds more than {_MOST_BYTES} bytes")
            for one in sorted(inside, key=lambda entry: entry.filename):
                yield f"{file}: {one.filename}", archive.read(one)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
        raise BadInput(f"RESULT: {file}: is no archive that can be read") from None


def _is_data(name: str) -> bool:
    last = name.rpartition("/")[2]
    return last.endswith(_ENDINGS) and last != _BESIDE


def _result(source: str, line: str, study: Study) -> Result:
    try:
        plain = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInput(f"RESULT: {source}: is no JSON") from None
    if not isinstance(plain, dict) or plain.get("kind") != KIND:
        raise BadInput(f"RESULT: {source}: is no result of a misstep study")
    try:
        read = _File.model_validate(plain)
    except ValidationError as error:
        raise BadInput(f"RESULT: {source}: {_said(error)}") from None
    if read.study != study.digest:
        raise BadInput(
            f"RESULT: {source}: is of study {read.study}; {study.title!r} as it is now is "
            f"{study.digest}"
        )
    return Result(
        source=source,
        run=read.run,
        place=read.place,
        visit=read.visit.recruited,
        entered=read.entered,
        ended=read.ended,
        ending=read.ending,
        answers=tuple(Answered(one.sent, one.received) for one in read.answers),
    )


def _said(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(one + 1) if isinstance(one, int) else one for one in first["loc"])
    return f"{place}: {first['msg'][0].lower()}{first['msg'][1:]}"
