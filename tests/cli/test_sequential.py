"""`run --sequential` as a user meets it: what is printed while it runs, after it, and again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click.testing
import pytest
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi

from misstep.cli import cli
from misstep.core.errors import BadInput
from misstep.runner.calls.asking import current_place


@modelapi(name="hasty")
class HastyAPI(ModelAPI):
    """Right when asked directly, wrong when it should think."""

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        place = current_place()
        assert place is not None
        is_right = place.arm == "direct"
        answer = place.item.truth if is_right else {"Yes": "No", "No": "Yes"}[place.item.truth]
        return ModelOutput.from_content(self.model_name, f"My answer is {answer}")

    def max_connections(self) -> int:
        return 1


def said(*words: str) -> str:
    asked = click.testing.CliRunner().invoke(cli, list(words), env={"COLUMNS": "80"})
    assert asked.exit_code == 0, asked.output
    return " ".join(asked.output.split())


@pytest.fixture
def run(tmp_path: Path) -> list[str]:
    words = ["run", "grammar", "--model", "hasty/x", "--limit", "60", "--sequential"]
    return [*words, "--preflight", "no", "--log-dir", str(tmp_path / "logs")]


def test_it_stops_says_where_and_asks_nothing_the_next_time(run: list[str], tmp_path: Path) -> None:
    first = said(*run)
    assert "up to 120 answers to get" in first
    assert "decided after 8 of 30 groups: cot −100.0 points" in first
    assert "HURTS: cot does worse than direct on the same items, by 100.0 points." in first
    assert "(sign-flip e-process, anytime-valid, two-sided)" in first
    assert "anytime-valid: stopped after 8 of 30 groups; 32 of 120 answers" in first
    assert "paper's one-sided z" not in first
    assert "decided after 8 of 30 groups; nothing was left to ask" in said(*run)
    compared = said("compare", str(tmp_path / "logs"))
    assert "anytime-valid: stopped after 8 of 30 groups; 32 of 120 answers" in compared


def test_json_names_the_looks(run: list[str]) -> None:
    plain = json.loads(click.testing.CliRunner().invoke(cli, [*run, "--json"]).stdout)
    (one,) = plain["comparisons"]
    assert (one["is_sequential"], one["looks"], one["looks_planned"]) == (True, 8, 30)
    assert (one["answers"], one["answers_planned"], one["paper_p"]) == (32, 120, None)


def test_an_undecided_run_names_the_command_that_goes_on(run: list[str]) -> None:
    out = said(*run, "--limit", "8")
    assert "undecided after 4 of 4 groups" in out
    assert "a guess that takes the groups to come to be like those so far." in out
    assert out.rstrip().split("asking nothing again:")[1].count("--sequential") == 1


def test_a_single_arm_is_refused_in_a_line(run: list[str], tmp_path: Path) -> None:
    asked = click.testing.CliRunner().invoke(cli, [*run, "--arms", "direct"])
    assert isinstance(asked.exception, BadInput)
    assert str(asked.exception) == "--sequential: compares arms, and only 'direct' is asked"
    assert not (tmp_path / "logs").exists()
