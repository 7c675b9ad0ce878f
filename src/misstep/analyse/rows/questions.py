"""A file of the user's own → the questions to ask: checked whole, but never in memory whole.

The file is read twice: once to check every row and to count its groups, once to keep the rows of
the groups that are asked.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from misstep.analyse.rows.files import RawRow, columns_of, stream_rows
from misstep.analyse.rows.messages import read_messages, read_results, read_schema, read_tools
from misstep.core.errors import BadInput
from misstep.core.questions import (
    MOST_CHOICES,
    Json,
    Message,
    Part,
    Question,
    chosen_groups,
    factors_of,
    with_choices,
)

QUESTION = ("question", "prompt", "input", "messages")
ANSWER = ("answer", "target")
MESSAGES, CHOICES, TOOLS, RESULTS = "messages", "choices", "tools", "tool_results"
SCHEMA = ("response_schema", "response_format", "schema")


@dataclass(frozen=True)
class Columns:
    """Which column holds what; None: the first of the usual names that the file has.

    Without `needs_answer`, rows may have no answer, and the file no such column.
    """

    question: str | None = None
    answer: str | None = None
    group: str | None = None
    id: str | None = None
    needs_answer: bool = True


@dataclass(frozen=True)
class Selection:
    """The questions of a file, group by group in the seed's order.

    `rows` counts all that the file holds. `digest` stands for everything that the file asks, its
    answers and factors left out.
    """

    questions: tuple[Question, ...]
    rows: int
    groups: int
    digest: str


def read_questions(
    path: Path, columns: Columns, limit: int | None = None, seed: int = 0
) -> Selection:
    """The questions of the first whole groups in the seed's order, `limit` of them at most."""
    found = _resolved(path, columns)
    survey = _survey(path, found)
    places = chosen_groups(survey.sizes, limit, seed, path.name)
    names = list(survey.sizes)
    kept: dict[int, list[Question]] = {}
    for row, group in zip(stream_rows(path), survey.group_of_row, strict=False):
        if names[group] in places:
            kept.setdefault(places[names[group]], []).append(_question(path, found, row))
    questions = tuple(one for place in sorted(kept) for one in kept[place])
    return Selection(questions, survey.rows, len(survey.sizes), survey.digest)


@dataclass
class _Survey:
    """What the first reading keeps of each row: its id and place, and the number of its group."""

    sizes: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    group_of_row: array[int] = field(default_factory=lambda: array("L"))
    places: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    digest: str = ""


def _survey(path: Path, columns: Columns) -> _Survey:
    found, asked = _Survey(), hashlib.sha256()
    for question in _questions(path, columns):
        place = question.place.removeprefix(f"{path}: ")
        before = found.places.setdefault(question.id, place)
        if before != place:
            raise BadInput(_twice(path, columns, question, before))
        number = found.numbers.setdefault(question.group, len(found.numbers))
        found.group_of_row.append(number)
        found.sizes[question.group] = found.sizes.get(question.group, 0) + 1
        asked.update(f"{question.id}\x1f{question.group}\x1f{_content(question)}".encode())
        found.rows += 1
    if not found.rows:
        raise BadInput(f"{path}: holds no row")
    return replace(found, digest=asked.hexdigest()[:16])


def _twice(path: Path, columns: Columns, question: Question, before: str) -> str:
    if columns.id is not None:
        return f"{question.place}: {columns.id}: {question.id!r} is also that of {before}"
    return (
        f"{question.place}: {columns.question}: asks the same as {before}; "
        "leave one out, or give the rows ids (--id COL)"
    )


def _resolved(path: Path, asked: Columns) -> Columns:
    """The columns by the names that the file has; BadInput names the nearest where one lacks."""
    known = columns_of(path)
    question = _column(path, "--question", asked.question, QUESTION, known)
    if question is None:
        raise BadInput(
            f"{path}: no column of questions ({', '.join(QUESTION)}); --question COL names it; "
            f"the file has: {_listed(known)}"
        )
    answer = _column(path, "--answer", asked.answer, ANSWER, known)
    if answer is None and asked.needs_answer:
        raise BadInput(
            f"{path}: no column of answers ({', '.join(ANSWER)}); --answer COL names it; "
            f"the file has: {_listed(known)}"
        )
    group = _column(path, "--group", asked.group, ("group",), known)
    own_id = _column(path, "--id", asked.id, ("id",), known)
    return Columns(question, answer, group, own_id, asked.needs_answer)


def _column(
    path: Path, option: str, named: str | None, usual: Sequence[str], known: Sequence[str]
) -> str | None:
    if named is None:
        return next((name for name in usual if name in known), None)
    if named in known:
        return named
    near = difflib.get_close_matches(named, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; the file has: {_listed(known)}"
    raise BadInput(f"{option}: {path} has no column {named!r}{hint}")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:12]))
    return f"{shown} and {len(names) - 12} more" if len(names) > 12 else shown


def _questions(path: Path, columns: Columns) -> Iterator[Question]:
    for row in stream_rows(path):
        yield _question(path, columns, row)


def _question(path: Path, columns: Columns, row: RawRow) -> Question:
    where, cells = f"{path}: {row.place}", row.cells
    choices = _choices(f"{where}: {CHOICES}", cells.get(CHOICES))
    messages = _messages(where, columns, row, choices, path.parent)
    tools = read_tools(f"{where}: {TOOLS}", cells.get(TOOLS))
    schemas = [name for name in SCHEMA if name in cells]
    made = Question(
        id="",
        group="",
        messages=messages,
        answer=_answer(where, columns, row),
        choices=choices,
        tools=tools,
        results=read_results(f"{where}: {RESULTS}", cells.get(RESULTS), tools),
        schema=read_schema(f"{where}: {schemas[0]}", cells[schemas[0]]) if schemas else None,
        place=where,
    )
    own_id = (
        _name(where, columns.id, row) or hashlib.sha256(_content(made).encode()).hexdigest()[:12]
    )
    words = {columns.question, TOOLS, RESULTS, *SCHEMA}
    plain = {name: cell for name, cell in cells.items() if name not in words}
    known = {columns.answer, columns.group, columns.id, CHOICES}
    factors = factors_of({name: cell for name, cell in plain.items() if name not in known})
    group = _name(where, columns.group, row) or own_id
    return replace(made, id=own_id, group=group, columns=plain, factors=factors)


def _messages(
    where: str, columns: Columns, row: RawRow, choices: Sequence[str], folder: Path
) -> tuple[Message, ...]:
    """The words of the row; below a question by itself stand its choices, if it has any."""
    cell = row.cells.get(str(columns.question))
    place = f"{where}: {columns.question}"
    if columns.question == MESSAGES or isinstance(cell, list):
        return read_messages(place, cell, folder)
    if cell is None or not str(cell).strip():
        raise BadInput(f"{place}: is empty")
    if isinstance(cell, dict):
        raise BadInput(f"{place}: is an object, and should be text or a list of messages")
    return (Message("user", (Part(text=with_choices(str(cell), choices)),)),)


def _answer(where: str, columns: Columns, row: RawRow) -> Json:
    cell = None if columns.answer is None else row.cells.get(columns.answer)
    is_absent = cell is None or (isinstance(cell, str) and not cell.strip())
    if is_absent and columns.needs_answer:
        raise BadInput(f"{where}: {columns.answer}: is empty")
    return None if is_absent else cell


def _name(where: str, column: str | None, row: RawRow) -> str | None:
    """The id or the group of a row whose file has such a column."""
    if column is None:
        return None
    cell = row.cells.get(column)
    if cell is None or isinstance(cell, (list, dict)) or not str(cell).strip():
        raise BadInput(f"{where}: {column}: {cell!r} is no name")
    return str(cell).strip()


def _choices(where: str, cell: Json) -> tuple[str, ...]:
    """A list, or text: a JSON list, or choices with `|` between them."""
    if cell is None or cell == "":
        return ()
    if isinstance(cell, str):
        cell = _listed_choices(where, cell)
    if not isinstance(cell, list) or not 2 <= len(cell) <= MOST_CHOICES:
        raise BadInput(f"{where}: {cell!r} is no list of 2 to {MOST_CHOICES} choices")
    found = tuple(str(one).strip() for one in cell)
    for one in found:
        if not one or found.count(one) > 1:
            raise BadInput(f"{where}: {one!r} is empty or there twice")
    return found


def _listed_choices(where: str, text: str) -> Json:
    if not text.lstrip().startswith("["):
        return list(text.split("|"))
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where}: is no JSON list: {error}") from None
    return found


def _content(question: Question) -> str:
    """Everything that the question asks, as text."""
    (first, *more), extras = question.messages, (question.choices, question.tools)
    if not more and first.parts == (Part(first.text),) and not any(extras) and not question.schema:
        return first.text
    messages = [asdict(message) for message in question.messages]
    tools = [asdict(tool) for tool in question.tools]
    asked = [messages, question.choices, tools, dict(question.results), question.schema]
    return json.dumps(asked, ensure_ascii=True, sort_keys=True, default=str)
