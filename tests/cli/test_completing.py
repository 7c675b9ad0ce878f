"""What a shell is offered for a line that is begun, through click's own completion."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from misstep.cli import cli
from misstep.cli.bash import JoiningBash
from misstep.families.planbench.spec import DOMAINS, TESTS
from misstep.registry import ROOMS

THINKING = [f"think:{amount}" for amount in ("none", "low", "medium", "high")]


def offered(line: str) -> list[str]:
    """For the last word of the line, which is empty where the line ends in a space."""
    *words, begun = line.split(" ")
    complete = ShellComplete(cli, {}, "misstep", "_MISSTEP_COMPLETE")
    return [item.value for item in complete.get_completions(words, begun)]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("run pl", ["planbench"]),
        ("list ", list(ROOMS)),
        ("show gr", ["grammar"]),
        ("run grammar --arms ", ["direct", "cot", "tot", *THINKING, "self-consistency"]),
        ("run grammar --arms direct,t", ["direct,tot", *(f"direct,{name}" for name in THINKING)]),
        ("items planbench --arm s", ["state-tracking", "self-consistency"]),
        ("items planbench --arm to", ["tot"]),
        ("run grammar --scale ", ["quick", "paper"]),
        ("run planbench --model ref/c", ["ref/copy-example"]),
        ("run grammar --model embedded/s", ["embedded/smollm2-135m"]),
        ("models get q", ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b"]),
        ("compare --by gram", ["grammatical"]),
        ("run planbench -T ex", ["examples="]),
        ("run planbench -T w", ["wording=english", "wording=pddl"]),
        ("items grammar -T deterministic=", ["deterministic=true", "deterministic=false"]),
        ("run planbench -T test=plan-r", ["test=plan-reuse"]),
        ("run planbench -T domain=ferry+", ["domain=ferry+deceptive", "domain=ferry+random"]),
        ("run planbench -T nothing=", []),
        ("run planbench -T size=", ["size="]),
    ],
)
def test_values_are_offered_where_they_are_known(line: str, values: list[str]) -> None:
    assert offered(line) == values


def test_every_test_and_every_domain_is_offered() -> None:
    assert offered("run planbench -T test=") == [f"test={name}" for name in TESTS]
    assert set(offered("show planbench -T domain=")) >= {f"domain={name}" for name in DOMAINS}


def test_a_domain_of_the_users_is_offered_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "garden").mkdir()
    (tmp_path / "garden/domain.pddl").write_text("(define (domain garden))")
    (tmp_path / "garden/wording.toml").write_text("")
    monkeypatch.setenv("MISSTEP_DOMAINS", str(tmp_path))
    assert "domain=garden+random" in offered("run planbench -T domain=gar")
    monkeypatch.setenv("MISSTEP_DOMAINS", str(tmp_path / "nowhere"))
    assert offered("run planbench -T domain=fer")[0] == "domain=ferry"


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["run", "planbench", "-T", "test", "=", "plan-r"], ["plan-reuse"]),
        (["run", "planbench", "-T", "question", "="], ["state", "changes"]),
        (["items", "planbench", "-T", "test", "=", "goal-p"], ["goal-partial-to-full"]),
        (["run", "gr"], ["grammar"]),
    ],
)
def test_bash_takes_an_equals_sign_for_a_word_and_gets_what_stands_behind_it(
    monkeypatch: pytest.MonkeyPatch, words: list[str], values: list[str]
) -> None:
    monkeypatch.setenv("COMP_WORDS", "\n".join(["misstep", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    complete = JoiningBash(cli, {}, "misstep", "_MISSTEP_COMPLETE")
    assert complete.complete() == "\n".join(f"plain,{value}" for value in values)


def test_completion_imports_neither_the_runner_nor_the_numbers_stack(tmp_path: Path) -> None:
    script = (
        "import sys, json, atexit\n"
        "heavy = ('inspect_ai', 'numpy', 'scipy', 'polars', 'matplotlib', 'rich')\n"
        "found = lambda: json.dumps([name for name in heavy if name in sys.modules])\n"
        "atexit.register(lambda: print(found(), file=sys.stderr))\n"
        "from misstep.cli import main\n"
        "sys.argv = ['misstep']\n"
        "main()\n"
    )
    line = "misstep run planbench -T test=plan-"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={
            **os.environ,
            "COMP_WORDS": line,
            "COMP_CWORD": "4",
            "_MISSTEP_COMPLETE": "bash_complete",
        },
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split("\n")[0] == "plain,plan-generation", done.stderr
    assert json.loads(done.stderr) == []
