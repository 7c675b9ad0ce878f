"""The calibration: twins against their originals, its worlds, and a short form of its table."""

from __future__ import annotations

import numpy as np
import pytest

from misstep.analyse.calibration import Effort, Row, rows
from misstep.analyse.calibration.early import first_looks_at_singles
from misstep.analyse.calibration.experiments import World, chance_of, sums
from misstep.analyse.calibration.looks import first_looks
from misstep.analyse.calibration.nouns import error_rate, share
from misstep.analyse.calibration.twins import clustered_found, original, sign_flip_ps, singles
from misstep.analyse.estimate import estimate
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.inference.signflip import sign_flip
from misstep.analyse.sequential.evidence import Groups, equivalence_path, p_path

QUICK = Effort(experiments=300, tables=2)


def drawn(world: World, experiments: int) -> Floats:
    return sums(world, experiments, chance_of("test", world, 1))


@pytest.mark.parametrize("is_uneven", [False, True])
@pytest.mark.parametrize("groups", [6, 20])
def test_the_twin_of_estimate_says_what_estimate_says_of_items(
    groups: int, is_uneven: bool
) -> None:
    world = World(groups, -0.05, 0.1, is_uneven=is_uneven)
    experiments = drawn(world, 8)
    found = clustered_found(experiments, world.sizes)
    for at, one in enumerate(experiments):
        whole = estimate(*_items(one, world.sizes), margin=3.0)
        assert whole.interval is not None
        assert whole.basis is not None
        assert found.effect[at] == pytest.approx(whole.effect, abs=1e-9)
        assert (found.low[at], found.high[at]) == pytest.approx(
            (whole.interval.low, whole.interval.high), abs=1e-9
        )
        assert found.equivalence_p[at] == pytest.approx(whole.equivalence_p, abs=1e-9)
        assert found.not_worse_p[at] == pytest.approx(whole.basis.p_above(-3.0), abs=1e-9)


def _items(one: Floats, sizes: Floats) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Differences of -1, 0 and 1 with the groups' sums, and the group of each."""
    values, group = [], []
    for place, (total, size) in enumerate(zip(one, sizes, strict=True)):
        moved = int(abs(total))
        values += [float(np.sign(total))] * moved + [0.0] * (int(size) - moved)
        group += [place] * int(size)
    return np.array(values), np.array(group, dtype=np.int64)


def test_where_groups_do_not_differ_the_twin_takes_the_original() -> None:
    sizes = np.full(6, 44.0)
    found = clustered_found(np.full((1, 6), 11.0), sizes)
    whole = original(np.full(6, 11.0), sizes)
    assert whole.interval is not None
    assert (found.low[0], found.high[0]) == (whole.interval.low, whole.interval.high)
    assert found.low[0] < 25 < found.high[0]


def test_the_sign_flip_twin_is_exact_where_the_test_is() -> None:
    world = World(9, -0.08, 0.1)
    experiments = drawn(world, 20)
    twin = sign_flip_ps(experiments, chance_of("signs", world, 0))
    assert twin == pytest.approx([sign_flip(one) for one in experiments], abs=1e-12)


def test_the_sign_flip_twin_draws_as_the_test_does() -> None:
    world = World(30, -0.05, 0.1)
    experiments = drawn(world, 12)
    twin = sign_flip_ps(experiments, chance_of("signs", world, 0), draws=40_000)
    # Both are drawn: the standard error of the difference is below .003.
    assert twin == pytest.approx([sign_flip(one) for one in experiments], abs=0.012)


def test_single_items_are_estimated_by_their_counts() -> None:
    experiments = drawn(World(40, -0.1, size=1), 25)
    found = singles(experiments, lambda one: one.effect)
    assert found == pytest.approx(100 * experiments.mean(axis=1), abs=1e-9)
    ps = singles(experiments, lambda one: 1.0 if one.p is None else one.p)
    each = [estimate(one, np.arange(40), 3.0).p for one in experiments]
    assert ps.tolist() == each


def test_the_twin_of_the_looks_stops_where_the_p_does() -> None:
    world = World(40, -0.1, 0.1)
    experiments = drawn(world, 12)
    means = experiments / world.sizes
    stops = np.minimum(first_looks(means, 44), first_looks(-means, 44))
    for stop, one in zip(stops, experiments, strict=True):
        path = p_path(Groups(one, world.sizes, are_singles=False))
        assert stop == _first(path)


def test_the_twin_of_looks_at_single_items_stops_where_the_p_does() -> None:
    values = drawn(World(200, -0.2, size=1), 12)
    stops = np.minimum(first_looks_at_singles(values, 0, 1), first_looks_at_singles(values, 0, -1))
    within = np.maximum(
        first_looks_at_singles(values, -0.3, 1), first_looks_at_singles(values, 0.3, -1)
    )
    for stop, inside, one in zip(stops, within, values, strict=True):
        groups = Groups(one, np.ones(200), are_singles=True)
        assert stop == _first(p_path(groups))
        assert inside == _first(equivalence_path(groups, 0.3))


def _first(path: Floats) -> int:
    below = np.flatnonzero(path < 0.05)
    return int(below[0]) + 1 if below.size else len(path) + 1


@pytest.mark.parametrize("between", [0.0, 0.2])
def test_the_mean_of_a_world_is_its_effect_however_much_its_groups_differ(between: float) -> None:
    world = World(100, -0.23, between)
    found = drawn(world, 2_000).mean() / world.size
    # 200,000 groups: a standard error of .0005.
    assert found == pytest.approx(-0.23, abs=0.002)


def test_every_row_of_a_short_form_is_within_its_bounds() -> None:
    made = list(rows(QUICK))
    assert [row for row in made if not row.is_within] == []
    assert len(made) > 100
    assert {row.what for row in made if not row.is_claim} <= {
        "coverage, CR2 and t",
        "coverage, Tango",
    }


def test_the_same_seed_gives_the_same_rows() -> None:
    few = Effort(experiments=50, tables=2, seed=4)
    first = [row for _, row in zip(range(30), rows(few), strict=False)]
    assert first == [row for _, row in zip(range(30), rows(few), strict=False)]


def test_an_interval_that_is_blind_to_groups_is_out_of_bounds() -> None:
    world = World(20, between=0.2)
    experiments = drawn(world, 1_000)
    means = experiments.sum(axis=1) / world.sizes.sum()
    reach = 1.96 * np.sqrt(0.35 / world.sizes.sum())
    covered = (np.abs(means) <= reach).astype(np.float64)
    assert not share("naive", "", covered, low=0.94, high=0.965).is_within


def test_a_test_that_errs_twice_as_often_is_out_of_bounds() -> None:
    hits = np.repeat([1.0, 0.0], [100, 900])
    assert not error_rate("naive", "", hits).is_within
    assert error_rate("fair", "", np.repeat([1.0, 0.0], [52, 948])).is_within


def test_a_row_without_a_bound_claims_nothing() -> None:
    row = Row("what", "setting", 0.5, 0.0)
    assert row.is_within
    assert not row.is_claim
