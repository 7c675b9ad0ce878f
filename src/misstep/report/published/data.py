"""The printed tables as data, read from a file for each paper beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

FILES = ("mind-your-step.toml", "planbench.toml")
Toml = Mapping[str, Any]  # Any: values of TOML


class Role(StrEnum):
    """What a column holds: a result, or something reckoned from the results of two arms."""

    VALUE = "value"
    FALL = "fall"
    RISE = "rise"
    RELATIVE_FALL = "relative fall"
    RELATIVE_RISE = "relative rise"
    P = "p"

    @property
    def is_relative(self) -> bool:
        return self in (Role.RELATIVE_FALL, Role.RELATIVE_RISE)

    @property
    def sign(self) -> int:
        """-1 where a positive number says that the arm lies below the baseline."""
        return -1 if self in (Role.FALL, Role.RELATIVE_FALL) else 1


@dataclass(frozen=True)
class Column:
    """`unit` is percent, passes, count ("3/500 (0.6%)") or p. `where` names the items' factors.

    `n` is the number of questions behind a share, asked in `prompts` ways each. Of several
    `arms` the column holds the mean. `over` is the heading that it shares with its neighbours.
    """

    head: str
    role: Role
    unit: str
    over: str = ""
    digits: int = 0
    arms: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    n: int | None = None
    prompts: int = 1
    signed: bool = False

    @property
    def title(self) -> str:
        return f"{self.over} {self.head}".strip()


@dataclass(frozen=True)
class Row:
    """`cells` are the printed texts in the columns' order: "" is an empty cell, "-" a dash.

    `n` overrules the columns'. `arm_row` names the row in which the other arm's answer stands.
    """

    name: str
    cells: tuple[str, ...]
    n: int | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    arm_row: str = ""


@dataclass(frozen=True)
class Published:
    """One printed table. `about` is in our own words; `needs` is an arm without which a user's
    run has nothing to put beside it. `models` says whether they stand in its rows or columns.
    `number` is 0 where the figures stand in the text, not in a table.
    """

    paper: str
    number: int
    section: str
    family: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    n_from: str = ""
    needs: str = ""
    models: str = "rows"

    @property
    def title(self) -> str:
        place = f"Table {self.number}" if self.number else f"§{self.section}"
        return f"{self.paper}, {place}"

    @property
    def caption(self) -> str:
        return f"{self.title}: {self.about}"

    def row(self, name: str) -> Row:
        return next(row for row in self.rows if row.name == name)

    def cell(self, row: Row, column: Column) -> str:
        return row.cells[self.columns.index(column)]


@dataclass(frozen=True)
class Figure:
    """One printed figure; `n` is the number of questions behind it, where that is stated."""

    paper: str
    table: int
    row: str
    column: str
    unit: str
    n: int | None
    text: str


@dataclass(frozen=True)
class WithoutResults:
    """A table that prints no results, and what it prints instead."""

    paper: str
    number: int
    holds: str


@cache
def tables() -> tuple[Published, ...]:
    """Every table with results, paper by paper, in the order of print."""
    return tuple(
        _table(file["paper"], found) for file in map(_read, FILES) for found in file["table"]
    )


@cache
def without_results() -> tuple[WithoutResults, ...]:
    return tuple(
        WithoutResults(file["paper"], found["number"], found["holds"])
        for file in map(_read, FILES)
        for found in file.get("without_results", ())
    )


def figures() -> Iterator[Figure]:
    """Every printed figure; empty cells and dashes are none."""
    for table in tables():
        for row in table.rows:
            for column in table.columns:
                text = table.cell(row, column)
                if text not in ("", "-"):
                    n = questions(row, column)
                    yield Figure(
                        table.paper, table.number, row.name, column.title, column.unit, n, text
                    )


def questions(row: Row, column: Column) -> int | None:
    """How many questions a share is of; None where none are stated or the cell is no share."""
    return row.n or column.n if column.role is Role.VALUE else None


def _read(name: str) -> Toml:
    return tomllib.loads(resources.files(__package__).joinpath(name).read_text("utf-8"))


def _table(paper: str, found: Toml) -> Published:
    parts = {
        "columns": tuple(_column(column) for column in found["columns"]),
        "rows": tuple(Row(**{**row, "cells": tuple(row["cells"])}) for row in found["rows"]),
    }
    return Published(paper=paper, **{**found, **parts})


def _column(found: Toml) -> Column:
    return Column(**{**found, "role": Role(found["role"]), "arms": tuple(found.get("arms", ()))})
