"""Batches of plans to validate: results in order, and bad lines named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from misstep.planning import PlanningError, validate_lines


def _line(blocks: tuple[str, str], **fields: object) -> str:
    case = {"domain_pddl": blocks[0], "problem_pddl": blocks[1], "plan": [], **fields}
    return json.dumps({name: value for name, value in case.items() if value is not ...})


def test_results_come_in_order_with_their_ids(blocks: tuple[str, str], tmp_path: Path) -> None:
    lines = [
        _line(blocks, id="x", plan=["(pick-up b)", "(stack b a)"]),
        "\n",
        _line(blocks, plan=["(pick-up b)", "(stack b b)"]),
    ]
    assert list(validate_lines(lines, tmp_path)) == [
        {
            "id": "x",
            "verdict": "valid",
            "failed_step": None,
            "unmet": [],
            "cost": 2,
            "reason": "",
        },
        {
            "verdict": "precondition_failed",
            "failed_step": 1,
            "unmet": ["(clear b)"],
            "cost": None,
            "reason": "unmet: (clear b)",
        },
    ]


def test_costs_with_fractions_are_numbers_in_json(rooms: tuple[str, str], tmp_path: Path) -> None:
    line = _line(rooms, plan=["(hold r2 c2)", "(release c2)"])
    (found,) = validate_lines([line], tmp_path)
    assert json.loads(json.dumps(found))["cost"] == 1.5


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"plan": ...}, "plan: 'null' is not a list of steps"),
        ({"plan": [1]}, "plan: step 0: '1' is not text"),
        ({"plan": ["(a)", "b"]}, "plan: step 1: found 'b'"),
        ({"problem_pddl": 5}, "problem_pddl: '5' is not text"),
        ({"problem_pddl": "(define"}, "problem_pddl:1:1: '(' is never closed"),
        ({"domain_pddl": "none.pddl"}, "domain_pddl: 'none.pddl' is no file in"),
        ({"domain_pddl": "../secret.pddl"}, "is no file in"),
        ({"domain_pddl": "x" * 9999}, "is no file in"),
    ],
)
def test_a_bad_line_is_named_with_its_field(
    blocks: tuple[str, str], tmp_path: Path, fields: dict[str, object], words: str
) -> None:
    (tmp_path / "secret.pddl").write_text(blocks[0])
    (tmp_path / "inner").mkdir()
    lines = [_line(blocks), _line(blocks, **fields)]
    with pytest.raises(PlanningError) as raised:
        list(validate_lines(lines, tmp_path / "inner"))
    assert str(raised.value).startswith("line 2: ")
    assert words in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize("line", ["{", "[]", "[" * 100_000, '"x"'])
def test_a_line_that_is_no_object_is_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(PlanningError, match=r"^line 1: not "):
        list(validate_lines([line], tmp_path))


def test_a_fault_in_a_named_file_has_its_line_and_its_place(tmp_path: Path) -> None:
    line = json.dumps({"domain_pddl": "(define", "problem_pddl": "", "plan": []})
    with pytest.raises(PlanningError, match=r"^cases.jsonl:2: domain_pddl:1:1: '\(' is never"):
        list(validate_lines(["\n", line], tmp_path, "cases.jsonl"))
