"""Properties of reading: what a reply is wrapped in never changes its plan; nothing is slow."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misstep.planning.errors import PlanningError
from misstep.planning.reading import Lexicon, read_lines, read_with

COLOURS = {"a": "red", "b": "blue", "c": "orange", "d": "yellow"}
SAID = {
    "pick-up": "pick up the {0} block",
    "put-down": "put down the {0} block",
    "stack": "stack the {0} block on top of the {1} block",
    "unstack": "unstack the {0} block from on top of the {1} block",
}
BLOCK = st.sampled_from(sorted(COLOURS))
STEP = st.one_of(
    st.tuples(st.sampled_from(["pick-up", "put-down"]), BLOCK),
    st.tuples(st.sampled_from(["stack", "unstack"]), BLOCK, BLOCK),
)
PLAN = st.lists(STEP, min_size=1, max_size=12)
WRAPS = st.sampled_from(
    [
        "{}",
        "Here is the plan:\n\n{}\n\nThis plan reaches the goal.",
        "[PLAN]\n{}\n[PLAN END]\n\nExplanation:\n1. Pick up the red block first; it is clear.",
        "<think>\npick up the red block?\nNo: 1. put down the blue block\n</think>\n{}",
        "I can't pick up the red block.\n\n**Final plan:**\n```\n{}\n```",
        "{}\n[PLAN END]\n\n[STATEMENT]\nAs it is.\n\n[PLAN]\npick up the red block\n",
    ]
)
MARKS = st.sampled_from(["", "{n}. ", "{n}) ", "- ", "**Step {n}:** ", "* "])


def _say(step: tuple[str, ...]) -> str:
    return SAID[step[0]].format(*(COLOURS[name] for name in step[1:]))


@given(plan=PLAN, wrap=WRAPS, mark=MARKS, upper=st.booleans(), pddl=st.booleans())
def test_wrapping_numbering_and_case_never_change_a_plan(
    plan: list[tuple[str, ...]],
    wrap: str,
    mark: str,
    upper: bool,
    pddl: bool,
    lexicons: Mapping[str, Lexicon],
) -> None:
    texts = [f"({' '.join(step)})" if pddl else _say(step) for step in plan]
    lines = [
        mark.format(n=n) + (text.upper() if upper else text) for n, text in enumerate(texts, 1)
    ]
    reading = read_with(wrap.format("\n".join(lines)), lexicons["blocks"])
    assert (reading.outcome, reading.plan) == ("answered", tuple(plan))


@given(reply=st.text(alphabet="()[]{}<>*_`~|\\$\"'#-.:;,1 23ab\n", max_size=200))
def test_no_text_whatever_breaks_the_reader(reply: str, lexicons: Mapping[str, Lexicon]) -> None:
    reading = read_with(reply, lexicons["blocks"])
    assert reading.outcome in ("answered", "unparsed", "empty", "truncated", "refused")
    assert 0 <= reading.line <= reply.count("\n") + 1


@given(plan=PLAN)
def test_a_cut_last_step_is_left_out(
    plan: list[tuple[str, ...]], lexicons: Mapping[str, Lexicon]
) -> None:
    text = "\n".join(_say(step) for step in plan) + "\nstack the red block on top of the"
    reading = read_with(text, lexicons["blocks"], stop_reason="max_tokens")
    assert reading.plan == tuple(plan)


def test_an_empty_plan_an_empty_reply_and_no_plan_are_three_things(
    lexicons: Mapping[str, Lexicon],
) -> None:
    blocks = lexicons["blocks"]
    nothing = read_with("The goal is already satisfied; no actions are needed.", blocks)
    empty = read_with("\n  \n", blocks)
    none = read_with("No plan exists.", blocks)
    assert (nothing.outcome, nothing.value, nothing.plan) == ("answered", "plan", ())
    assert (empty.outcome, empty.value, empty.plan) == ("empty", None, None)
    assert (none.outcome, none.value, none.plan) == ("answered", "no_plan", None)


def test_the_place_of_a_plan_is_told(lexicons: Mapping[str, Lexicon]) -> None:
    reply = "Well.\n\nPlan:\n1. pick up the orange block\n2. put down the orange block\nDone."
    reading = read_with(reply, lexicons["blocks"])
    assert (reading.line, reading.last) == (4, 5)


LENGTH = 400_000
LONG = {
    "steps": "pick up the orange block\n",
    "one line": "pick up the orange block, then ",
    "prose": "Perhaps I can pick up blue, but wait: the red block is on it.\n\n",
    "brackets": "(",
    "square brackets": "[",
    "JSON that never ends": '{"a":',
    "markers": "[PLAN] ",
    "blanks": " ",
    "stars": "*",
    "no": "there is no plan that is not a plan ",
    "numbers": "1. 2. 3. ",
    "LaTeX": "\\text{",
}


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG.keys())
def test_reading_time_grows_no_faster_than_the_reply(
    piece: str, lexicons: Mapping[str, Lexicon]
) -> None:
    """Four times the text takes at most some ten times as long."""
    whole = piece * (LENGTH // len(piece))
    part = _seconds(whole[: LENGTH // 4], lexicons["blocks"])
    assert _seconds(whole, lexicons["blocks"]) < 10 * max(part, 0.1)


def _seconds(reply: str, lexicon: Lexicon) -> float:
    start = time.process_time()
    read_with(reply, lexicon)
    return time.process_time() - start


def _case(tasks: Mapping[str, tuple[str, str]], **fields: object) -> str:
    domain, problem = tasks["blocks"]
    case = {"id": "x", "domain_pddl": domain, "problem_pddl": problem, "response": "", **fields}
    return json.dumps(case)


def test_lines_are_read_in_order_with_the_domain_as_text_or_beside_them(
    tasks: Mapping[str, tuple[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "domains").mkdir()
    (tmp_path / "domains" / "blocks.pddl").write_text(tasks["blocks"][0], "utf-8")
    lines = [
        _case(tasks, id=1, response="(pick-up c)\n(stack c d)"),
        "\n",
        _case(tasks, id=2, response="No plan exists.", domain_pddl="blocks.pddl"),
        _case(tasks, id=3, response="1. pick up c\n2. juggle c and d"),
    ]
    found = list(read_lines(lines, tmp_path))
    assert [(each["id"], each["outcome"], each["line"]) for each in found] == [
        (1, "answered", 1),
        (2, "answered", 1),
        (3, "unparsed", 2),
    ]
    assert [(each["value"], each["plan"]) for each in found] == [
        ("plan", ["(pick-up c)", "(stack c d)"]),
        ("no_plan", None),
        (None, None),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: not a JSON object"),
        ('{"domain_pddl": "(x)"}', "line 1: domain_pddl:1:2: found 'x'; expected define"),
        (
            '{"domain_pddl": "none.pddl", "problem_pddl": "", "response": ""}',
            "line 1: domain_pddl: 'none.pddl' is no file in",
        ),
        ('{"domain_pddl": 3}', "line 1: domain_pddl: '3' is not text"),
    ],
)
def test_a_line_that_is_no_case_is_refused_by_its_number(
    line: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(PlanningError) as error:
        list(read_lines([line], tmp_path))
    assert "\n" not in str(error.value)
    assert said in str(error.value)
