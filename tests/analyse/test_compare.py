"""Comparisons of small experiments whose numbers can be counted by hand."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

import pytest

from misstep.analyse import Verdict, compare, median_split, summarise, to_json
from misstep.core.answers import Vocabulary
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

Experiment = Callable[..., list[Record]]


def singles(
    experiment: Experiment, both: int, lost: int, gained: int, neither: int
) -> list[Record]:
    direct = "c " * both + "c " * lost + "w " * gained + "w " * neither
    cot = "c " * both + "w " * lost + "c " * gained + "w " * neither
    return experiment(direct=direct, cot=cot)


def test_the_papers_effect_on_66_single_items(experiment: Experiment, spec: Spec) -> None:
    (found,) = compare(singles(experiment, 37, 14, 3, 12), {"grammar": spec})
    assert (found.n, found.groups, found.lost, found.gained) == (66, 66, 14, 3)
    assert round(100 * found.baseline_summary.accuracy, 1) == 77.3
    assert round(100 * found.arm_summary.accuracy, 1) == 60.6
    assert round(found.effect, 1) == -16.7
    assert found.test == "exact McNemar"
    assert found.p is not None
    assert round(found.p, 3) == 0.013
    assert found.verdict is Verdict.HURTS
    assert found.relative_change == pytest.approx(40 / 51 - 1)


def test_the_effect_weighs_items_not_groups(experiment: Experiment, spec: Spec) -> None:
    (found,) = compare(experiment(direct="cccc cc", cot="cccc ww"), {"grammar": spec})
    assert found.effect == pytest.approx(-100 * 2 / 6)


def test_an_arm_that_helps_in_every_group_helps(experiment: Experiment, spec: Spec) -> None:
    (found,) = compare(experiment(direct="cw " * 8, cot="cc " * 8), {"grammar": spec})
    assert found.verdict is Verdict.HELPS
    assert found.p == 2 / 2**8


def test_no_answer_counts_as_wrong_and_is_left_out_in_the_second_line(
    experiment: Experiment, spec: Spec
) -> None:
    (found,) = compare(experiment(direct="cccc " * 8, cot="cccu " * 8), {"grammar": spec})
    assert found.effect == -25
    assert found.verdict is Verdict.HURTS
    assert found.left_out is not None
    assert (found.left_out.pairs, found.left_out.n, found.left_out.effect) == (8, 24, 0)
    assert found.left_out.verdict is Verdict.UNDECIDED
    assert any("hangs on the unanswered" in warning for warning in found.warnings)


def test_the_six_outcomes_stay_apart(experiment: Experiment, spec: Spec) -> None:
    (found,) = compare(experiment(direct="cccccc", cot="cwurte"), {"grammar": spec})
    assert found.arm_summary.outcomes == dict.fromkeys(Outcome, 1 / 6)
    assert found.arm_summary.unanswered == pytest.approx(4 / 6)


def test_no_second_line_where_everything_was_answered(experiment: Experiment, spec: Spec) -> None:
    (found,) = compare(experiment(direct="cw cw", cot="cw cw"), {"grammar": spec})
    assert found.left_out is None


def test_a_tiny_sample_without_a_difference_is_undecided(
    experiment: Experiment, spec: Spec
) -> None:
    (found,) = compare(experiment(direct="cc " * 12, cot="cc " * 12), {"grammar": spec})
    assert found.verdict is Verdict.UNDECIDED
    assert found.to_decide is not None


def test_much_data_without_a_difference_is_no_meaningful_difference(
    experiment: Experiment, spec: Spec
) -> None:
    arms = {"direct": "cw " * 150 + "wc " * 150, "cot": "cw " * 149 + "cc " + "wc " * 149 + "ww "}
    (found,) = compare(experiment(**arms), {"grammar": spec})
    assert found.verdict is Verdict.NO_MEANINGFUL_DIFFERENCE
    assert not found.is_small


def test_a_significant_difference_within_the_margin_is_small(
    experiment: Experiment, spec: Spec
) -> None:
    group = "c" * 50
    arms = {"direct": f"{group} " * 40, "cot": (f"{group[1:]}w " * 3 + f"{group} ") * 10}
    (found,) = compare(experiment(**arms), {"grammar": spec})
    assert found.verdict is Verdict.NO_MEANINGFUL_DIFFERENCE
    assert found.is_small


def test_five_groups_can_never_decide_and_say_so(experiment: Experiment, spec: Spec) -> None:
    (found,) = compare(experiment(direct="cc " * 5, cot="ww " * 5), {"grammar": spec})
    assert (found.p, found.can_decide) == (0.0625, False)
    assert found.verdict is Verdict.UNDECIDED
    assert any("can never be significant" in warning for warning in found.warnings)


def test_repetitions_are_averaged_within_the_item(experiment: Experiment, spec: Spec) -> None:
    records = experiment(direct="cc cc", cot="cw cw") + experiment(
        repetition=1, direct="cc cc", cot="cc cc"
    )
    (found,) = compare(records, {"grammar": spec})
    assert (found.n, found.repetitions, found.effect) == (4, 2, -25)


def test_items_of_one_arm_only_are_counted_and_not_used(experiment: Experiment, spec: Spec) -> None:
    (found,) = compare(experiment(direct="ccc ccc", cot="cw cw"), {"grammar": spec})
    assert (found.n, found.unpaired) == (4, 2)
    assert found.baseline_summary.n == 4


def test_a_baseline_at_chance_has_no_room_to_fall(experiment: Experiment, spec: Spec) -> None:
    (found,) = compare(experiment(direct="cw wc " * 6, cot="ww ww " * 6), {"grammar": spec})
    assert not found.has_room_to_fall
    assert any(warning.startswith("No room to fall") for warning in found.warnings)


def test_holm_runs_over_the_models_of_one_call(experiment: Experiment, spec: Spec) -> None:
    records = [
        record
        for who in ("a", "b", "c")
        for record in experiment(who=who, direct="cc " * 7, cot="cw " * 7)
    ]
    alone = compare(records[: len(records) // 3], {"grammar": spec})
    together = compare(records, {"grammar": spec})
    assert alone[0].p is not None
    assert [one.p_adjusted for one in together] == [3 * alone[0].p] * 3


def test_the_spec_orders_the_arms_and_unknown_ones_follow(
    experiment: Experiment, spec: Spec
) -> None:
    records = experiment(**{"cot+vote5": "cc cw", "cot": "cc cw", "direct": "cc cc"})
    found = compare(records, {"grammar": spec})
    assert [(one.baseline, one.arm) for one in found] == [
        ("direct", "cot"),
        ("direct", "cot+vote5"),
    ]


def test_without_a_spec_direct_is_the_baseline(experiment: Experiment) -> None:
    (found,) = compare(experiment(cot="cc cw", direct="cc cc"), {})
    assert (found.baseline, found.chance, found.has_room_to_fall) == ("direct", None, True)


def test_by_a_factor_gives_each_level_after_the_whole(experiment: Experiment, spec: Spec) -> None:
    found = compare(experiment(direct="ccc ccc", cot="cww cww"), {"grammar": spec}, by="length")
    assert [(one.factor, one.level, one.n) for one in found] == [
        (None, None, 6),
        ("length", 3, 2),
        ("length", 4, 2),
        ("length", 5, 2),
    ]
    assert [one.effect for one in found[1:]] == [0, -100, -100]


def test_by_an_unknown_factor_names_it_and_the_known_ones(
    experiment: Experiment, spec: Spec
) -> None:
    with pytest.raises(BadInput, match=r"--by: no item has a factor 'size'; known: length"):
        compare(experiment(direct="cc", cot="cc"), {"grammar": spec}, by="size")


def test_a_reply_that_occurs_twice_is_bad_input(experiment: Experiment, spec: Spec) -> None:
    records = experiment(direct="cc", cot="cc")
    with pytest.raises(BadInput, match="repetition 0 twice"):
        compare(records + records[:1], {"grammar": spec})


def test_bias_and_answer_shares_are_of_the_replies_that_were_read(
    experiment: Experiment, spec: Spec
) -> None:
    # Places are Yes, No, Yes, No: "cwcu" answers Yes, Yes, Yes and nothing.
    (found,) = compare(experiment(direct="cwcu", cot="cccc"), {"grammar": spec})
    assert found.baseline_summary.answers == {"Yes": 1.0}
    assert found.baseline_summary.bias == pytest.approx(100 / 3)
    assert found.best_constant is not None
    assert found.best_constant.accuracy == 0.5


def test_a_direct_arm_that_thought_anyway_is_named(experiment: Experiment, spec: Spec) -> None:
    records = [
        dataclasses.replace(record, reasoning_tokens=40)
        for record in experiment(direct="cc cc", cot="cc cc")
    ]
    (found,) = compare(records, {"grammar": spec})
    assert any("thought anyway" in warning for warning in found.warnings)


def test_json_holds_everything_as_plain_values(experiment: Experiment, spec: Spec) -> None:
    found = compare(experiment(direct="ccc", cot="cwu"), {"grammar": spec})
    plain = to_json(found)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["schema"] == 1


def scored(who: str, scores: str, truths: str) -> list[Record]:
    return [
        Record(
            "grammar", 1, who, f"i{at}", "g", "direct", 0, Outcome.WRONG, 0.0,
            truth={"y": "Yes", "n": "No"}[truth], answer="No", score=float(score),
        )
        for at, (score, truth) in enumerate(zip(scores.split(), truths, strict=True))
    ]  # fmt: skip


def test_reference_solvers_are_split_at_the_median_and_ties_count_half() -> None:
    split = median_split(scored("ref/x", "5 2 2 1", "yynn"))
    assert [(record.answer, record.value) for record in split] == [
        ("Yes", 1.0),
        (None, 0.5),
        (None, 0.5),
        ("No", 1.0),
    ]
    (found,) = summarise(split, {})
    assert found.accuracy == 0.75


def test_a_pair_of_a_quick_scale_is_split_between_its_two_scores() -> None:
    assert [record.value for record in median_split(scored("ref/x", "3 1", "yn"))] == [1.0, 1.0]


def test_models_are_never_split() -> None:
    records = scored("model", "5 1", "yn")
    assert median_split(records) == records


def test_free_text_has_no_constant_answer_and_no_shares(experiment: Experiment, spec: Spec) -> None:
    free = dataclasses.replace(spec, vocabulary=Vocabulary("plan", ()))
    (found,) = compare(experiment(direct="cw cw", cot="cc ww"), {"grammar": free})
    assert found.best_constant is None
    assert found.baseline_summary.answers == {}
    assert found.baseline_summary.accuracy == 0.5


def test_variants_of_a_family_are_never_pooled(experiment: Experiment, spec: Spec) -> None:
    usual = experiment(direct="cc " * 8, cot="ww " * 8)
    other = [
        dataclasses.replace(record, item=f"~{record.item}", variant="negatives=paired")
        for record in experiment(direct="ww " * 8, cot="cc " * 8)
    ]
    found = compare([*usual, *other], {"grammar": spec})
    assert [(one.variant, one.n, one.verdict) for one in found] == [
        ("", 16, Verdict.HURTS),
        ("negatives=paired", 16, Verdict.HELPS),
    ]


def test_a_factor_of_one_family_does_not_stop_another(experiment: Experiment, spec: Spec) -> None:
    other = [
        dataclasses.replace(record, family="cups", factors={})
        for record in experiment(direct="cc " * 6, cot="cc " * 6)
    ]
    found = compare([*experiment(direct="cc " * 6, cot="cc " * 6), *other], {}, by="length")
    assert {one.family for one in found if one.level is not None} == {"grammar"}
    assert {one.family for one in found if one.level is None} == {"grammar", "cups"}
