"""Predictions against verdicts: which verdicts count, and how often they were right."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from misstep.analyse import Comparison, Verdict, compare
from misstep.analyse.inference.intervals import wilson
from misstep.analyse.predictions import Predicted, predicted
from misstep.core.family import Expected, Prediction, Spec
from misstep.core.records import Record
from misstep.registry import specs

Experiment = Callable[..., list[Record]]


@pytest.fixture
def comparison(experiment: Experiment, spec: Spec) -> Comparison:
    records = experiment(direct="cc cc cc cc cc cc", cot="ww ww ww ww ww ww")
    (one,) = compare(records, {"grammar": spec})
    return one


def told(
    comparison: Comparison, spec: Spec, cells: list[tuple[str, str, Verdict]]
) -> Predicted | None:
    """Verdicts as (family, model, verdict)."""
    names = {family for family, _, _ in cells}
    return predicted(
        [
            dataclasses.replace(comparison, family=family, who=who, verdict=verdict)
            for family, who, verdict in cells
        ],
        {name: dataclasses.replace(spec, name=name) for name in names},
    )


def found_in(
    comparison: Comparison, spec: Spec, cells: list[tuple[str, str, Verdict]]
) -> Predicted:
    found = told(comparison, spec, cells)
    assert found is not None
    return found


def test_undecided_verdicts_stand_apart(comparison: Comparison, spec: Spec) -> None:
    found = found_in(
        comparison,
        spec,
        [
            ("a", "m", Verdict.HURTS),
            ("b", "m", Verdict.UNDECIDED),
            ("c", "m", Verdict.NO_MEANINGFUL_DIFFERENCE),
            ("d", "m", Verdict.HURTS),
        ],
    )
    (score,) = found.models
    assert (score.right, score.decided, score.undecided, score.families) == (2, 3, 1, 3)
    assert score.share == pytest.approx(2 / 3)
    assert score.interval == wilson(2 / 3, 3)
    assert score.commonest is Verdict.HURTS
    assert score.base_rate == pytest.approx(2 / 3)
    assert [one.is_right for one in found.tested] == [True, None, False, True]


def test_over_all_models_families_are_the_clusters(comparison: Comparison, spec: Spec) -> None:
    alike = [("a", Verdict.HURTS), ("b", Verdict.HELPS), ("c", Verdict.HURTS)]
    cells = [(family, f"m{at}", verdict) for family, verdict in alike for at in range(20)]
    found = found_in(comparison, spec, cells)
    assert found.overall.interval is not None
    # Twenty models that agree on three families are three facts, not sixty.
    assert found.overall.interval.high - found.overall.interval.low > 0.5
    assert found.overall.share == pytest.approx(2 / 3)


def test_one_family_shows_nothing_of_how_families_differ(
    comparison: Comparison, spec: Spec
) -> None:
    cells = [("a", f"m{at}", Verdict.HURTS) for at in range(20)]
    assert found_in(comparison, spec, cells).overall.interval is None


def test_nothing_decided_has_no_share(comparison: Comparison, spec: Spec) -> None:
    score = found_in(comparison, spec, [("a", "m", Verdict.UNDECIDED)]).overall
    assert (score.share, score.interval, score.commonest, score.base_rate) == (None,) * 4
    assert score.undecided == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"arm": "explain"},
        {"arm": "think:none"},
        {"baseline": "cot", "arm": "tot"},
        {"who": "ref/x"},
        {"who": "people"},
        {"factor": "length", "level": 3},
        {"baseline_who": "other"},
    ],
)
def test_only_thinking_against_answering_at_once_is_predicted(
    comparison: Comparison, spec: Spec, changes: dict[str, object]
) -> None:
    other = dataclasses.replace(comparison, **changes)  # type: ignore[arg-type]  # fields by name
    assert predicted([other], {"grammar": spec}) is None
    assert predicted([comparison], {"grammar": spec}) is not None


@pytest.mark.parametrize(
    "arm", ["cot", "tot", "tot:3", "self-consistency:9", "cot+vote5", "think:low", "think:2048"]
)
def test_every_way_of_thinking_is_predicted(comparison: Comparison, spec: Spec, arm: str) -> None:
    assert predicted([dataclasses.replace(comparison, arm=arm)], {"grammar": spec}) is not None


@pytest.mark.parametrize(
    ("direction", "verdict", "is_right"),
    [
        ("thinking hurts", Verdict.HURTS, True),
        ("thinking hurts", Verdict.NO_MEANINGFUL_DIFFERENCE, False),
        ("thinking helps", Verdict.HELPS, True),
        ("thinking helps", Verdict.HURTS, False),
        ("thinking does not hurt", Verdict.NO_MEANINGFUL_DIFFERENCE, True),
        ("thinking does not hurt", Verdict.HELPS, True),
        ("thinking does not hurt", Verdict.HURTS, False),
    ],
)
def test_a_verdict_is_right_if_it_is_what_was_expected(
    comparison: Comparison, spec: Spec, direction: str, verdict: Verdict, is_right: bool
) -> None:
    own = dataclasses.replace(spec, prediction=Prediction(True, True, direction, ""))
    found = predicted([dataclasses.replace(comparison, verdict=verdict)], {"grammar": own})
    assert found is not None
    assert found.tested[0].is_right is is_right


def test_a_direction_without_a_word_predicts_nothing(comparison: Comparison, spec: Spec) -> None:
    own = dataclasses.replace(spec, prediction=Prediction(False, False, "unknown", ""))
    assert own.prediction.expected is None
    assert predicted([comparison], {"grammar": own}) is None


def test_every_family_predicts_a_direction_and_names_its_source() -> None:
    for spec in specs().values():
        assert spec.prediction.expected is not None
        assert spec.prediction.source
        hurts = spec.prediction.hurts_people and spec.prediction.shared_by_models
        assert (spec.prediction.expected is Expected.HURTS) is hurts
