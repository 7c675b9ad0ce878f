"""The way through a bundle's table as its page goes, in a few plain lines of Python."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from misstep.study.bundle.packing import unpacked

Plain = Mapping[str, Any]  # Any: JSON as it came
START = "consent"


def at(table: Plain, place: int, answers: Sequence[tuple[str, Plain]]) -> Plain:
    """The step after these answers, by key, its screen filled in."""
    way, name = table["ways"][place], START
    for _, answer in answers:
        node = way[name]
        said = json.dumps(answer, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        name = node["by"].get(said, node["next"])
    node = way[name]
    screen = filled(table, table["screens"][node["screen"]], dict(answers))
    return {**node, "screen": screen}


def table_of(script: str) -> Plain:
    return unpacked(script)


def filled(table: Plain, value: Any, answers: Mapping[str, Plain]) -> Any:  # Any: JSON
    if isinstance(value, dict) and "shared" in value:
        return table["shared"][value["shared"]]
    if isinstance(value, dict) and "answer_to" in value:
        return answers[value["answer_to"]]["text"]
    if isinstance(value, dict):
        return {name: filled(table, one, answers) for name, one in value.items()}
    if isinstance(value, list):
        return [filled(table, one, answers) for one in value]
    return value
