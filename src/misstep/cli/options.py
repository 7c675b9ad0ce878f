"""Options that several commands share, and the printing of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli import completing
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options


class _Place(click.Path):
    """A path; an empty one, as an unset variable of a shell leaves it, is not this folder."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:  # Any: as click has it
        if value == "":
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


PLACE = _Place(path_type=Path)
SCALES = click.Choice(["quick", "paper"])
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
OPTIONS = click.option(
    "-T",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    shell_complete=completing.options,
    help="An option of the family.",
)
SEED = click.option("--seed", default=0, show_default=True, help="Another seed, other items.")
SCALE = click.option(
    "--scale", type=SCALES, default="quick", show_default=True, help="How many groups of items."
)
LIMIT = click.option("--limit", type=int, metavar="N", help="At most N items, in whole groups.")
_RETRIES = click.option(
    "--max-retries",
    default=10,
    show_default=True,
    metavar="N",
    help="Make a call that fails again so often (docs/faults.md).",
)
_ATTEMPT = click.option(
    "--attempt-timeout",
    type=int,
    metavar="SECONDS",
    help="Make a call again that brought no reply by then. [default: the provider's own]",
)


def trying(command: Command) -> Command:
    """The options of a command whose calls may fail."""
    return _RETRIES(_ATTEMPT(command))


def trying_words(max_retries: int, attempt_timeout: int | None) -> list[str]:
    """The options as a command that goes on repeats them."""
    words = [] if max_retries == 10 else ["--max-retries", str(max_retries)]
    return words if attempt_timeout is None else [*words, "--attempt-timeout", str(attempt_timeout)]


def read_options(pairs: Iterable[str]) -> dict[str, str]:
    from misstep.core.options import read_pairs

    return read_pairs("-T", pairs)


def refuse_twice(what: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"{what}: {name!r} is named twice")


def print_json(plain: object, indent: int | None = 2) -> None:
    """In plain letters; escaped where half a surrogate pair is in it, which nothing can print."""
    text = json.dumps(plain, ensure_ascii=False, indent=indent)
    is_printable = not any("\ud800" <= letter <= "\udfff" for letter in text)
    click.echo(text if is_printable else json.dumps(plain, indent=indent))


@contextmanager
def making() -> Iterator[None]:
    """A bar for items that take long to make; where no terminal would show it, a line a minute."""
    from misstep.report.making import making as bar
    from misstep.report.making import telling

    shown = bar if sys.stderr.isatty() else telling
    with shown(console(stderr=True)):
        yield


def console(*, stderr: bool = False) -> Console:
    """Rich is imported only where something is printed with it."""
    from rich.console import Console

    return Console(stderr=stderr)
