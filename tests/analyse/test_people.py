"""People as one side: variance from people and items, against statsmodels and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster

from misstep.analyse import Comparison, compare, effect_differences, summarise
from misstep.analyse.inference.crossed import TwoWay, contribution, two_way
from misstep.analyse.pairing import by_item
from misstep.core.family import Spec
from misstep.core.measures import ACCURACY
from misstep.core.outcomes import Outcome
from misstep.core.records import Record


def answer(who: str, arm: str, item: int, is_right: bool, letter: str = "") -> Record:
    outcome = Outcome.CORRECT if is_right else Outcome.WRONG
    outcome = Outcome.EMPTY if letter == "e" else outcome
    value = float(is_right) if outcome.is_answered else None
    return Record("grammar", 1, who, f"i{item}", f"g{item // 2}", arm, 1, outcome, value)


def crossed(
    seed: int, people: int, items: int, spread: float = 0.2, arms: tuple[str, ...] = ("direct",)
) -> list[Record]:
    """Everyone answers every item in every arm; people and items each have a level of their own."""
    draws = np.random.default_rng(seed)
    levels = 0.6 + draws.normal(0, spread, people)[:, None] + draws.normal(0, spread, items)
    return [
        answer(f"person/{who}", arm, item, bool(draws.random() < levels[who, item]))
        for arm in arms
        for who in range(people)
        for item in range(items)
    ]


def model(
    seed: int, items: int, share: float = 0.6, arms: tuple[str, ...] = ("direct",)
) -> list[Record]:
    draws = np.random.default_rng(seed)
    return [
        answer("model", arm, item, bool(draws.random() < share))
        for arm in arms
        for item in range(items)
    ]


def against_people(records: list[Record], spec: Spec) -> Comparison:
    (found,) = compare(records, {"grammar": spec}, between="models")
    return found


def test_the_three_variances_are_those_of_statsmodels() -> None:
    humans, machine = crossed(1, 7, 10)[:-9], model(2, 10)
    records = humans + machine
    sizes = {item: len(own) for item, own in by_item(humans, "direct").items()}
    values = np.array([record.value for record in records])
    is_model = np.array([record.who == "model" for record in records])
    weights = np.array(
        [1.0 if record.who == "model" else 1 / sizes[record.item] for record in records]
    )
    design = sm.add_constant(is_model.astype(float)) * np.sqrt(weights)[:, None]
    fitted = sm.OLS(values * np.sqrt(weights), design).fit()
    # A model's replies are drawn with no person: each is a person of its own.
    person = np.array([hash_free(record.who, at) for at, record in enumerate(records)])
    group = np.array([int(record.group[1:]) for record in records])
    both = person * 100 + group
    expected = [
        cov_cluster(fitted, cluster, use_correction=False)[1, 1]
        for cluster in (person, group, both)
    ]
    found = two_way(
        [
            contribution(by_item(machine, "direct"), ACCURACY),
            contribution(by_item(humans, "direct"), ACCURACY, -1),
        ]
    )
    singles = expected[2] - found.by_both
    assert expected[0] - found.by_person == pytest.approx(singles, abs=1e-12)
    assert found.by_group == pytest.approx(expected[1], abs=1e-9)
    assert found.by_person + found.by_group - found.by_both == pytest.approx(
        expected[0] + expected[1] - expected[2], abs=1e-9
    )


def hash_free(who: str, at: int) -> int:
    return int(who.removeprefix("person/")) if who.startswith("person/") else 1000 + at


def test_the_effect_is_model_minus_people_over_shared_items(spec: Spec) -> None:
    records = [answer("model", "direct", item, item < 6) for item in range(8)]
    records += [
        answer(f"person/{who}", "direct", item, who < item) for who in range(4) for item in range(8)
    ]
    found = against_people(records, spec)
    people = np.mean([min(item, 4) / 4 for item in range(8)])
    assert (found.other, found.one, found.participants) == ("people", "model", 4)
    assert found.effect == pytest.approx(100 * (6 / 8 - people))
    assert found.test == "two-way cluster-robust t"


def test_t_has_the_fewer_of_people_and_groups_less_one_to_go_by(spec: Spec) -> None:
    records = crossed(3, 5, 24) + model(4, 24)
    found = against_people(records, spec)
    assert found.interval is not None
    assert found.p is not None
    reach = (found.interval.high - found.interval.low) / 2
    error = reach / stats.t.ppf(0.975, 4)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.effect) / error, 4), abs=1e-9)


def test_more_of_the_same_people_widen_nothing_but_people_do_count(spec: Spec) -> None:
    """Half of the people always right, half always wrong: only people vary, as in a mean of 0/1."""
    people = [
        answer(f"person/{who}", "direct", item, who % 2 == 0)
        for who in range(10)
        for item in range(20)
    ]
    machine = [answer("model", "direct", item, True) for item in range(20)]
    found = against_people(people + machine, spec)
    error = np.std([1, 0] * 5, ddof=1) / np.sqrt(10)
    assert found.interval is not None
    half = 100 * error * stats.t.ppf(0.975, 9)
    assert found.interval.high == pytest.approx(min(100, 50 + half))
    assert found.interval.low == pytest.approx(50 - half)


def test_people_are_one_line_with_their_number(spec: Spec) -> None:
    (found,) = summarise(crossed(5, 6, 8), {"grammar": spec})
    assert (found.who, found.participants, found.n, found.repetitions) == ("people", 6, 8, 1)
    assert found.interval is not None


def test_between_arms_people_are_pooled_too(spec: Spec) -> None:
    (found,) = compare(crossed(6, 6, 12, arms=("direct", "cot")), {"grammar": spec})
    assert (found.who, found.arm, found.participants) == ("people", "cot", 6)
    assert found.test == "two-way cluster-robust t"


def test_what_a_person_left_open_is_left_out_by_itself(spec: Spec) -> None:
    people = [
        answer(f"person/{who}", "direct", item, True, "e" if who == 0 else "")
        for who in range(4)
        for item in range(8)
    ]
    machine = [answer("model", "direct", item, item % 4 > 0) for item in range(8)]
    found = against_people(people + machine, spec)
    assert found.effect == 0
    assert found.left_out is not None
    assert (found.left_out.pairs, found.left_out.n, found.left_out.effect) == (8, 8, -25)


def test_a_single_person_gives_no_p(spec: Spec) -> None:
    found = against_people(crossed(7, 1, 20) + model(8, 20), spec)
    assert (found.p, found.interval, found.can_decide) == (None, None, False)
    assert any(line.startswith("A single person") for line in found.warnings)


def test_the_difference_of_effects_within_people(spec: Spec) -> None:
    both = ("direct", "cot")
    records = crossed(9, 6, 12, arms=both) + model(10, 12, arms=both)
    (found,) = effect_differences(records, {"grammar": spec})
    of_model, of_people = compare(
        [record for record in records if record.who == "model"]
        + [record for record in records if record.who != "model"],
        {"grammar": spec},
    )
    assert found.model_effect == pytest.approx(of_model.effect)
    assert found.people_effect == pytest.approx(of_people.effect)
    assert found.difference == pytest.approx(of_model.effect - of_people.effect)
    assert (found.design, found.participants, found.n, found.groups) == ("within people", 6, 12, 6)


def test_within_people_each_ones_level_cancels_and_between_people_it_does_not(spec: Spec) -> None:
    """People who are always right or always wrong have no effect to vary; as two groups they do."""
    arms = ("direct", "cot")
    machine = [answer("model", arm, item, item % 3 > 0) for arm in arms for item in range(12)]

    def people(is_between: bool) -> list[Record]:
        return [
            answer(f"person/{who + 8 * (arm == 'cot' and is_between)}", arm, item, who % 2 == 0)
            for arm in arms
            for who in range(8)
            for item in range(12)
        ]

    (within,) = effect_differences(machine + people(False), {"grammar": spec})
    (between,) = effect_differences(machine + people(True), {"grammar": spec})
    assert (within.design, between.design) == ("within people", "between people")
    assert within.interval is not None
    assert between.interval is not None
    error = 100 * np.sqrt(16 / 15 * 16 * (0.5 / 8) ** 2)
    reach = stats.t.ppf(0.975, min(16, 6) - 1) * error
    assert between.interval.high == pytest.approx(min(100.0, reach))


def test_a_model_without_people_has_no_difference_of_effects(spec: Spec) -> None:
    assert effect_differences(model(11, 8, arms=("direct", "cot")), {"grammar": spec}) == ()


def test_the_test_against_people_keeps_its_level(spec: Spec) -> None:
    """Crossed people and items, no true difference; 120 replications have an SE of .02."""
    below = 0
    for seed in range(120):
        found = two_way_p(seed)
        below += found < 0.05
    assert below / 120 <= 0.11


def two_way_p(seed: int) -> float:
    draws = np.random.default_rng(seed)
    items = draws.normal(0, 0.15, 16)
    levels = 0.6 + draws.normal(0, 0.15, 16)[:, None] + items
    machine = [
        answer("model", "direct", 2 * at, bool(draws.random() < 0.6 + items[at]))
        for at in range(16)
    ]
    people = [
        answer(f"person/{who}", "direct", 2 * at, bool(draws.random() < levels[who, at]))
        for who in range(16)
        for at in range(16)
    ]
    (found,) = compare(people + machine, {}, between="models")
    assert found.p is not None
    return found.p


def test_the_variance_is_that_of_people_and_of_groups_less_that_of_both() -> None:
    parts = TwoWay(by_person=3.0, by_group=2.0, by_both=1.0, people=4, groups=3, cells=11)
    assert parts.variance == pytest.approx(3.0 * 4 / 3 + 2.0 * 3 / 2 - 1.0 * 11 / 10)
    narrow = TwoWay(by_person=3.0, by_group=0.1, by_both=2.9, people=4, groups=3, cells=11)
    assert narrow.variance == pytest.approx(4.0)


def test_people_who_answer_just_as_the_model_does_leave_no_difference_to_vary(spec: Spec) -> None:
    records = [
        answer(who, arm, item, item % 3 > (arm == "cot"))
        for who in ("model", "person/1", "person/2", "person/3")
        for arm in ("direct", "cot")
        for item in range(12)
    ]
    (found,) = effect_differences(records, {"grammar": spec})
    assert found.model_effect == found.people_effect == pytest.approx(-100 / 3)
    assert (found.difference, found.p, found.test) == (0, 1.0, "sign-flip, exact")
