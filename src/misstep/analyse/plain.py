"""Comparisons and arm summaries as plain JSON values; the schema is in docs/compare.md."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from enum import Enum

from misstep.analyse.cheapest import Cheapest
from misstep.analyse.comparison import ArmSummary, Comparison, Interval
from misstep.analyse.effects import EffectDifference

SCHEMA = 1


def to_json(comparisons: Iterable[Comparison]) -> dict[str, object]:
    return {"schema": SCHEMA, "comparisons": [plain(one) for one in comparisons]}


def arms_to_json(summaries: Iterable[ArmSummary]) -> dict[str, object]:
    return {"schema": SCHEMA, "arms": [plain(one) for one in summaries]}


def further_to_json(
    cheapest: Iterable[Cheapest], effects: Iterable[EffectDifference], notes: Iterable[str]
) -> dict[str, object]:
    """What `misstep compare` prints beside comparisons and arms."""
    return {
        "cheapest": [plain(one) for one in cheapest],
        "effects": [_effect(one) for one in effects],
        "notes": list(notes),
    }


def _effect(one: EffectDifference) -> dict[str, object]:
    fields = {field.name: plain(getattr(one, field.name)) for field in dataclasses.fields(one)}
    return {**fields, "agreement": one.agreement.value}


def plain(value: object) -> object:
    """Dataclasses by field name, intervals as [low, high], enumerations as their text."""
    if isinstance(value, Interval):
        return [value.low, value.high]
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value
