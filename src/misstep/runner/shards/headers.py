"""The header of a joined log: the first part's, with what holds for all of them reckoned anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from misstep.runner.logged.archive import Key, Row

_VALUES = {"C": 1.0, "I": 0.0, "N": 0.0, "P": 0.5}
"""What the runner's means take its words for."""


@dataclass(frozen=True)
class Whole:
    """The samples of the joined log in order, each with its arm and the runner's value."""

    samples: Sequence[tuple[Key, str, object]]
    arms: Sequence[str]
    is_finished: bool


def header_of(headers: Sequence[Row], whole: Whole) -> Row:
    """`headers` are those of the parts' logs, the first shard's first."""
    first = headers[0]
    dataset = {**first["eval"]["dataset"], **_dataset(headers, whole)}
    created = min(str(one["eval"]["created"]) for one in headers)
    header = {
        **first,
        "status": "success" if whole.is_finished else "cancelled",
        "eval": {**first["eval"], "created": created, "dataset": dataset},
        "stats": _stats([one["stats"] for one in headers]),
        "results": _results([one["results"] for one in headers if one.get("results")], whole),
    }
    header.pop("error", None)
    return header


def with_arms(header: Row, arms: Sequence[str]) -> Row:
    """The header of a log, which says that these arms were asked."""
    evaluation = header["eval"]
    metadata = {**(evaluation.get("metadata") or {}), "arms": list(arms)}
    return {**header, "eval": {**evaluation, "metadata": metadata}}


def _dataset(headers: Sequence[Row], whole: Whole) -> Row:
    """Those that are not answered yet come last: nothing says which group they are of."""
    ids = dict.fromkeys(key[0] for key, _, _ in whole.samples)
    for one in headers:
        ids |= dict.fromkeys(map(str, one["eval"]["dataset"]["sample_ids"]))
    return {"samples": len(ids), "sample_ids": list(ids)}


def _stats(stats: Sequence[Row]) -> Row:
    begun = [one["started_at"] for one in stats if one.get("started_at")]
    ended = [one["completed_at"] for one in stats if one.get("completed_at")]
    return {
        **stats[0],
        "started_at": min(begun, default=""),
        "completed_at": max(ended, default=""),
        "model_usage": _usage([one.get("model_usage", {}) for one in stats]),
        "role_usage": _usage([one.get("role_usage", {}) for one in stats]),
    }


def _usage(usages: Sequence[Mapping[str, Row]]) -> dict[str, Row]:
    total: dict[str, Row] = {}
    for usage in usages:
        for name, row in usage.items():
            own = total.setdefault(name, {})
            for kind, number in row.items():
                if number is not None:
                    own[kind] = own.get(kind, 0) + number
    return total


def _results(results: Sequence[Row], whole: Whole) -> Row | None:
    """The runner's means, which our records don't use; None where no part came to its end."""
    if not results:
        return None
    first = results[0]
    counts = {
        "total_samples": sum(one["total_samples"] for one in results),
        "completed_samples": len(whole.samples),
    }
    scores = [_score(score, whole) for score in first["scores"]]
    return {**first, **counts, "scores": scores}


def _score(score: Row, whole: Whole) -> Row:
    means = _means(whole)
    frame = next(iter(score["metrics"].values()))
    metrics = {name: {**frame, "name": name, "value": value} for name, value in means.items()}
    samples = len({key[0] for key, _, _ in whole.samples})
    return {**score, "scored_samples": samples, "unscored_samples": 0, "metrics": metrics}


def _means(whole: Whole) -> dict[str, float]:
    """Over the samples of each arm, of means over the repetitions; and over all."""
    values: dict[str, dict[str, list[float]]] = {arm: {} for arm in whole.arms}
    for (sample, _), arm, value in whole.samples:
        values.setdefault(arm, {}).setdefault(sample, []).append(_number(value))
    of_samples = {arm: [_mean(own) for own in rows.values()] for arm, rows in values.items()}
    means = {arm: _mean(own) for arm, own in of_samples.items() if own}
    return means | {"all": _mean([one for own in of_samples.values() for one in own])}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _number(value: Any) -> float:  # Any: a word or a number, as the runner keeps it
    return _VALUES[value] if isinstance(value, str) else float(value)
