"""The bench's history: ratios to peers are compared, in the sense of the better; nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "bench"))

import history
import pytest
from figures import Better, Figure, rated

FASTER = rated("more", 20.0, "peer", 10.0)
LIGHTER = Figure("less", "5 ms", "10 ms", 0.5, Better.LESS)
BOUND = rated("bound", 20.0, "10 /s", 10.0, is_bound=True)
ABSENT = Figure("absent", "20 /s", "peer: not installed")
ALL = (FASTER, LIGHTER, BOUND, ABSENT)


@pytest.mark.parametrize(
    ("figure", "before", "is_slower"),
    [
        (FASTER, 2.0, False),
        (FASTER, 2.8, False),  # 2.0 / 2.8 = .714
        (FASTER, 2.9, True),  # .690
        (FASTER, 1.0, False),
        (LIGHTER, 0.36, False),  # .36 / .5 = .72
        (LIGHTER, 0.34, True),  # .68
        (LIGHTER, 5.0, False),
        (BOUND, 200.0, False),
        (ABSENT, 200.0, False),
    ],
)
def test_a_ratio_that_lost_30_percent_is_named(
    figure: Figure, before: float, is_slower: bool
) -> None:
    found = history.slower([figure], {figure.what: history.Kept(before)})
    assert bool(found) == is_slower
    assert all(f"was {before:.3g}" in one.line for one in found)


def test_what_was_never_kept_is_not_compared() -> None:
    assert history.slower(ALL, {}) == []


def test_the_last_kept_run_of_the_same_form_counts(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    assert history.last_ratios(path, "full") == {}
    history.keep(path, history.entry("full", [rated("more", 9.0, "peer", 1.0), LIGHTER]))
    history.keep(path, history.entry("full", ALL))
    history.keep(path, history.entry("short", [rated("more", 7.0, "peer", 1.0)]))
    kept = {"more": history.Kept(2.0), "less": history.Kept(0.5)}
    assert history.last_ratios(path, "full") == kept
    assert history.last_ratios(path, "short") == {"more": history.Kept(7.0)}


def test_another_kind_of_machine_has_more_room_and_is_forgotten_where_this_kind_kept_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.jsonl"
    with monkeypatch.context() as away:
        away.setattr(history, "machine", lambda: "another, 96 cores, Python 3.11")
        history.keep(path, history.entry("ci", [rated("more", 35.0, "peer", 10.0)]))
    elsewhere = history.last_ratios(path, "ci")
    assert history.slower([FASTER], elsewhere) == [], "2 is 57 % of 3.5"
    assert history.slower([rated("more", 17.0, "peer", 10.0)], elsewhere)
    history.keep(path, history.entry("ci", [rated("more", 30.0, "peer", 10.0)]))
    with monkeypatch.context() as away:
        away.setattr(history, "machine", lambda: "another, 96 cores, Python 3.11")
        history.keep(path, history.entry("ci", [FASTER]))
    assert history.slower([FASTER], history.last_ratios(path, "ci")), "2 is 67 % of 3 here"


def test_the_kept_history_can_be_read() -> None:
    for form in ("full", "short", "ci"):
        assert all(one.ratio > 0 for one in history.last_ratios(history.KEPT, form).values())
