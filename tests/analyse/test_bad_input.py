"""Odd records: each gives a sensible statement, or a refusal that says what is missing."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping

import pytest

from misstep.analyse import (
    Comparison,
    Verdict,
    cheapest,
    compare,
    effect_differences,
    further_to_json,
    notes,
    to_json,
)
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

Experiment = Callable[..., list[Record]]


def one(records: list[Record], spec: Spec) -> Comparison:
    """The one comparison; nothing in it is NaN or infinite."""
    (found,) = compare(records, {"grammar": spec}, non_inferiority=3)
    json.dumps(to_json([found]), allow_nan=False)
    return found


def said(found: Comparison, beginning: str) -> bool:
    return any(line.startswith(beginning) for line in found.warnings)


def reseeded(records: list[Record]) -> list[Record]:
    """The same, as another seed names its items and groups."""
    return [
        dataclasses.replace(record, item=f"s1-{record.item}", group=f"s1-{record.group}")
        for record in records
    ]


def test_arms_that_share_no_item_give_no_comparison_and_say_so(
    experiment: Experiment, spec: Spec
) -> None:
    records = experiment(direct="cc cc") + reseeded(experiment(cot="cc cc"))
    assert compare(records, {"grammar": spec}) == ()
    (line,) = notes(records, {"grammar": spec})
    assert line == (
        "grammar, model: direct and cot share no item (4 such as 'g0/0', 4 such as 's1-g0/0'): "
        "were they made with different seeds or options?"
    )


def test_one_arm_only_says_that_there_is_nothing_to_compare_it_with(
    experiment: Experiment, spec: Spec
) -> None:
    records = experiment(direct="cc cc")
    assert compare(records, {"grammar": spec}) == ()
    (line,) = notes(records, {"grammar": spec})
    assert line.endswith("only the arm direct was asked, so there is nothing to compare it with.")


def test_one_group_only_has_an_effect_but_neither_p_nor_interval(
    experiment: Experiment, spec: Spec
) -> None:
    found = one(experiment(direct="cccccccc", cot="cwwwwwww"), spec)
    assert (found.effect, found.n, found.groups) == (-87.5, 8, 1)
    assert (found.p, found.p_adjusted, found.interval, found.test) == (None, None, None, "none")
    assert (found.equivalence.p, found.equivalence.smallest_margin) == (None, None)
    assert found.verdict is Verdict.UNDECIDED
    assert not found.can_decide
    assert said(found, "A single independent group")
    assert found.non_inferiority is not None
    assert found.non_inferiority.baseline.p is None
    assert not found.non_inferiority.baseline.is_shown


def test_a_single_item_has_neither_p_nor_interval(experiment: Experiment, spec: Spec) -> None:
    found = one(experiment(direct="c", cot="w"), spec)
    assert (found.n, found.effect, found.p, found.interval) == (1, -100, None, None)
    assert said(found, "A single item")


def test_all_correct_is_a_ceiling_and_no_proof_of_equality(
    experiment: Experiment, spec: Spec
) -> None:
    found = one(experiment(direct="c " * 12, cot="c " * 12), spec)
    assert (found.p, found.lost, found.gained) == (1.0, 0, 0)
    assert found.verdict is Verdict.UNDECIDED
    assert said(found, "No discordant pairs: both reached the best on every item")
    assert found.interval is not None
    assert found.interval.low < -10 < 10 < found.interval.high


def test_all_wrong_is_a_floor(experiment: Experiment, spec: Spec) -> None:
    found = one(experiment(direct="w " * 12, cot="w " * 12), spec)
    assert found.relative_change is None
    assert found.paper_p is None
    assert said(found, "No room to fall")
    assert said(found, "No discordant pairs: both did the worst on every item")


def test_no_discordant_pair_among_others_is_said_too(experiment: Experiment, spec: Spec) -> None:
    found = one(experiment(direct="c w " * 6, cot="c w " * 6), spec)
    assert found.p == 1.0
    assert said(found, "No discordant pairs: the items do not tell them apart; p is 1 for want")


def test_all_unparsed_is_no_comparison_at_all(experiment: Experiment, spec: Spec) -> None:
    found = one(experiment(direct="u " * 300, cot="u " * 300), spec)
    assert (found.effect, found.p, found.interval, found.paper_p) == (0, None, None, None)
    assert found.equivalence.p is None
    assert found.verdict is Verdict.UNDECIDED
    assert found.left_out is None
    assert said(found, "No reply of direct or cot could be read: there is nothing to compare.")
    assert not said(found, "No discordant pairs")


def test_one_arm_all_unparsed_counts_as_wrong_and_says_what_is_missing(
    experiment: Experiment, spec: Spec
) -> None:
    found = one(experiment(direct="c " * 12, cot="u " * 12), spec)
    assert found.effect == -100
    assert found.verdict is Verdict.HURTS
    assert found.left_out is None
    assert said(found, "No reply of cot could be read: the difference is one of answering")


def test_answers_that_never_meet_leave_no_second_line(experiment: Experiment, spec: Spec) -> None:
    found = one(experiment(direct="c u " * 6, cot="u c " * 6), spec)
    assert found.left_out is None
    assert said(found, "No item was answered on both sides")


def test_versions_of_a_family_are_kept_apart_and_named(experiment: Experiment, spec: Spec) -> None:
    first = experiment(direct="cc cc", cot="cc cw")
    second = [dataclasses.replace(record, version=2) for record in first]
    found = compare([*first, *second], {"grammar": spec})
    assert [(each.version, each.n) for each in found] == [(1, 4), (2, 4)]
    (line,) = notes([*first, *second], {"grammar": spec})
    assert line.startswith("grammar: versions 1 and 2 are both here")


def test_arms_of_different_versions_are_not_compared(experiment: Experiment, spec: Spec) -> None:
    newer = [dataclasses.replace(record, version=2) for record in experiment(cot="cc cc")]
    records = experiment(direct="cc cc") + newer
    assert compare(records, {"grammar": spec}) == ()
    assert len(notes(records, {"grammar": spec})) == 3


def test_a_record_that_occurs_twice_is_refused_by_name(experiment: Experiment, spec: Spec) -> None:
    records = experiment(direct="cc", cot="cc")
    with pytest.raises(BadInput, match="item 'g0/1', arm 'cot', who 'model' has repetition 0"):
        compare([*records, records[-1]], {"grammar": spec})


def test_logs_of_different_seeds_are_more_items_of_one_kind(
    experiment: Experiment, spec: Spec
) -> None:
    first = experiment(direct="cc " * 4, cot="cw " * 4)
    found = one(first + reseeded(first), spec)
    assert (found.n, found.groups, found.p) == (16, 8, 2 / 2**8)
    assert notes(first + reseeded(first), {"grammar": spec}) == ()


def test_models_of_different_seeds_share_no_item_and_say_so(
    experiment: Experiment, spec: Spec
) -> None:
    records = experiment(who="a", direct="cc") + reseeded(experiment(who="b", direct="cc"))
    assert compare(records, {"grammar": spec}, between="models") == ()
    (line,) = notes(records, {"grammar": spec}, "models")
    assert line.startswith("grammar, direct: a and b share no item")


def test_an_arm_of_one_model_only_is_named(experiment: Experiment, spec: Spec) -> None:
    records = experiment(who="a", direct="cc", cot="cc") + experiment(who="b", direct="cc")
    assert notes(records, {"grammar": spec}, "models") == (
        "grammar, cot: of a and b only a was asked.",
    )


def test_one_name_for_two_items_is_refused(experiment: Experiment, spec: Spec) -> None:
    moved = [dataclasses.replace(record, group="x") for record in experiment(cot="cc")]
    with pytest.raises(BadInput, match="has the group 'g0' in model, direct, and 'x' in model"):
        compare(experiment(direct="cc") + moved, {"grammar": spec})


def test_no_records_at_all_are_said_to_be_missing() -> None:
    assert compare([], {}) == ()
    assert notes([], {}) == ("There are no records.",)


def test_mid_p_where_there_is_no_such_test_is_refused(experiment: Experiment, spec: Spec) -> None:
    with pytest.raises(BadInput, match="--mid-p: no comparison here is one of single items"):
        compare(experiment(direct="cc cc", cot="cw cc"), {"grammar": spec}, mid_p=True)


def test_mid_p_takes_the_place_of_the_exact_p(experiment: Experiment, spec: Spec) -> None:
    records = experiment(direct="c " * 8, cot="w " * 5 + "c " * 3)
    (exact,) = compare(records, {"grammar": spec})
    (mid,) = compare(records, {"grammar": spec}, mid_p=True)
    assert (exact.p, exact.test) == (0.0625, "exact McNemar")
    assert mid.p == pytest.approx(0.03125)
    assert mid.test == "mid-p McNemar"


def test_five_single_items_can_decide_by_mid_p_alone(experiment: Experiment, spec: Spec) -> None:
    records = experiment(direct="c " * 5, cot="w " * 5)
    (exact,) = compare(records, {"grammar": spec})
    (mid,) = compare(records, {"grammar": spec}, mid_p=True)
    assert (exact.can_decide, mid.can_decide) == (False, True)
    assert not any("can never be significant" in line for line in mid.warnings)
    fewer = compare(experiment(direct="c " * 4, cot="w " * 4), {"grammar": spec}, mid_p=True)
    assert said(fewer[0], "4 independent groups can never be significant: p cannot go below 0.0625")
    assert any(line.endswith("five or more are needed.") for line in fewer[0].warnings)


def test_whatever_the_outcomes_nothing_is_nan(experiment: Experiment, spec: Spec) -> None:
    letters: Mapping[str, str] = {"direct": "cwu", "cot": "ucw", "tot": "www"}
    for size in range(1, 4):
        for groups in (1, 2, 7):
            for first in letters.values():
                for second in letters.values():
                    records = experiment(
                        direct=f"{first[:size]} " * groups, cot=f"{second[:size]} " * groups
                    )
                    people = [
                        dataclasses.replace(record, who=f"person/{number}")
                        for record in records
                        for number in range(2)
                    ]
                    one(records, spec)
                    both = [*records, *people]
                    specs = {"grammar": spec}
                    found = compare(both, specs, between="models")
                    further = further_to_json(
                        cheapest(both, specs, 3), effect_differences(both, specs), ()
                    )
                    json.dumps([to_json(found), further], allow_nan=False)
                    for each in found:
                        assert each.p is None or 0 <= each.p <= 1


def test_a_level_without_the_baseline_arm_is_no_level_of_another_baseline(
    experiment: Experiment, spec: Spec
) -> None:
    records = [
        record
        for record in experiment(direct="cc cc", cot="cw cw", tot="ww ww")
        if record.arm != "direct" or record.factors["length"] == 3
    ]
    found = compare(records, {"grammar": spec}, by="length")
    assert {each.baseline for each in found} == {"direct"}
    assert {each.level for each in found} == {None, 3}


def test_an_outcome_of_the_wrong_kind_counts_as_the_worst_whatever_its_value(
    experiment: Experiment, spec: Spec
) -> None:
    records = [
        dataclasses.replace(record, value=1.0) if record.outcome is Outcome.REFUSED else record
        for record in experiment(direct="cc " * 6, cot="cr " * 6)
    ]
    assert one(records, spec).effect == -50
