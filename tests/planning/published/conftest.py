"""A small repository of our own making, in the format of the published one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from misstep.planning.folders import shipped
from misstep.planning.writing import write_domain

Write = Callable[..., Path]
Entry = Mapping[str, Any]  # Any: JSON values

BLOCKS = """(define (problem three)
 (:domain blocksworld-4ops)
 (:objects a b c)
 (:init (ontable a) (ontable b) (ontable c) (clear a) (clear b) (clear c) (handempty))
 (:goal (and (on a b))))
"""
TABLE = (
    "the red block is clear, the blue block is clear, the orange block is clear, the hand is empty,"
    " the red block is on the table, the blue block is on the table and the orange block is on the"
    " table"
)


def statement(goal: str, init: str = TABLE, before: str = "") -> str:
    return (
        f"Some rules.\n\n{before}[STATEMENT]\nAs initial conditions I have that, {init}.\n"
        f"My goal is to have that {goal}.\n\nMy plan is as follows:\n\n[PLAN]"
    )


@pytest.fixture
def ask() -> Callable[..., str]:
    return statement


@pytest.fixture
def entry() -> Callable[..., Entry]:
    """A stored result: right in every respect unless told otherwise; None leaves a field out."""

    def make(instance: int | str, **changed: object) -> Entry:
        fields = {
            "instance_id": instance,
            "example_instance_ids": [99],
            "query": statement("the red block is on top of the blue block"),
            "ground_truth_plan": "(pick-up a)\n(stack a b)\n",
            "llm_raw_response": "pick up the red block\n"
            "stack the red block on top of the blue block\n[PLAN END]",
            "extracted_llm_plan": "(pick-up a)\n(stack a b)\n",
            "llm_correct": True,
        } | changed
        return {name: value for name, value in fields.items() if value is not None}

    return make


EVENT = (
    'After executing the action "{action}" at step {step} in the plan, the following facts'
    " unexpectedly became true: {true}\nThe following facts became unexpectedly false: {false}"
)


def begun(goal: str, plan: str, init: str) -> str:
    return (
        f"Some rules.\n\n[STATEMENT]\nAs initial conditions I have that, {init}.\n"
        f"My goal is to have that {goal}. \nMy plan is as follows:\n\n[PLAN]\n{plan}\n[PLAN END]\n"
    )


@pytest.fixture
def verify() -> Callable[..., str]:
    """A prompt that asks whether a plan is valid."""

    def make(goal: str, plan: str, init: str = TABLE) -> str:
        return f"{begun(goal, plan, init)}\n[VERIFICATION]"

    return make


@pytest.fixture
def replan() -> Callable[..., str]:
    """A prompt that asks for another plan after an event."""

    def make(goal: str, plan: str, event: str, init: str = TABLE) -> str:
        return (
            f"{begun(goal, plan, init)}\nDuring execution, an unexpected event has occurred.\n"
            f"{event}\nAfter re-planning from the new state, the plan is as follows:\n[PLAN]"
        )

    return make


@pytest.fixture
def execute() -> Callable[..., str]:
    """A prompt that asks for the state after some actions."""

    def make(actions: str, init: str = TABLE) -> str:
        return (
            f"Some rules.\n\n[STATEMENT]\nAs initial conditions I have that, {init}.\n"
            f" I have executed the following action sequence:\n\n[ACTION SEQUENCE]\n{actions}\n"
            "[ACTION SEQUENCE END]\n[RESULTING STATE]\n"
        )

    return make


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a result file of entries; the repository gets Blocksworld with its instance 1."""
    instances = tmp_path / "plan-bench/instances/blocksworld"
    (instances / "generated_basic").mkdir(parents=True)
    (instances / "generated_basic/instance-1.pddl").write_text(BLOCKS)
    (instances / "generated_domain.pddl").write_text(write_domain(shipped("blocksworld").domain))

    def put(
        *entries: Entry,
        task: str = "task_1_plan_generation",
        domain: str = "blocksworld",
        part: str = "plan-bench",
    ) -> Path:
        file = tmp_path / part / "results" / domain / "made-up_chat" / f"{task}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            json.dumps({"task": task, "domain": domain, "instances": entries}, indent=4)
        )
        return tmp_path

    return put
