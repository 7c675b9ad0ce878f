"""Reference solvers: what each gets right, from the words of the question alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from misstep.families.inconsistency import FAMILY
from misstep.families.inconsistency.solvers import SOLVERS

ITEMS = [item for group in FAMILY.generate(0, {}) for item in group]


@pytest.mark.parametrize(
    ("name", "conflicts", "others"),
    [
        ("exact", 100, 100),
        ("but", 100, 100),
        ("believer", 100, 0),
        ("explainer", 0, 100),
        ("always-no", 100, 0),
        ("always-yes", 0, 100),
    ],
)
def test_a_solver_is_right_where_its_way_leads(name: str, conflicts: int, others: int) -> None:
    right = Counter(item.truth for item in ITEMS if SOLVERS[name](item).answer == item.truth)
    assert (right["No"], right["Yes"]) == (conflicts, others)


def test_solvers_look_at_nothing_but_the_words() -> None:
    for item in ITEMS[:20]:
        turned = replace(item, truth="Yes" if item.truth == "No" else "No", factors={}, lure=None)
        for solve in SOLVERS.values():
            assert solve(turned) == solve(item)
