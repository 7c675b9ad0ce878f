"""A study as the store keeps it, for people who began under a version that is no longer served."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError

from misstep.core.errors import BadInput
from misstep.registry import ROOMS, family
from misstep.study.course.drawing import pool_of
from misstep.study.course.nouns import Study


@dataclass(frozen=True)
class Stored:
    """The whole study as JSON, and the versions that its families had; none of them where a misstep
    kept it that didn't note them, and then they are taken to be today's."""

    content: str
    families: Mapping[str, int] = field(default_factory=dict)


def versions_of(study: Study) -> Mapping[str, int]:
    """Of its families, today: another one means other items, words or scoring."""
    return {block.family: family(block.family).spec.version for block in study.blocks}


def departed(families: Mapping[str, int]) -> str:
    """Which of these are of another version today, in words; "" where none is."""
    now = {name: family(name).spec.version if name in ROOMS else None for name in families}
    return ", ".join(
        f"{name}: version {then} then, {now[name] or 'none'} now"
        for name, then in families.items()
        if now[name] != then
    )


def restored(stored: Stored) -> Study | None:
    """With its items made; None where this misstep can't serve it any more."""
    if departed(stored.families):
        return None
    try:
        study = TypeAdapter(Study).validate_json(stored.content)
        for block in range(len(study.blocks)):
            pool_of(study, block)
    except (ValidationError, BadInput):
        return None
    return study
