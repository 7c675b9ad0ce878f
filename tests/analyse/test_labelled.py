"""Labels of disagreements alone: the same difference, p and interval as labels of everything."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from scipy import stats

from labelling import ARMS, labels_by_truth, replies, reply
from misstep.analyse import compare
from misstep.analyse.comparison import Comparison, Verdict
from misstep.analyse.inference.intervals import tango
from misstep.analyse.labels.agreement import agreements, kappa
from misstep.analyse.labels.disagreements import disagreements
from misstep.analyse.labels.labelled import compare_labelled
from misstep.analyse.labels.nouns import LabelledComparison, Labelling
from misstep.core.errors import BadInput
from misstep.core.labels import Judgement, Label
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.core.seeds import Chance, stream

Answers = list[tuple[str | None, str | None]]


def _drawn(chance: Chance, items: int, *, refusing: int = 0) -> tuple[Answers, dict[str, str]]:
    """Two answers out of four to each item, alike two times in three; one in `refusing` is none."""
    answers: Answers = []
    for _ in range(items):
        first = chance.choice("abcd")
        second = first if chance.below(3) else chance.choice("abcd")
        pair = [
            None if refusing and chance.below(refusing) == 0 else one for one in (first, second)
        ]
        answers.append((pair[0], pair[1]))
    return answers, {f"q{place}": chance.choice("ab") for place in range(items)}


def _scored(records: list[Record], truths: dict[str, str]) -> list[Record]:
    """As if everything had been labelled."""
    return [
        reply(
            one.item, one.arm, one.answer,
            group=one.group, repetition=one.repetition, truth=truths[one.item],
        )
        for one in records
    ]  # fmt: skip


def _labelled(records: list[Record], labels: list[Label]) -> LabelledComparison:
    (one,) = compare_labelled([Labelling(records, labels)])
    return one


def _check_same(one: LabelledComparison, full: Comparison) -> None:
    found = one.found
    assert found is not None
    assert found.p == full.p
    assert found.effect == full.effect
    assert found.interval == full.interval
    assert found.test == full.test
    assert found.equivalence == full.equivalence
    assert (found.verdict, found.is_small) == (full.verdict, full.is_small)
    assert (one.lost, one.gained, one.n, one.groups) == (
        full.lost,
        full.gained,
        full.n,
        full.groups,
    )


def test_labels_of_disagreements_give_the_p_of_full_labels_on_a_thousand_data_sets() -> None:
    told = 0
    for number in range(1_000):
        chance = stream("labelled", 1, 0, "simulated", number)
        items, refusing = 10 + chance.below(40), 8 if number % 4 == 0 else 0
        answers, truths = _drawn(chance, items, refusing=refusing)
        records = replies(answers)
        one = _labelled(records, labels_by_truth(records, truths))
        # The whole table, as full labels have it: right and wrong in each arm of every item.
        rights = [
            (first == truths[f"q{place}"], second == truths[f"q{place}"])
            for place, (first, second) in enumerate(answers)
        ]
        lost, gained = rights.count((True, False)), rights.count((False, True))
        p = float(stats.binomtest(lost, lost + gained).pvalue) if lost + gained else 1.0
        assert one.found is not None
        assert one.found.p == pytest.approx(p, rel=1e-9)
        assert (one.lost, one.gained, one.n) == (lost, gained, items)
        told += one.labelled
        if number % 5 == 0:
            assert one.found.interval is not None
            interval = tango(gained, lost, items)
            ends = (100 * interval.low, 100 * interval.high)
            assert (one.found.interval.low, one.found.interval.high) == pytest.approx(ends)
        if number % 20 == 0:
            (full,) = compare(_scored(records, truths), {})
            _check_same(one, full)
    assert 5_000 < told < 15_000


def test_the_p_is_that_of_a_binomial_test_on_the_discordant_pairs() -> None:
    counts = {("a", "b"): 9, ("b", "a"): 2, ("a", "a"): 20, ("c", "d"): 5}
    answers: Answers = [pair for pair, count in counts.items() for _ in range(count)]
    records = replies(answers)
    one = _labelled(records, labels_by_truth(records, {f"q{place}": "a" for place in range(36)}))
    assert one.found is not None
    assert (one.lost, one.gained) == (9, 2)
    assert one.found.p == pytest.approx(float(stats.binomtest(2, 11).pvalue), rel=1e-12)
    assert one.found.effect == pytest.approx(100 * -7 / 36)


def test_grouped_items_get_the_sign_flip_over_groups_of_full_labels() -> None:
    for number in range(30):
        chance = stream("labelled", 1, 0, "grouped", number)
        answers, truths = _drawn(chance, 40, refusing=10)
        records = replies(answers, [f"g{place // 4}" for place in range(40)])
        one = _labelled(records, labels_by_truth(records, truths))
        (full,) = compare(_scored(records, truths), {})
        _check_same(one, full)
        assert one.found is not None
        assert one.found.test.startswith("sign-flip")


def test_repetitions_are_averaged_within_the_item_as_with_full_labels() -> None:
    chance = stream("labelled", 1, 0, "repeated")
    truths = {f"q{place}": "a" for place in range(12)}
    records = [
        reply(item, arm, chance.choice("abc"), repetition=repetition)
        for arm in ARMS
        for repetition in (1, 2, 3)
        for item in truths
    ]
    one = _labelled(records, labels_by_truth(records, truths))
    (full,) = compare(_scored(records, truths), {})
    assert one.found is not None
    assert one.found.effect == pytest.approx(full.effect)
    assert one.found.p == full.p
    assert one.pairs == 36


def test_the_second_line_leaves_out_what_the_second_line_of_full_labels_does() -> None:
    answers, truths = _drawn(stream("labelled", 1, 0, "second"), 60, refusing=5)
    records = replies(answers)
    one = _labelled(records, labels_by_truth(records, truths))
    (full,) = compare(_scored(records, truths), {})
    assert one.answered is not None
    assert full.left_out is not None
    assert (one.answered.n, one.answered.effect) == (full.left_out.n, full.left_out.effect)
    assert (one.answered.p, one.answered.interval) == (full.left_out.p, full.left_out.interval)
    assert one.baseline_use.unanswered == full.baseline_summary.unanswered


def test_no_field_of_the_result_says_how_often_an_arm_is_right() -> None:
    records = replies([("a", "b")] * 8)
    one = _labelled(records, labels_by_truth(records, {f"q{place}": "a" for place in range(8)}))
    names = {field.name for field in dataclasses.fields(one)}
    names |= {field.name for field in dataclasses.fields(one.arm_use)}
    assert not {name for name in names if "accura" in name or "right" in name or "summary" in name}


def test_the_same_two_answers_are_labelled_once_whichever_arm_gave_which() -> None:
    records = [
        reply("q", "direct", "a", repetition=1),
        reply("q", "direct", "b", repetition=2),
        reply("q", "cot", "b", repetition=1),
        reply("q", "cot", "a", repetition=2),
    ]
    (one,) = disagreements(records)
    assert {one.first.answer, one.second.answer} == {"a", "b"}


def test_replies_with_the_same_answer_or_both_without_one_are_no_disagreement() -> None:
    assert disagreements(replies([("a", "a"), (None, None)])) == ()
    assert len(disagreements(replies([("a", None), (None, "b"), ("a", "b")]))) == 3


def test_which_answer_is_the_first_says_nothing_of_the_arm() -> None:
    found = disagreements(replies([("a", "b")] * 200))
    firsts = sum(one.first.arm == "direct" for one in found)
    assert 70 < firsts < 130
    swapped = disagreements(replies([("b", "a")] * 200))
    assert [one.id for one in found] == [one.id for one in swapped]


def test_missing_labels_give_bounds_that_hold_whatever_they_say() -> None:
    records = replies([("a", "b")] * 3 + [("a", "a")] * 17 + [("a", None)] * 2)
    truths = {f"q{place}": "a" for place in range(22)}
    every = labels_by_truth(records, truths)
    one = _labelled(records, every[:2])
    assert one.found is None
    assert one.lowest is not None
    assert one.highest is not None
    assert (one.missing, one.labelled, one.agreeing, one.lost) == (3, 2, 17, 2)
    assert one.lowest.effect == pytest.approx(100 * -5 / 22)
    assert one.highest.effect == pytest.approx(100 * -1 / 22)  # who refuses can't be right
    left = disagreements(records)[2:]
    for words in itertools.product(Judgement, repeat=3):
        given = [Label(d.item, d.id, "anna", word) for d, word in zip(left, words, strict=True)]
        whole = _labelled(records, every[:2] + given)
        if whole.found is not None and not whole.left_out:
            assert one.lowest.effect <= whole.found.effect + 1e-9
            assert whole.found.effect <= one.highest.effect + 1e-9


def test_a_pair_of_which_nobody_can_say_is_left_out_and_counted() -> None:
    records = replies([("a", "b")] * 7 + [("a", "a")] * 3)
    labels = labels_by_truth(records, {f"q{place}": "a" for place in range(10)})
    labels[0] = dataclasses.replace(labels[0], judgement=Judgement.CANNOT_SAY)
    one = _labelled(records, labels)
    assert one.found is not None
    assert (one.left_out, one.n, one.lost, one.missing) == (1, 9, 6, 0)
    assert one.found.p == pytest.approx(2 * 0.5**6)


def test_who_can_say_is_believed_where_another_cannot() -> None:
    records = replies([("a", "b")] * 7)
    truths = {f"q{place}": "a" for place in range(7)}
    unsure = [
        dataclasses.replace(label, labeller="ben", judgement=Judgement.CANNOT_SAY)
        for label in labels_by_truth(records, truths)
    ]
    assert _labelled(records, unsure).n == 0
    assert "Nothing is left to compare" in _labelled(records, unsure).warnings[0]
    both = _labelled(records, unsure + labels_by_truth(records, truths))
    assert (both.left_out, both.lost) == (0, 7)


def test_conflicts_are_named_and_count_as_missing_until_one_person_is_chosen() -> None:
    records = replies([("a", "b")] * 8)
    anna = labels_by_truth(records, {f"q{place}": "a" for place in range(8)}, "anna")
    ben = labels_by_truth(
        records, {f"q{place}": "b" if place < 2 else "a" for place in range(8)}, "ben"
    )
    one = _labelled(records, anna + ben)
    assert one.found is None
    assert one.conflicts == ("q0", "q1")
    assert one.missing == 2
    (alone,) = compare_labelled([Labelling(records, anna + ben)], labeller="ben")
    assert alone.found is not None
    assert (alone.lost, alone.gained) == (6, 2)
    (agreed,) = agreements(anna + ben, [one.id for one in disagreements(records)])
    assert agreed.conflicts == ("q0", "q1")
    assert (agreed.both, agreed.same) == (8, 6)


def test_kappa_agrees_with_a_calculation_by_hand() -> None:
    # Cohen's table of 100: 45 and 25 alike, 15 and 15 not: agreement .70, by chance .54.
    first = ["a"] * 60 + ["b"] * 40
    second = ["a"] * 45 + ["b"] * 15 + ["a"] * 15 + ["b"] * 25
    assert kappa(first, second) == pytest.approx((0.70 - 0.52) / (1 - 0.52))
    assert kappa(["a", "b", "c"], ["a", "b", "c"]) == 1
    assert kappa(["a", "b"], ["b", "a"]) == -1


def test_kappa_of_two_who_only_ever_say_one_thing_is_not_defined() -> None:
    assert kappa(["a", "a"], ["a", "a"]) is None


def test_a_label_of_answers_that_the_run_no_longer_has_counts_for_nothing() -> None:
    records = replies([("a", "b")] * 6)
    stale = [Label("q0", "gone", "anna", Judgement.FIRST)]
    assert _labelled(records, stale).missing == 6


def test_items_whose_answer_is_known_need_no_label() -> None:
    records = replies([("a", "b")] * 6)
    known = [
        reply(item, arm, answer, truth="a")
        for item in ("k1", "k2")
        for arm, answer in zip(ARMS, ("a", "c"), strict=True)
    ]
    one = _labelled(known + records, labels_by_truth(records, {f"q{n}": "b" for n in range(6)}))
    assert one.found is not None
    assert (one.lost, one.gained) == (2, 6)
    assert len(disagreements(known + records)) == 6


def test_three_arms_are_held_against_the_first_with_ps_after_holm() -> None:
    records = [
        reply(f"q{place}", arm, answer)
        for arm, answer in (("low", "a"), ("middle", "a"), ("high", "b"))
        for place in range(8)
    ]
    labels = labels_by_truth(records, {f"q{place}": "a" for place in range(8)})
    middle, high = compare_labelled([Labelling(records, labels)])
    assert middle.found is not None
    assert high.found is not None
    assert (middle.found.p, high.found.p) == (1, 2 * 0.5**8)
    assert high.found.p_adjusted == pytest.approx(4 * 0.5**8)
    assert high.found.verdict is Verdict.HURTS


def test_non_inferiority_is_that_of_full_labels() -> None:
    answers, truths = _drawn(stream("labelled", 1, 0, "margin"), 80)
    records = replies(answers)
    (one,) = compare_labelled(
        [Labelling(records, labels_by_truth(records, truths))], non_inferiority=5.0
    )
    (full,) = compare(_scored(records, truths), {}, non_inferiority=5.0)
    assert one.found is not None
    assert one.found.non_inferiority == full.non_inferiority


def test_a_comparison_of_what_nobody_has_labelled_is_refused() -> None:
    records = replies([("a", "b")] * 6)
    with pytest.raises(BadInput, match="misstep label"):
        compare(records, {})
    assert all(record.outcome is Outcome.UNPARSED for record in records)
