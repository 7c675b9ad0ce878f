"""Many models: Benjamini and Hochberg against statsmodels, and verdicts by them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from misstep.analyse import Comparison, Verdict, compare
from misstep.analyse.inference.multiple import benjamini_hochberg, benjamini_hochberg_known
from misstep.analyse.matrix import cells_of, matrix
from misstep.core.family import Spec
from misstep.core.records import Record

Experiment = Callable[..., list[Record]]
# Eight groups of which all lose: the sign-flip p is 2 / 256.
LOST = {"direct": " ".join(["cc"] * 8), "cot": " ".join(["ww"] * 8)}
LEVEL = {"direct": " ".join(["cw"] * 8), "cot": " ".join(["cw", "wc"] * 4)}


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
@settings(max_examples=100, deadline=None)
def test_benjamini_hochberg_agrees_with_statsmodels(ps: list[float]) -> None:
    found = multipletests(ps, method="fdr_bh")[1]
    assert benjamini_hochberg(ps) == pytest.approx(found.tolist(), abs=1e-9)


def test_benjamini_hochberg_of_ties_and_of_none() -> None:
    ps = [0.01, 0.01, 0.04, 0.04, 1.0]
    assert benjamini_hochberg(ps) == pytest.approx(multipletests(ps, method="fdr_bh")[1].tolist())
    assert benjamini_hochberg([]) == []


def test_an_unknown_p_stays_unknown_and_does_not_count() -> None:
    assert benjamini_hochberg_known([0.02, None, 0.04]) == [0.04, None, 0.04]


@pytest.fixture
def compared(experiment: Experiment, spec: Spec) -> Callable[..., tuple[Comparison, ...]]:
    """Each model by itself, as a run's summary holds it; letters of both arms by name."""

    def make(**models: dict[str, str]) -> tuple[Comparison, ...]:
        return tuple(
            one
            for who, arms in models.items()
            for one in compare(
                experiment(who=who.replace("__", "/"), **arms), {spec.name: spec}, by="length"
            )
        )

    return make


def test_verdicts_go_by_the_adjusted_p(
    compared: Callable[..., tuple[Comparison, ...]],
) -> None:
    alone = matrix(cells_of(compared(a=LOST)))
    assert [one.verdict for one in alone.cells] == [Verdict.HURTS]
    crowd = {f"m{at}": LEVEL for at in range(7)}
    found = matrix(cells_of(compared(a=LOST, **crowd)))
    first = found.cells[0]
    assert first.cell.p == pytest.approx(2 / 256)
    # The one small p of eight: times eight it is above .05.
    assert first.p_adjusted == pytest.approx(16 / 256)
    assert first.verdict is Verdict.UNDECIDED


def test_levels_of_a_factor_have_no_cell(
    compared: Callable[..., tuple[Comparison, ...]],
) -> None:
    assert len(cells_of(compared(a=LOST))) == 1


def test_reference_solvers_come_last_and_change_no_models_p(
    compared: Callable[..., tuple[Comparison, ...]],
) -> None:
    found = matrix(cells_of(compared(ref__x=LEVEL, a=LOST, b=LEVEL)))
    assert found.models == ("a", "b", "ref/x")
    assert [one.p_adjusted for one in found.cells] == pytest.approx([4 / 256, 1, 1])


def test_a_cell_is_found_by_model_and_column(
    compared: Callable[..., tuple[Comparison, ...]],
) -> None:
    found = matrix(cells_of(compared(a=LOST)))
    (column,) = found.columns
    assert (column.family, column.arm, column.baseline) == ("grammar", "cot", "direct")
    assert found.at("a", column) is found.cells[0]
    assert found.at("b", column) is None
