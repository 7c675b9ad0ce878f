"""Effects in passes, where fewer is better, and in scores; the worst value for no answer."""

from __future__ import annotations

import dataclasses
import json

import pytest

from misstep.analyse import Comparison, Verdict, compare, to_json
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.measures import ACCURACY, PASSES, SCORE, Measure
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

Values = tuple[float | None, ...]


def records(direct: Values, cot: Values) -> list[Record]:
    """A list each; None is a list that was given up, with no answer to speak of."""
    return [
        Record(
            "grammar", 1, "m", f"i{at}", f"g{at}", arm, 1,
            Outcome.REFUSED if value is None else Outcome.CORRECT, value,
        )
        for arm, values in (("direct", direct), ("cot", cot))
        for at, value in enumerate(values)
    ]  # fmt: skip


def compared(spec: Spec, measure: Measure, direct: Values, cot: Values) -> Comparison:
    margin = 0.5 if measure is PASSES else 3.0
    own = dataclasses.replace(spec, measure=measure, margin=margin, chance=14.0)
    (found,) = compare(records(direct, cot), {"grammar": own})
    return found


def test_an_effect_in_passes_is_in_passes_and_more_of_them_hurt(spec: Spec) -> None:
    found = compared(spec, PASSES, (2,) * 8, (4, 5, 4, 5, 4, 5, 4, 5))
    assert (found.effect, found.unit) == (2.5, "passes")
    assert found.verdict is Verdict.HURTS
    assert (found.lost, found.gained) == (8, 0)
    assert found.test == "sign-flip, exact"
    assert found.relative_change == pytest.approx(1.25)
    assert found.paper_p is None


def test_fewer_passes_help(spec: Spec) -> None:
    found = compared(spec, PASSES, (9, 8, 9, 8, 9, 8, 9, 8), (2,) * 8)
    assert found.verdict is Verdict.HELPS
    assert (found.lost, found.gained) == (0, 8)


def test_passes_are_capped_at_fifteen(spec: Spec) -> None:
    found = compared(spec, PASSES, (15,) * 6, (40, 15, 15, 15, 15, 99))
    assert found.effect == 0


def test_a_list_given_up_counts_as_the_most_passes_and_is_left_out_below(spec: Spec) -> None:
    found = compared(spec, PASSES, (3,) * 8, (3, 3, 3, 3, 3, 3, 3, None))
    assert found.effect == pytest.approx(12 / 8)
    assert found.left_out is not None
    assert (found.left_out.n, found.left_out.effect) == (7, 0)


def test_half_a_pass_within_the_margin_of_half_a_pass_is_no_meaningful_difference(
    spec: Spec,
) -> None:
    found = compared(spec, PASSES, (3,) * 60, (*(3,) * 57, 4, 4, 2))
    assert found.verdict is Verdict.NO_MEANINGFUL_DIFFERENCE
    assert found.equivalence.smallest_margin is not None
    assert found.equivalence.smallest_margin < 0.5


def test_passes_without_any_difference_have_an_interval_that_is_not_a_point(spec: Spec) -> None:
    found = compared(spec, PASSES, (3,) * 8, (3,) * 8)
    assert found.interval is not None
    assert found.interval.low < -1 < 1 < found.interval.high
    assert found.verdict is Verdict.UNDECIDED


def test_room_to_fall_in_passes_is_below_chance(spec: Spec) -> None:
    assert compared(spec, PASSES, (2, 3) * 4, (2, 3) * 4).has_room_to_fall
    found = compared(spec, PASSES, (15, 13) * 4, (15, 14) * 4)
    assert not found.has_room_to_fall
    assert any("better than chance (14 passes)" in line for line in found.warnings)


def test_a_mean_of_passes_keeps_its_interval_between_one_and_fifteen(spec: Spec) -> None:
    found = compared(spec, PASSES, (15, 15, 15, 15, 15, 14), (1, 1, 1, 1, 1, 1))
    assert found.baseline_summary.interval is not None
    assert found.baseline_summary.interval.high == 15
    assert found.arm_summary.interval is not None
    assert found.arm_summary.interval.low == 1


def test_a_score_is_in_points_of_its_range(spec: Spec) -> None:
    found = compared(spec, SCORE, (0.5,) * 6, (0.25, 0.5) * 3)
    assert found.effect == pytest.approx(-12.5)
    assert found.unit == "points"
    assert found.paper_p is None


@pytest.mark.parametrize(
    ("measure", "value", "range_said"),
    [(ACCURACY, 3.0, "0 to 1"), (PASSES, 0.0, "1 to 15"), (SCORE, float("nan"), "0 to 1")],
)
def test_a_value_outside_of_its_measure_is_named(
    spec: Spec, measure: Measure, value: float, range_said: str
) -> None:
    with pytest.raises(BadInput, match=f"item 'i0', arm 'direct'.*{range_said}"):
        compared(spec, measure, (value, 1), (1, 1))


def test_json_says_what_the_numbers_are_in(spec: Spec) -> None:
    found = to_json([compared(spec, PASSES, (2,) * 8, (4, 5) * 4)])
    (one,) = json.loads(json.dumps(found, allow_nan=False))["comparisons"]
    assert one["measure"]["unit"] == "passes"
    assert one["learning"]["baseline"]["curve"][:3] == [0, 1, 1]
