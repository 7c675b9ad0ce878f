"""A study as the store keeps it, for people who began under a version that is no longer served."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from misstep.core.errors import BadInput
from misstep.study.course.drawing import pool_of
from misstep.study.course.nouns import Study


def restored(content: str) -> Study | None:
    """With its items made; None where this misstep can't serve it any more."""
    try:
        study = TypeAdapter(Study).validate_json(content)
        for block in range(len(study.blocks)):
            pool_of(study, block)
    except (ValidationError, BadInput):
        return None
    return study
