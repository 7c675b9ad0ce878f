"""Every labelled reply is read as it is labelled."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from misstep.planning.reading import Lexicon, read_with

Case = dict[str, Any]  # a table of TOML

CASES: list[Case] = [
    case
    for path in sorted(Path(__file__).parent.glob("replies_*.toml"))
    for case in tomllib.loads(path.read_text("utf-8"))["case"]
]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_labelled_reply_is_read_as_labelled(case: Case, lexicons: Mapping[str, Lexicon]) -> None:
    reading = read_with(
        case["reply"], lexicons[case["task"]], case.get("query", ""), case.get("stop_reason")
    )
    if "plan" in case:
        assert (reading.outcome, reading.texts) == ("answered", case["plan"])
    elif case["outcome"] == "no_plan":
        assert (reading.outcome, reading.value) == ("answered", "no_plan")
    else:
        assert (reading.outcome, reading.texts) == (case["outcome"], None)
    assert reading.line == case.get("line", reading.line)


def test_the_collection_is_large_and_its_names_are_unique() -> None:
    assert len(CASES) >= 120
    assert len({case["name"] for case in CASES}) == len(CASES)
