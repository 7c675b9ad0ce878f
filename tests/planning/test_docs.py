"""The planning pages of the documentation do what they say: their blocks are run, in order.

A block that names a file after its language writes that file. In `console` blocks each line after
"$ " is a command, with its output below it; a line "..." stands for any lines, and an ellipsis of
one letter for words within a line. `python` blocks are one program, and a `text` block right after
one is what it prints.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ANY = {"...\n": r"(?:.*\n)*?", "\u2026": ".*?"}
_PROGRAMS = {
    "misstep": (sys.executable, "-m", "misstep"),
    "python": (sys.executable,),
}


@dataclass(frozen=True)
class Block:
    language: str
    file: str
    text: str


def blocks(page: str) -> list[Block]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return [Block(*match.groups()) for match in _BLOCK.finditer(text)]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the output that is claimed for it."""
    for piece in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = piece.partition("\n")
        yield command, output


def printed(command: str) -> str:
    """What the command prints, errors last; "> FILE" at its end sends the rest there."""
    words, _, target = command.partition(" > ")
    program, *arguments = shlex.split(words)
    done = subprocess.run(
        [*_PROGRAMS.get(program, (program,)), *arguments],
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        check=False,
        text=True,
    )
    if target:
        Path(target).write_text(done.stdout, encoding="utf-8")
    return ("" if target else done.stdout) + done.stderr


def assert_same(found: str, claimed: str, what: str) -> None:
    pieces = re.split(r"(^\.\.\.$\n|\u2026)", claimed, flags=re.MULTILINE)
    pattern = "".join(_ANY.get(piece, re.escape(piece)) for piece in pieces)
    assert re.fullmatch(pattern, found), f"{what}\n--- prints:\n{found}"


@pytest.mark.parametrize("page", ["planning.md", "own-domain.md"])
def test_what_a_page_claims_is_what_is_printed(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if importlib.util.find_spec("up_fast_downward") is None:
        pytest.skip("Fast Downward, which the pages call, is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MISSTEP_DOMAINS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    names: dict[str, object] = {}
    said, compared = "", 0
    for block in blocks(page):
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            for command, output in commands(block.text):
                assert_same(printed(command), output, command)
                compared += 1
        elif block.language == "python":
            with redirect_stdout(StringIO()) as out:
                exec(block.text, names)  # noqa: S102 - the project's own documentation
            said = out.getvalue()
        elif block.language == "text":
            assert_same(said, block.text, "python")
            compared += 1
    assert compared > 3


def test_a_page_that_claims_something_else_is_caught() -> None:
    assert_same("a\nb\nc\n", "a\n...\nc\n", "")
    with pytest.raises(AssertionError):
        assert_same("a\nb\nc\n", "a\n...\nd\n", "")
    with pytest.raises(AssertionError):
        assert_same("a\nb\n", "a\n", "")
    assert_same("see /x/y now\n", "see \u2026 now\n", "")
    with pytest.raises(AssertionError):
        assert_same("see /x\n/y now\n", "see \u2026 now\n", "")
