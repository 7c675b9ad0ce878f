"""`misstep show`: an item by its id, with the part that stands for options or without it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from misstep.cli import cli
from misstep.core.errors import BadInput

OPTIONS = ("-T", "deterministic=true")


def said(*words: str) -> str:
    done = CliRunner().invoke(cli, ["show", "grammar", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def full_id() -> str:
    """Of the first item that these options make."""
    return said(*OPTIONS).splitlines()[-1].split(",")[0]


def test_an_item_of_other_options_is_found_by_either_form_of_its_id() -> None:
    whole = full_id()
    family, seed, _, *rest = whole.replace("~", "-").split("-")
    short = "-".join([family, seed, *rest])
    assert "~" in whole
    assert "~" not in short
    assert said("--item", whole, *OPTIONS) == said("--item", short, *OPTIONS)
    assert said("--item", short, *OPTIONS).splitlines()[-1].startswith(f"{whole}, ")


@pytest.mark.parametrize("options", [(), OPTIONS])
def test_an_id_that_is_none_names_the_ids_that_are(options: tuple[str, ...]) -> None:
    wrong = "grammar-0~abcdef-003-04"
    done = CliRunner().invoke(cli, ["show", "grammar", "--item", wrong, *options])
    assert isinstance(done.exception, BadInput)
    message = str(done.exception)
    assert (
        f"grammar has no item '{wrong}' at seed 0 with these options; its ids run from" in message
    )
    first = full_id() if options else "grammar-0-000-00"
    assert first.rpartition("-")[0] in message
