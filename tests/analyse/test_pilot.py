"""The plan of a sum of money: its numbers by other roads, and its power in simulated runs."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from misstep.analyse.before.courses import Setting, Simulation, first_above
from misstep.analyse.before.design import early_stops
from misstep.analyse.before.pilot import Pilot, Replies, Seen, Sum, observe_pilot, prospect, setting
from misstep.analyse.before.power import Assumptions, Design
from misstep.analyse.calibration.looks import fewest_gains, first_single_looks
from misstep.analyse.sequential.evidence import Groups, log_evidence, p_path
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.runner.paying.purse import Purse

WORST, MEDIAN = 0.16, 0.01


def length(dice: random.Random) -> float:
    """Money for a thinking reply: heavy-tailed, up to the limit."""
    return min(WORST, MEDIAN * dice.lognormvariate(0.0, 1.3))


def costs(count: int) -> np.ndarray:
    dice = random.Random(3)
    return np.array([length(dice) + 0.0004 for _ in range(count)])


def bought(budget: float, dice: random.Random) -> int:
    """How many pairs a purse pays for, each call's worst case set aside before it is made."""
    purse, pairs = Purse(budget), 0
    while True:
        for actual in (0.0004, length(dice)):
            held = purse.reserve(WORST)
            if held is None:
                return pairs
            purse.settle(held, actual)
            assert purse.spent <= budget
        pairs += 1


def test_the_power_that_is_promised_is_that_of_a_thousand_runs_that_stop_at_the_budget() -> None:
    effect, discordance, budget = 0.18, 0.25, 2.2
    asked = Setting(2_000, 1, True, discordance, 0.0, 0.03, 0.05, costs(4_000), budget, WORST)
    promised = Simulation(asked).at(effect).gained
    dice = random.Random(11)
    found = 0
    for _ in range(1_000):
        pairs = min(bought(budget, dice), 2_000)
        gained, lost = (discordance + effect) / 2, (discordance - effect) / 2
        drawn = dice.choices((1.0, -1.0, 0.0), (gained, lost, 1 - discordance), k=pairs)
        groups = Groups(np.array(drawn), np.ones(pairs), are_singles=True)
        path = np.flatnonzero(p_path(groups) < 0.05)
        found += path.size > 0 and groups.sums[: path[0] + 1].sum() > 0
    assert 0.6 < promised < 0.95
    assert found / 1_000 == pytest.approx(promised, abs=0.03)


def test_the_fewest_gains_are_those_at_which_the_e_process_reaches_the_bar() -> None:
    enough = fewest_gains(40, 40.0)
    for pairs in (5, 7, 12, 40):
        for gains in range(pairs + 1):
            sums = np.array([1.0] * gains + [-1.0] * (pairs - gains))
            groups = Groups(sums, np.ones(pairs), are_singles=True)
            reached = float(log_evidence(groups, 0.0, 1)[-1]) > np.log(40)
            assert reached == (gains >= enough[pairs])


def test_first_looks_of_single_items_are_those_of_the_evidence_look_by_look() -> None:
    dice = np.random.default_rng(5)
    sums = dice.choice([1.0, -1.0, 0.0], (20, 150), p=[0.25, 0.1, 0.65])
    found = first_single_looks(sums)
    above = first_above(sums, -0.05, 40.0)
    for row, at, beyond in zip(sums, found, above, strict=True):
        groups = Groups(row, np.ones(150), are_singles=True)
        paths = [log_evidence(groups, mean, 1) > np.log(40) for mean in (0.0, -0.05)]
        exact, earliest = (int(path.argmax()) + 1 if path.any() else 151 for path in paths)
        assert at == exact
        assert earliest <= beyond, "looked at on a grid"
        assert beyond == 151 or paths[1][int(beyond) - 1]


def test_single_items_are_promised_what_their_own_bets_do() -> None:
    """Bets on groups would stop sooner, as they take symmetry for granted."""
    design = Design(groups=400)
    found = early_stops(design, Assumptions(discordance=0.3), 8.0)
    of_groups = early_stops(replace(design, repetitions=2), Assumptions(0.3, 0.1, 0.0), 8.0)
    assert found.stopped < of_groups.stopped - 0.05


def pilot(sums: list[float], size: int = 1, planned: int = 2_000) -> Pilot:
    groups = Groups(np.array(sums), np.full(len(sums), float(size)), are_singles=size == 1)
    seen = Seen("b", groups, 0.25, 0.1)
    items = size * len(sums)
    replies = (Replies("a", items, 3.0, 3, 0.0004), Replies("b", items, 900.0, 9_000, 0.02))
    return Pilot("a", replies, (seen,), items, len(sums), planned, costs(items))


def test_more_money_detects_less_and_the_pilot_sets_the_spending_it_expects() -> None:
    seen = pilot([1.0] * 5 + [-1.0] * 4 + [0.0] * 21)
    few, many = (prospect(seen, Sum(budget, 0.5, WORST), 3.0) for budget in (2.4, 7.6))
    assert few.items < many.items < 2_000
    assert few.items_if_longer < few.items
    first, second = few.reaches[0], many.reaches[0]
    assert first.detectable is not None
    assert second.detectable is not None
    # By the square root of the items, as of any mean; looking costs a little more.
    narrower = (few.items / many.items) ** 0.5
    assert second.detectable == pytest.approx(first.detectable * narrower, rel=0.15)
    assert 0.5 < few.ending.low <= few.ending.middle <= few.ending.high <= 2.4


def test_a_pilot_that_shows_a_large_effect_is_expected_to_stop_early() -> None:
    none, much = pilot([1.0, -1.0] * 4 + [0.0] * 22), pilot([1.0] * 9 + [0.0] * 21)
    money = Sum(6.0, 0.6, WORST)
    small, large = (prospect(one, money, 3.0).ending for one in (none, much))
    assert large.middle < 0.5 * small.middle
    assert large.decided > small.decided


def test_the_promised_effect_has_the_promised_power() -> None:
    seen = pilot([1.0] * 5 + [-1.0] * 4 + [0.0] * 21)
    money = Sum(3.0, 0.5, WORST)
    reach = prospect(seen, money, 3.0).reaches[0]
    again = Simulation(setting(seen, seen.seen[0], money, 0.03), seed=1)
    assert reach.detectable is not None
    assert again.at(reach.detectable / 100).gained == pytest.approx(0.8, abs=0.03)


def test_too_little_money_can_detect_nothing() -> None:
    found = prospect(pilot([0.0] * 6), Sum(0.5, 0.4, WORST), 3.0)
    assert found.items == 6
    assert found.reaches[0].detectable is None or found.reaches[0].detectable > 60


def record(item: int, arm: str, value: float, look: int, cost: float | None) -> Record:
    return Record(
        family="ab:x", version=1, who="m", arm=arm, item=f"i{item}", group=f"g{look}",
        repetition=1, outcome=Outcome.CORRECT if value else Outcome.WRONG, value=value,
        look=look, look_of=9, look_replies=1, cost=cost, output_tokens=7,
    )  # fmt: skip


def test_a_pilot_is_read_from_complete_groups_and_accounts_for_all_that_was_spent() -> None:
    records = [
        record(item, arm, float(arm == "b" or item % 3 > 0), item, 0.01 + 0.02 * (arm == "b"))
        for item in range(1, 8)
        for arm in ("a", "b")
        if (item, arm) != (7, "b")
    ]
    found = observe_pilot(records, ("a", "b"), 9, spent=0.24)
    assert found is not None
    assert (found.items, found.looks, found.looks_planned) == (6, 6, 9)
    assert found.seen[0].discordance == pytest.approx(2 / 6)
    # six pairs at .03 and, spread over them, .06 that no record holds
    assert found.costs == pytest.approx(np.full(6, 0.04))
    assert observe_pilot(records[:8], ("a", "b"), 9, spent=0.1) is None, "four items are too few"
