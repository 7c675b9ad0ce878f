"""The documentation names what there is: links lead somewhere, commands and options exist.

Commands are parsed by click and never run; what they print is held by the tests of single pages
(tests/planning/test_docs.py, tests/families/test_try_it.py, tests/cli/test_ab_tutorial.py).
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

import misstep
from misstep.cli import cli

ROOT = Path(__file__).parents[2]
FAMILIES = ROOT / "src" / "misstep" / "families"
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(FAMILIES.glob("*/README.md")),
]
_FENCE = re.compile(r"^ *```.*?\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_INLINE = re.compile(r"`(misstep [^`]+)`")
_START = re.compile(r"^(?:\$ |- run: )?(?:\.venv/bin/)?(?=misstep )")
_NAMED = re.compile(r"\bdocs/[\w-]+\.md\b")


class Shown(NamedTuple):
    """A command as a page or a help text shows it."""

    where: str
    line: str
    is_whole: bool  # a line of a block, to be typed as it stands; else a mention in a sentence


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.strip().replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return {slug(line.lstrip("# ")) for line in text.splitlines() if line.startswith("#")}


def broken(page: Path, text: str) -> list[str]:
    """The page's links to files that aren't there, or to headings that those don't have."""
    found = []
    for link in _LINK.findall(_FENCE.sub("", text)):
        if "://" in link or link.startswith("mailto:"):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(link)
    return found


def whole(text: str) -> Iterator[str]:
    """The commands of a block, each in one line, with the lines that carry it on."""
    going: str | None = None
    for line in [*text.replace("\\\n", " ").splitlines(), ""]:
        stripped = line.strip()
        if going is not None and stripped.startswith("--"):
            going += f" {stripped}"
            continue
        if going is not None:
            yield going
        started = _START.sub("", stripped)
        going = started if _START.match(stripped) else None


def shown_on(page: Path) -> Iterator[Shown]:
    name, text = str(page.relative_to(ROOT)), page.read_text(encoding="utf-8")
    for block in _FENCE.findall(text):
        for line in whole(block):
            if not line.startswith("misstep: "):
                yield Shown(name, line, is_whole=True)
    for mention in _INLINE.findall(_FENCE.sub("", text)):
        yield Shown(name, " ".join(mention.split()), is_whole=False)


def leaves(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            yield from leaves(child, (*path, name))
    else:
        yield " ".join(path), command


COMMANDS = dict(leaves(cli, ("misstep",)))


def shown_by_help() -> Iterator[Shown]:
    for name, command in COMMANDS.items():
        for line in whole(command.help or ""):
            yield Shown(f"{name} --help", line, is_whole=True)


def parse(shown: Shown) -> None:
    """Raise click's own error where the command, or an option of it, is none."""
    words = shlex.split(re.sub(r"[\[\]]", "", shown.line), comments=True)[1:]
    words = words[: words.index(">")] if ">" in words else words
    command: click.Command = cli
    context = click.Context(cli, info_name="misstep")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        child = command.commands.get(name)
        if child is None:
            raise click.UsageError(f"no command {name!r}")
        command, context = child, click.Context(child, info_name=name, parent=context)
    if shown.is_whole and not isinstance(command, click.Group):
        command.make_context(str(command.name), words, parent=context.parent)
    else:
        with suppress(click.BadOptionUsage):  # "--by", where a sentence leaves out its value
            command.make_parser(context).parse_args(words)


def faults(all_shown: Iterator[Shown]) -> list[str]:
    found = []
    for shown in all_shown:
        try:
            parse(shown)
        except (click.ClickException, ValueError) as error:
            said = error.format_message() if isinstance(error, click.ClickException) else error
            found.append(f"{shown.where}: {shown.line}: {said}")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = [name for name in _NAMED.findall(text) if not (ROOT / name).exists()]
    assert broken(page, text) + named == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_page_shows_exists_with_its_options(page: Path) -> None:
    assert faults(shown_on(page)) == []


def test_a_wrong_link_command_or_option_is_caught() -> None:
    page = ROOT / "README.md"
    assert broken(page, "[a](docs/none.md) [b](docs/ab.md#none) [c](docs/ab.md#scorers)") == [
        "docs/none.md",
        "docs/ab.md#none",
    ]
    wrong = ["misstep runs", "misstep run grammar --scales paper", "misstep models fetch x"]
    wrong += ["misstep run", "misstep run grammar --limit many", "misstep run 'grammar"]
    shown = [Shown("", line, is_whole=True) for line in [*wrong, "misstep run grammar --limit 3"]]
    assert [fault.split(": ")[1] for fault in faults(iter(shown))] == wrong
    block = "$ misstep check a b \\\n    --by x\n  - run: misstep list\n    --json\nmisstep: no\nx"
    assert list(whole(block)) == ["misstep check a b      --by x", "misstep list --json"]


def test_every_help_has_an_example_that_can_be_typed() -> None:
    assert faults(shown_by_help()) == []
    with_example = {name for name in COMMANDS for shown in shown_by_help() if name in shown.line}
    assert with_example == set(COMMANDS)
    texts = [str(option.to_info_dict()) for one in COMMANDS.values() for option in one.params]
    named = _NAMED.findall(" ".join([*texts, *(one.help or "" for one in COMMANDS.values())]))
    assert len(named) > 3
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_option_says_what_it_does() -> None:
    silent = [
        f"{name} {option.opts[0]}"
        for name, command in COMMANDS.items()
        for option in command.params
        if isinstance(option, click.Option)
        if (option.help or "[").startswith("[")
    ]
    assert silent == []


def test_the_list_of_commands_is_whole_at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for words in (["--help"], ["plan", "--help"], ["models", "--help"], ["import", "--help"]):
        said = CliRunner().invoke(cli, words).output
        assert "Commands:" in said
        listed = said.partition("Commands:")[2].splitlines()
        assert [line for line in listed if line.endswith("...")] == []


def test_the_readme_has_every_command_and_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[0] for line in readme.splitlines() if line.startswith("| `misstep ")]
    assert set(re.findall(r"`misstep ([\w-]+)", " ".join(rows))) == set(cli.commands)
    assert "(docs/README.md)" in readme
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages - set(re.findall(r"\(([\w-]+\.md)[#)]", index)) == set()
    assert len(readme.splitlines()) < 150, "a README is read, not studied"


def test_the_version_is_the_same_wherever_it_is_told() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", cited, re.MULTILINE) == [project["version"]]
    assert misstep.__version__ == project["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (.+)$", changes, re.MULTILINE)
    assert sections[0] == "Unreleased" or sections[0].startswith(project["version"])
    assert len(sections) == len(set(sections))
