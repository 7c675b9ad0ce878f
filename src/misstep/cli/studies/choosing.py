"""Which study a command is about: a file, or the defaults of a family."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli import completing
from misstep.cli.options import PLACE, making
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.study.course.nouns import Study

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options
_NEEDED = ("alembic", "fastapi", "markdown_it", "sqlalchemy")


def about_a_study(command: Command) -> Command:
    """The argument and options that name a study and its database."""
    for option in (
        click.option(
            "--database",
            metavar="FILE|URL",
            help="A file of SQLite, or postgresql://… [default: a .db named as the study]",
        ),
        click.option(
            "--seed", type=int, metavar="S", help="Of a study without a file. [default: 0]"
        ),
        click.option(
            "--people", type=int, metavar="N", help="Of a study without a file. [default: 40]"
        ),
        click.option(
            "--family",
            metavar="FAMILY",
            shell_complete=completing.families,
            help="A study of this family's defaults, without a file.",
        ),
        click.argument("study", type=PLACE, metavar="[STUDY.toml]", required=False),
    ):
        command = option(command)
    return command


def chosen_study(
    study: Path | None, family: str | None, people: int | None, seed: int | None
) -> Study:
    """BadInput where not exactly one of file and family is named."""
    check_installed()
    from misstep.study.course.file import default_study, read_study

    if (study is None) == (family is None):
        raise BadInput("STUDY.toml: name a study's file, or --family for a study of defaults")
    if family is not None:
        if people is not None and people < 1:
            raise BadInput(f"--people: {people} is below 1")
        if seed is not None and seed < 0:
            raise BadInput(f"--seed: {seed} is below 0")
        return default_study(family, people, seed or 0)
    for option, value in (("--people", people), ("--seed", seed)):
        if value is not None:
            raise BadInput(f"{option}: {value}: stands in the study's file")
    assert study is not None  # noqa: S101 (one of the two is named)
    return read_study(study)


def make_items(study: Study, path: Path | None = None) -> None:
    """All that people will meet, with a bar where it takes long; it is kept for this process.
    A fault names the study's file, where there is one."""
    from misstep.study.course.drawing import pool_of

    with making():
        for block in range(len(study.blocks)):
            try:
                pool_of(study, block)
            except BadInput as error:
                raise BadInput(f"{path or '--family'}: {error}") from None


def database_of(study: Path | None, family: str | None, database: str | None) -> str:
    """As asked for; else a file beside the study's, or here for a study of defaults."""
    if database == "":
        raise BadInput("--database: '' names neither a file nor a server")
    if database is not None:
        return database
    return f"study-{family}.db" if study is None else str(study.with_suffix(".db"))


def naming(
    study: Path | None,
    family: str | None,
    people: int | None,
    seed: int | None,
    database: str | None,
) -> str:
    """The words that name the same study and database again."""
    words = [] if study is None else [str(study)]
    for option, value in (
        ("--family", family),
        ("--people", people),
        ("--seed", seed),
        ("--database", database),
    ):
        if value is not None:
            words += [option, str(value)]
    return shlex.join(words)


def check_installed() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise MisstepError(f"{missing[0]} is missing; install misstep[study]")
