"""Comparisons of runs that could stop early: what they use, in which order, and what they claim."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from misstep.analyse import compare, records_from_frame, to_frame, to_json
from misstep.analyse.cheapest import cheapest
from misstep.analyse.comparison import Comparison, Verdict
from misstep.analyse.sequential.evidence import Groups, log_evidence
from misstep.analyse.sequential.looks import BETA, FLIP, looked_at, watcher
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.looks import complete_groups
from misstep.core.measures import PASSES
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.core.seeds import Chance, digest

Experiment = Callable[..., list[Record]]
HURT = {"direct": "cccc " * 12, "cot": "wwwc " * 12}
CALM = {"direct": "cwcc " * 12, "cot": "ccwc " * 12}


def looked(records: Sequence[Record], planned: int = 20, sizes: int | None = None) -> list[Record]:
    """As a run that could stop early leaves them: group g3 is look 4, and so on."""
    count: dict[tuple[str, str, str], int] = {}
    for one in records:
        key = (one.who, one.arm, one.group)
        count[key] = count.get(key, 0) + 1
    return [
        dataclasses.replace(
            one,
            look=int(one.group[1:]) + 1,
            look_of=planned,
            look_replies=sizes or count[one.who, one.arm, one.group],
        )
        for one in records
    ]


def only(records: Sequence[Record], spec: Spec) -> Comparison:
    (one,) = compare(records, {"grammar": spec})
    return one


def stopped_at(records: Sequence[Record], spec: Spec, *arms: str) -> int | None:
    watch = watcher(spec)(arms or ("direct", "cot"))
    looks = (watch(own) for own in complete_groups(records, arms or ("direct", "cot")))
    return next((look.looks for look in looks if look.is_decided), None)


def test_what_came_after_the_deciding_look_is_not_used(experiment: Experiment, spec: Spec) -> None:
    records = looked(experiment(**HURT))
    last = stopped_at(records, spec)
    one = only(records, spec)
    assert last is not None
    assert 6 <= last < 12
    assert (one.is_sequential, one.looks, one.looks_planned, one.groups) == (True, last, 20, last)
    assert (one.answers, one.answers_planned) == (8 * last, 160)
    assert (one.verdict, one.test, one.paper_p) == (Verdict.HURTS, FLIP, None)
    assert one.p is not None
    assert one.p < 0.05
    assert one.interval is not None
    assert one.interval.high < 0


def test_the_order_of_the_records_changes_nothing(experiment: Experiment, spec: Spec) -> None:
    for letters in (HURT, {"direct": "cw cc wc cc cc cw", "cot": "wc cw wc ww cc cc"}):
        records = looked(experiment(**letters))
        one = only(records, spec)
        for seed in range(3):
            other = only(Chance(digest("order", seed)).shuffled(records), spec)
            assert (other.p, other.effect, other.looks) == (one.p, one.effect, one.looks)
            assert other.interval == one.interval


def test_groups_that_are_not_whole_and_all_after_them_are_left_out(
    experiment: Experiment, spec: Spec
) -> None:
    records = looked(experiment(**CALM))
    torn = [
        one for one in records if not (one.look == 6 and one.arm == "cot" and one.item[-1] == "0")
    ]
    one = only(torn, spec)
    assert (one.looks, one.groups, one.n) == (5, 5, 20)
    assert one.verdict is Verdict.UNDECIDED
    assert one.p == only([one for one in records if one.look and one.look <= 5], spec).p


def test_the_fixed_p_of_the_same_replies_is_smaller_and_is_not_what_is_printed(
    experiment: Experiment, spec: Spec
) -> None:
    letters = {"direct": "cc cc cw cc cc cc", "cot": "cw cw cw wc cw cw"}
    fixed, anytime = only(experiment(**letters), spec), only(looked(experiment(**letters)), spec)
    assert fixed.p is not None
    assert anytime.p is not None
    assert anytime.p > fixed.p
    assert not fixed.is_sequential
    assert fixed.looks is None


def test_single_items_are_bet_on_by_their_discordant_pairs(
    experiment: Experiment, spec: Spec
) -> None:
    one = only(looked(experiment(direct="c " * 9, cot="w " * 9)), spec)
    # Eight losses: 2 / (2^9 - 1) * 9 is the first p below .05.
    assert (one.looks, one.test) == (8, BETA)
    assert one.p == pytest.approx(2 * 9 / (2**9 - 1), abs=1e-9)


def test_each_run_is_a_family_of_its_own_as_it_stopped_for_itself(
    experiment: Experiment, spec: Spec
) -> None:
    records = [one for who in "abcdef" for one in looked(experiment(who=who, **HURT))]
    found = compare(records, {"grammar": spec})
    assert [one.verdict for one in found] == [Verdict.HURTS] * 6
    assert all(one.p_adjusted == one.p for one in found)


def test_arms_of_one_run_are_adjusted_for_each_other(experiment: Experiment, spec: Spec) -> None:
    letters = HURT | {"tot": "cccw " * 12}
    arms = ("direct", "cot", "tot")
    records = looked(experiment(**letters))
    both = compare(records, {"grammar": spec})
    alone = stopped_at(records, spec)
    assert alone is not None
    together = stopped_at(records, spec, *arms)
    assert together is None or together > alone
    assert all(one.p_adjusted is not None and one.p is not None for one in both)
    assert min(one.p_adjusted or 0 for one in both) == pytest.approx(
        2 * min(one.p or 0 for one in both)
    )


def test_records_with_and_without_looks_are_not_mixed(experiment: Experiment, spec: Spec) -> None:
    records = experiment(**HURT)
    mixed = looked(records)[:40] + records[40:]
    with pytest.raises(BadInput, match="column 'look': of model on grammar, 56 of 96") as refusal:
        compare(mixed, {"grammar": spec})
    assert "\n" not in str(refusal.value)


def test_looks_survive_the_way_through_a_table(experiment: Experiment, spec: Spec) -> None:
    records = looked(experiment(**HURT))
    back = records_from_frame(to_frame(records))
    assert only(back, spec).p == only(records, spec).p
    assert {one.look_of for one in back} == {20}


def test_levels_of_a_factor_have_looks_and_no_planned_answers(
    experiment: Experiment, spec: Spec
) -> None:
    whole, *levels = compare(looked(experiment(**HURT)), {"grammar": spec}, by="length")
    assert [one.level for one in levels] == [3, 4, 5, 6]
    assert {one.looks for one in levels} == {whole.looks}
    assert {one.answers_planned for one in levels} == {None}
    assert whole.p_adjusted == whole.p


def test_unanswered_pairs_are_left_out_of_the_second_line_anytime_valid(
    experiment: Experiment, spec: Spec
) -> None:
    one = only(looked(experiment(direct="cccc " * 12, cot="uuuc " * 12)), spec)
    assert one.verdict is Verdict.HURTS
    assert one.left_out is not None
    assert (one.left_out.effect, one.left_out.p) == (0.0, 1.0)


def test_repetitions_are_averaged_within_the_item(experiment: Experiment, spec: Spec) -> None:
    records = [
        one
        for repetition in (1, 2)
        for one in experiment(repetition=repetition, direct="cc " * 12, cot="ww " * 12)
    ]
    whole = only(looked(records), spec)
    assert whole.repetitions == 2
    assert whole.verdict is Verdict.HURTS
    half = [one for one in looked(records, sizes=4) if one.repetition == 1 or (one.look or 0) < 4]
    assert only(half, spec).looks == 3


def test_more_passes_hurt(experiment: Experiment, spec: Spec) -> None:
    passes = dataclasses.replace(spec, measure=PASSES, margin=0.5, chance=15.0)
    records = [
        dataclasses.replace(
            one, value=3.0 if one.arm == "direct" else 15.0, outcome=Outcome.CORRECT
        )
        for one in looked(experiment(direct="c " * 20, cot="c " * 20))
    ]
    one = only(records, passes)
    assert (one.verdict, one.unit, one.effect) == (Verdict.HURTS, "passes", 12.0)
    assert one.test == FLIP
    assert one.interval is not None
    assert 0 < one.interval.low < 12 < one.interval.high <= 14


def test_arms_alike_on_many_items_show_no_meaningful_difference(
    experiment: Experiment, spec: Spec
) -> None:
    wide = dataclasses.replace(spec, margin=15.0)
    letters = "cccccccccccccccwcccc " * 60
    other = "ccccccccccccccwccccc " * 60
    one = only(looked(experiment(direct=letters, cot=other), planned=60), wide)
    assert one.verdict is Verdict.NO_MEANINGFUL_DIFFERENCE
    assert one.looks is not None
    assert one.looks < 60
    assert one.interval is not None
    assert one.equivalence.margin == 15.0
    assert max(-one.interval.low, one.interval.high) < 15.0
    assert one.equivalence.p is not None
    assert one.equivalence.p < 0.05


def test_an_undecided_run_says_what_would_decide_if_it_went_on_alike(
    experiment: Experiment, spec: Spec
) -> None:
    short = {arm: " ".join(groups.split()[:4]) for arm, groups in HURT.items()}
    one = only(looked(experiment(**short)), spec)
    assert one.verdict is Verdict.UNDECIDED
    assert one.to_decide is not None
    assert one.to_decide.by == "difference"
    # Twelve groups like these decide at the look that the watch itself finds.
    assert one.to_decide.groups + 4 == stopped_at(looked(experiment(**HURT)), spec)


def test_non_inferiority_and_the_cheapest_arm_are_anytime_valid_too(
    experiment: Experiment, spec: Spec
) -> None:
    records = looked(experiment(**CALM))
    (one,) = compare(records, {"grammar": spec}, non_inferiority=20.0)
    groups = Groups(np.zeros(12), np.full(12, 4.0), are_singles=False)
    p = math.exp(-log_evidence(groups, -0.2, 1).max())
    assert one.non_inferiority is not None
    assert one.non_inferiority.arm.p == pytest.approx(p, rel=1e-9)
    bound = one.non_inferiority.arm.bound
    assert bound is not None
    assert (bound < 20) is (p < 0.05)
    torn = [each for each in records if (each.look, each.item[-1]) != (12, "0")]
    (found,) = cheapest(torn, {"grammar": spec}, 20.0)
    assert found.steps[0].n == 44


def test_the_plain_form_names_the_looks(experiment: Experiment, spec: Spec) -> None:
    rows = to_json([only(looked(experiment(**HURT)), spec)])["comparisons"]
    assert isinstance(rows, list)
    (row,) = rows
    assert row["is_sequential"] is True
    assert row["looks"] == stopped_at(looked(experiment(**HURT)), spec)


def test_models_are_compared_as_far_as_both_were_looked_at(
    experiment: Experiment, spec: Spec
) -> None:
    first = looked(experiment(who="a", **HURT))
    second = looked(experiment(who="b", direct="wwcc " * 12, cot="wwcc " * 12))
    found = compare([*first, *second], {"grammar": spec}, between="models")
    assert all(one.is_sequential for one in found)
    assert {one.groups for one in found} == {stopped_at(first, spec)}


def test_data_that_refute_every_mean_give_no_interval(experiment: Experiment, spec: Spec) -> None:
    letters = {
        "direct": "cccccccccc " * 20 + "wwwwwwwwww " * 60,
        "cot": "wwwwwccccc " * 20 + "cccccwwwww " * 60,
    }
    three = {**letters, "tot": letters["direct"]}
    one = compare(looked(experiment(**three), planned=80), {"grammar": spec})[0]
    assert one.interval is None
    assert one.equivalence.smallest_margin is None
    assert one.warnings


def test_looks_of_two_seeds_are_not_taken_for_one_run() -> None:
    rows = [
        {"family": "mine", "who": "m", "item": f"{seed}-{place}", "group": f"{seed}-{place}",
         "arm": arm, "outcome": "correct", "look": place, "look_of": 8, "look_replies": 1}
        for seed in (0, 1) for place in range(1, 9) for arm in ("direct", "cot")
    ]  # fmt: skip
    with pytest.raises(BadInput, match="runs of several seeds that could stop early"):
        looked_at(records_from_frame(rows), {})
