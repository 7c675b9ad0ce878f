"""Reference solvers: passes as the specification has them, and the same through the runner."""

from __future__ import annotations

from math import comb
from pathlib import Path
from statistics import fmean, stdev

import pytest

from misstep.families.vehicles import FAMILY
from misstep.families.vehicles.solvers import REFERENCES
from misstep.runner.run import Request, carry_out, plan
from misstep.runner.solvers import reference_records
from vehicle_lists import List, lists

MANY = 1_200
"""Lists: a standard error of .03 to .16 passes."""


def simulated(name: str, items: tuple[List, ...]) -> list[int]:
    """Passes of each list with the learner alone: no words, no conversation, no runner."""
    from misstep.families.vehicles.solvers.playing import _answers

    found = []
    for item in items:
        answers = _answers(item.id, item.payload, name, REFERENCES[name].learning)
        said = [answers[start : start + 10] for start in range(0, 150, 10)]
        right = [tuple(item.payload.classes[one] for one in order) for order in item.payload.orders]
        perfect = (at for at in range(15) if said[at] == right[at])
        found.append(next(perfect, 14) + 1)
    return found


@pytest.mark.parametrize("name", [name for name in REFERENCES if name not in ("rule", "gcm")])
def test_mean_passes_are_those_of_the_specification(name: str) -> None:
    """Known to two decimals from simulations, whose own error is taken to be as large as ours."""
    passes = simulated(name, lists(7, MANY))
    error = stdev(passes) / len(passes) ** 0.5
    low, high = REFERENCES[name].passes
    assert low - 3 * error - 0.02 <= fmean(passes) <= high + 3 * error + 0.02


@pytest.mark.parametrize(("name", "stores"), [
    ("memoriser", 1.0), ("memoriser-80", 0.8), ("memoriser-50", 0.5), ("memoriser-30", 0.3),
])  # fmt: skip
def test_memorisers_agree_with_the_chain_of_how_many_are_stored(name: str, stores: float) -> None:
    passes = simulated(name, lists(8, MANY))
    error = stdev(passes) / len(passes) ** 0.5
    assert fmean(passes) == pytest.approx(expected_passes(stores), abs=3.5 * error + 0.001)


def expected_passes(stores: float) -> float:
    """Exactly: k vehicles are not stored; a pass is perfect with probability ½ to the k."""
    going_on, total = {10: 1.0}, 0.0
    for _ in range(14):
        total += sum(going_on.values())
        after: dict[int, float] = {}
        for k, share in going_on.items():
            failed = share * (1 - 0.5**k)
            for new in range(k + 1):
                chance = comb(k, new) * stores**new * (1 - stores) ** (k - new)
                after[k - new] = after.get(k - new, 0.0) + failed * chance
        going_on = after
    return total + sum(going_on.values())


def test_the_rule_alone_never_solves_and_stays_at_exactly_eight() -> None:
    by_name = [
        record for record in reference_records(FAMILY, lists(3, 12)) if record.who == "ref/rule"
    ]
    for record in by_name:
        assert (record.value, record.details["solved"]) == (15.0, False)
        assert {record.details[f"right_{at}"] for at in range(2, 16)} == {8}
    assert len(by_name) == 12


def test_the_exemplar_model_is_slower_than_memory_and_faster_than_the_rule() -> None:
    passes = simulated("gcm", lists(3, 300))
    assert 5 < fmean(passes) < 8


def test_a_run_through_the_runner_is_the_simulation(tmp_path: Path) -> None:
    items = lists(0, 4)
    for name, arms in (("memoriser-80", ("direct", "explain")), ("rulex-50", ("direct",))):
        request = Request(FAMILY, f"ref/{name}", arms=arms, limit=4, log_dir=tmp_path)
        records = carry_out(plan(request)).records
        for arm in arms:
            found = [record.value for record in records if record.arm == arm]
            assert found == simulated(name, items)


def test_records_of_references_are_those_of_the_simulation() -> None:
    items = lists(5, 6)
    for name in REFERENCES:
        own = [r for r in reference_records(FAMILY, items) if r.who == f"ref/{name}"]
        assert [record.value for record in own] == simulated(name, items)
