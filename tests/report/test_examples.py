"""Examples on the page: a short first line, and all the rest beneath it, in one wording."""

from __future__ import annotations

import re
from pathlib import Path

from misstep.core.outcomes import Outcome
from misstep.core.records import Record, Transcript
from misstep.families.planbench import FAMILY
from misstep.report.page.examples import SHORT, examples
from misstep.report.page.gather import gather
from misstep.runner.run import Request, carry_out, plan

PLAN = "[PLAN]\npick up the red block\nstack the red block on the blue block\n[PLAN END]"


def shown(answer: str | None, truth: str, reason: str | None = None) -> tuple[str, str]:
    """The first line of an example, and what stands beneath it."""
    record = Record(
        family="toy", version=1, who="m", item="toy-1", group="g", arm="cot", repetition=1,
        outcome=Outcome.WRONG, value=0.0, answer=answer, truth=truth, reason=reason,
    )  # fmt: skip
    text = examples({Outcome.WRONG: [Transcript(record, "What now?", "Hm. " + (answer or ""))]})
    found = re.search(r"<details><summary>(.*?)</summary>(.*)</details>", text, re.DOTALL)
    assert found is not None
    return found[1], found[2]


def test_short_answers_stand_in_the_first_line_and_nowhere_else_again() -> None:
    first, rest = shown("Yes", "No")
    assert first == "cot, toy-1: answer Yes, truth No"
    assert "A right answer" not in rest
    assert "What was read" not in rest


def test_a_long_answer_is_short_in_the_first_line_and_whole_beneath() -> None:
    first, rest = shown(PLAN, PLAN.replace("red", "white"))
    assert "answer pick up the red block (and 1 more line)" in first
    assert "truth pick up the white block (and 1 more line)" in first
    assert f"What was read<pre>{PLAN}</pre>" in rest
    assert f"A right answer<pre>{PLAN.replace('red', 'white')}</pre>" in rest


def test_the_first_line_stays_short_whatever_the_answer() -> None:
    first, rest = shown("x" * 500, "y\n" * 90, "z" * 300)
    assert len(first) < 3 * SHORT + 120
    assert "x" * 500 in rest
    assert "\n" not in first


def test_an_answer_that_says_nothing_is_shown_by_its_markers_or_called_empty() -> None:
    assert "answer [PLAN] [PLAN END]," in shown("[PLAN]\n[PLAN END]", PLAN)[0]
    assert "answer (empty)," in shown("", PLAN)[0]


def test_on_the_page_of_a_run_answer_and_truth_are_in_the_same_words(tmp_path: Path) -> None:
    asked = Request(
        FAMILY,
        "ref/planner",
        limit=3,
        options={"cache": "none"},
        arms=("direct",),
        log_dir=tmp_path,
    )
    run = carry_out(plan(asked), None)
    assert all(str(record.answer).startswith("(") for record in run.records)
    told = [one.record for one in gather([run.folder]).transcripts]
    assert len(told) == 3
    assert [record.answer for record in told] == [record.truth for record in told]
