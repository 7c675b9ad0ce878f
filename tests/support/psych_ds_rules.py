"""The published rules of Psych-DS (its "Rules and Conventions" and its schema), read strictly.

Errors of the official validator are found, and of its warnings those on file names, on namespaces,
and on files that are neither of the specification nor named in .psychds-ignore.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

NAME = re.compile(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv")
KEYWORDS = (
    "study", "site", "subject", "session", "task", "condition", "trial", "stimulus", "description",
)  # fmt: skip
CONTEXTS = tuple(
    f"{scheme}://{host}schema.org{end}"
    for scheme in ("http", "https") for host in ("", "www.") for end in ("", "/")
)  # fmt: skip
OF_DATASET = (
    "name", "description", "variableMeasured", "identifier", "inLanguage", "keywords", "author",
    "license", "citation", "creator", "version", "url", "funder", "schemaVersion",
)  # fmt: skip
OF_VARIABLE = ("name", "description", "unitText", "unitCode", "minValue", "maxValue", "value")
OF_SPECIFICATION = re.compile(
    r"dataset_description\.json|(README|CHANGES)\.(md|txt)"
    r"|data/(.*/)?(.*_data\.(csv|tsv|json)|file_metadata\.json)"
)
LEFT_ALONE = ("analysis/", "documentation/", "materials/", "products/", "results/")
IGNORE = ".psychds-ignore"
Described = Mapping[str, object]


def faults(folder: Path) -> list[str]:
    """A line for each rule that is broken."""
    return list(_faults(folder))


def _faults(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*"):
        if file.is_file() and file.stat().st_size == 0:
            yield f"{file.name} is empty"
        if file.name == "dataset_description.json" and file.parent != folder:
            yield "dataset_description.json lies elsewhere than at the root"
    yield from _strangers(folder)
    if not (folder / "data").is_dir():
        yield "there is no folder data"
    described = json.loads((folder / "dataset_description.json").read_text(encoding="utf-8"))
    yield from _of_description(described)
    known = {one if isinstance(one, str) else one["name"] for one in described["variableMeasured"]}
    files = sorted((folder / "data").rglob("*.csv"))
    if not files:
        yield "there is no data file"
    for file in files:
        yield from _of_file(file, known)
    heads = {name for file in files for name in _table(file)[0]}
    for name in sorted(known - heads):
        yield f"{name} of variableMeasured is no column"


def _strangers(folder: Path) -> Iterator[str]:
    """Files for which the specification has no place, and that it isn't told to leave alone."""
    own = folder / IGNORE
    patterns = [*LEFT_ALONE, *(own.read_text("utf-8").split() if own.is_file() else ())]
    for file in sorted(folder.rglob("*")):
        path = PurePosixPath(file.relative_to(folder))
        is_known = OF_SPECIFICATION.fullmatch(str(path)) or _is_ignored(path, patterns)
        if file.is_file() and not is_known:
            yield f"{path} is neither of the specification nor ignored"


def _is_ignored(path: PurePosixPath, patterns: Iterable[str]) -> bool:
    """By gitignore's patterns, but held against paths that begin with a slash: one with a slash
    inside matches nothing unless **/ stands before it."""
    places = [f"/{path}", *(f"/{above}/" for above in path.parents if above.name)]
    return any(
        fnmatchcase(place, f"*/{name}") or fnmatchcase(place, f"*/{name}/")
        for pattern in patterns
        if (name := pattern.removeprefix("**/")) != pattern or "/" not in pattern.rstrip("/")
        for place in places
    )


def _of_description(described: Described) -> Iterator[str]:
    if described.get("@context") not in CONTEXTS:
        yield f"@context is {described.get('@context')!r}, not schema.org"
    if described.get("@type") != "Dataset":
        yield "@type is not Dataset"
    for name in ("name", "description", "variableMeasured"):
        if not described.get(name):
            yield f"{name} is missing"
    for name in described:
        if name not in ("@context", "@type", *OF_DATASET):
            yield f"{name} is no property of a Dataset"
    measured = described.get("variableMeasured")
    assert isinstance(measured, list)
    for one in measured:
        if isinstance(one, str):
            continue
        if one.get("@type") != "PropertyValue" or not one.get("name"):
            yield f"{one} is no PropertyValue with a name"
        for name in set(one) - {"@type", *OF_VARIABLE}:
            yield f"{name} is no property of a PropertyValue"


def _of_file(file: Path, known: set[str]) -> Iterator[str]:
    if not NAME.fullmatch(file.name):
        yield f"{file.name} is not named by keywords"
    for pair in file.name.removesuffix("_data.csv").split("_"):
        if pair.partition("-")[0] not in KEYWORDS:
            yield f"{pair} has no official keyword"
    heads, *rows = _table(file)
    if len(set(heads)) < len(heads) or not heads:
        yield f"{file.name} has no header, or one twice"
    for name in heads:
        if name not in known:
            yield f"{file.name}: {name} is not among variableMeasured"
    if not rows:
        yield f"{file.name} has no row"
    for number, row in enumerate(rows, 2):
        if len(row) != len(heads):
            yield f"{file.name}: row {number} has {len(row)} cells, not {len(heads)}"
    if "row_id" in heads:
        ids = [row[heads.index("row_id")] for row in rows]
        if len(set(ids)) < len(ids):
            yield f"{file.name}: row_id is not unique"


def _table(file: Path) -> list[list[str]]:
    text = file.read_bytes().decode("utf-8")
    return list(csv.reader(io.StringIO(text), strict=True))
