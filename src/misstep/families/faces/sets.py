"""A set of pictures: a folder with an index, `problems.jsonl`, beside the pictures it names.

Any source may make one (docs/faces.md describes the format). A line is added only when all six
pictures of its problem are there, so that a set may be read while it is made, and goes on after it
was stopped; a torn last line is ignored. `decisions.jsonl` holds what people decided by eye.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from misstep.core.errors import BadInput, MisstepError
from misstep.core.items import Scalar
from misstep.core.seeds import digest
from misstep.families.faces.attributes import NAMES, VALUES, Attributes
from misstep.families.faces.review import decisions
from misstep.families.faces.review.decisions import Decision
from misstep.picture_files import Unreadable, file_content, put_whole, sendable

SCHEMA = 1
INDEX, DECISIONS = "problems.jsonl", decisions.NAME
CANDIDATES = 5
OWN_SOURCE = "embedded"
"""What is drawn on this machine."""
ENDINGS = (".jpg", ".png")
_WORD = re.compile(r"[A-Za-z0-9_~][A-Za-z0-9_.~-]{0,199}")
_FARTHEST = 1e6


@dataclass(frozen=True)
class Shot:
    """One picture of a set: its file, SHA-256, and what its maker says of it (pose, light, …)."""

    file: str
    sha256: str
    about: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True)
class Problem:
    """A line of the index.

    `take` counts how often the problem was rejected by eye and made anew; a later take has another
    id. `distances` are the gate's: of the reference to each candidate, and of the right candidate
    to each (0 for itself). `redraws` counts draws that were thrown away, by reason.
    """

    id: str
    source: str
    version: int
    seed: int
    number: int
    take: int
    attributes: Attributes | None
    reference: Shot
    candidates: tuple[Shot, ...]
    truth: str
    distances: tuple[float, ...]
    beside: tuple[float, ...]
    redraws: Mapping[str, int]

    @property
    def shots(self) -> tuple[Shot, ...]:
        return (self.reference, *self.candidates)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def read_problems(folder: Path) -> Iterator[Problem]:
    """The problems in the order of the index, each id once; nothing where there is no index.

    BadInput names the file, the line and what is wrong with it.
    """
    seen: set[str] = set()
    source = None
    for number, line in _lines(folder / INDEX):
        where = f"{folder / INDEX}: line {number}"
        problem = _problem(where, line)
        source = source or problem.source
        if problem.source != source:
            raise BadInput(f"{where}: source: {problem.source!r} in a set of {source!r}")
        if problem.id not in seen:
            seen.add(problem.id)
            yield problem


def name(problems: Iterable[Problem]) -> str:
    """What a set of another source is, wherever it stands and in whatever order its lines are: the
    source, and eight hex digits of its problems' ids, answers and pictures. Empty for ours."""
    found = sorted(problems, key=lambda one: one.id)
    if not found or found[0].source == OWN_SOURCE:
        return ""
    said = (" ".join((one.id, one.truth, *(shot.sha256 for shot in one.shots))) for one in found)
    return f"{found[0].source}-{digest(*said).hex()[:8]}"


def rejected(folder: Path) -> frozenset[str]:
    """The ids that were rejected by eye; the last decision on an id holds."""
    said = decisions.said(decisions.read(folder)).now
    return frozenset(name for name, decision in said.items() if decision is Decision.REJECT)


def add(folder: Path, problem: Problem) -> None:
    """Add a line to the index; the pictures must be there already."""
    plain = {"schema": SCHEMA} | asdict(problem)
    line = json.dumps(plain, ensure_ascii=False) + "\n"
    with _writing(folder), (folder / INDEX).open("ab") as index:
        fcntl.flock(index, fcntl.LOCK_EX)  # or two who draw would cut off each other's lines
        whole = (folder / INDEX).read_bytes().rfind(b"\n") + 1
        index.truncate(whole)  # a torn last line goes; its problem was not handed over
        index.write(line.encode())
        index.flush()
        os.fsync(index.fileno())


def keep(folder: Path, name: str, content: bytes) -> None:
    """Write a picture whole or not at all."""
    with _writing(folder):
        put_whole(folder / name, content)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Within it a disk that is full, or a folder that may not be written, is said in one line."""
    try:
        yield
    except OSError as error:
        said = error.strerror or str(error)
        raise MisstepError(f"{folder}: {said}; what is finished is kept") from None


def picture(folder: Path, shot_file: str, digest: str) -> bytes:
    """A picture as it is shown: its bytes, or what `picture_files.sendable` makes of them.

    BadInput where it is gone, another than the index says, or none that can be read.
    """
    try:
        content = file_content(folder / shot_file)
        if sha256(content) != digest:
            raise Unreadable(f"is not the picture that {INDEX} names")
        return sendable(content, Path(shot_file).suffix)
    except Unreadable as why:
        raise BadInput(f"{folder / shot_file}: {why}") from None


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    try:
        text = file.read_bytes().decode()
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{file}: is not text in UTF-8") from None
    # Not at the other ends of lines that Unicode knows: a name in a line may hold one.
    for number, line in enumerate(text.split("\n")[:-1], 1):
        if line.strip():
            yield number, line


def _object(where: str, line: str) -> dict[str, object]:
    try:
        plain = json.loads(line)
    except (ValueError, RecursionError) as error:
        said = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise BadInput(f"{where}: no JSON: {said}") from None
    if not isinstance(plain, dict):
        raise BadInput(f"{where}: no JSON object")
    return plain


def _problem(where: str, line: str) -> Problem:
    plain = _object(where, line)
    if plain.get("schema") != SCHEMA:
        raise BadInput(f"{where}: schema: {plain.get('schema')!r} is not {SCHEMA}")
    shots = plain.get("candidates")
    if not isinstance(shots, list) or len(shots) != CANDIDATES:
        raise BadInput(f"{where}: candidates: are not {CANDIDATES} pictures")
    truth = plain.get("truth")
    if truth not in [str(place + 1) for place in range(CANDIDATES)]:
        raise BadInput(f"{where}: truth: {truth!r} is not one of 1 to {CANDIDATES}")
    return Problem(
        id=_word(where, plain, "id"),
        source=_word(where, plain, "source"),
        version=_whole(where, plain, "version"),
        seed=_whole(where, plain, "seed"),
        number=_whole(where, plain, "number"),
        take=_whole(where, plain, "take"),
        attributes=_attributes(where, plain.get("attributes")),
        reference=_shot(where, "reference", plain.get("reference")),
        candidates=tuple(_shot(where, "candidates", one) for one in shots),
        truth=str(truth),
        distances=_numbers(where, plain, "distances"),
        beside=_numbers(where, plain, "beside"),
        redraws=_counts(where, plain.get("redraws", {})),
    )


def _text(where: str, plain: Mapping[str, object], name: str) -> str:
    value = plain.get(name)
    if not isinstance(value, str) or not value:
        raise BadInput(f"{where}: {name}: {value!r} is no text")
    return value


def _word(where: str, plain: Mapping[str, object], field_name: str) -> str:
    """Letters, digits and a few signs, since it goes into ids, variants and names of files."""
    value = _text(where, plain, field_name)
    if not _WORD.fullmatch(value):
        raise BadInput(f"{where}: {field_name}: {value!r} is not made of letters, digits and .-_~")
    return value


def _whole(where: str, plain: Mapping[str, object], name: str) -> int:
    value = plain.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadInput(f"{where}: {name}: {value!r} is no whole number")
    return value


def _numbers(where: str, plain: Mapping[str, object], name: str) -> tuple[float, ...]:
    """Empty where the source measures none."""
    values = plain.get(name, [])
    if not isinstance(values, list) or len(values) not in (0, CANDIDATES):
        raise BadInput(f"{where}: {name}: are not {CANDIDATES} numbers")
    for value in values:
        if not isinstance(value, (int, float)) or not -_FARTHEST <= value <= _FARTHEST:
            raise BadInput(f"{where}: {name}: {value!r} is no number of a distance")
    return tuple(float(value) for value in values)


def _attributes(where: str, plain: object) -> Attributes | None:
    """None where nobody has described the people."""
    if plain is None:
        return None
    if not isinstance(plain, dict) or set(plain) != set(NAMES):
        raise BadInput(f"{where}: attributes: are not {', '.join(NAMES)}")
    for name, value in plain.items():
        if value not in VALUES[name]:
            raise BadInput(f"{where}: {name}: {value!r} is not one of {', '.join(VALUES[name])}")
    return Attributes(**plain)


def _shot(where: str, name: str, plain: object) -> Shot:
    if not isinstance(plain, dict):
        raise BadInput(f"{where}: {name}: {plain!r} is no picture")
    file, about = _text(where, plain, "file"), plain.get("about", {})
    if not _WORD.fullmatch(file) or not file.endswith(ENDINGS):
        raise BadInput(f"{where}: {name}: {file!r} is no name of a .jpg or .png file beside it")
    if not isinstance(about, dict):
        raise BadInput(f"{where}: {name}: about: {about!r} is no object")
    return Shot(file, _text(where, plain, "sha256"), about)


def _counts(where: str, plain: object) -> dict[str, int]:
    if not isinstance(plain, dict):
        raise BadInput(f"{where}: redraws: {plain!r} is no object")
    return {reason: _whole(where, plain, reason) for reason in plain}
