"""Where prompts are cut, and which snapshots are given up."""

from __future__ import annotations

from pathlib import Path

from misstep.models.snapshots import Cut, Snapshots, cuts


def test_a_cut_lies_where_the_prompt_leaves_its_beginning() -> None:
    assert [cut.length for cut in cuts((1, 2, 3, 4, 5), [(1, 2), (1, 2, 3, 9)])] == [2, 3]


def test_two_prompts_with_one_beginning_share_its_key() -> None:
    assert cuts((1, 2, 3), [(1, 2)]) == cuts((1, 2, 7, 8), [(1, 2)])


def test_the_same_tokens_in_other_pieces_have_another_key() -> None:
    whole = cuts((1, 2, 3, 4), [(1, 2, 3)])[-1]
    pieces = cuts((1, 2, 3, 4), [(1,), (1, 2, 3)])[-1]
    assert whole.length == pieces.length
    assert whole.key != pieces.key


def test_a_token_is_left_to_compute_after_the_last_cut() -> None:
    assert [cut.length for cut in cuts((1, 2, 3), [(1, 2, 3), (1, 2, 3, 4)])] == [2]


def test_a_beginning_that_the_prompt_does_not_share_is_no_cut() -> None:
    assert cuts((1, 2, 3), [(9, 2)]) == ()


def test_the_snapshot_that_was_used_longest_ago_is_given_up(tmp_path: Path) -> None:
    held = Snapshots(tmp_path, most_bytes=100)
    one, two, three = (Cut(length, str(length)) for length in (1, 2, 3))
    for cut in (one, two):
        (tmp_path / held.file(cut)).write_bytes(bytes(40))
        held.saved(cut, 40)
    held.used(one)
    held.saved(three, 40)
    assert [held.has(cut) for cut in (one, two, three)] == [True, False, True]
    assert not (tmp_path / held.file(two)).exists()


def test_a_snapshot_above_the_bound_is_not_kept(tmp_path: Path) -> None:
    held = Snapshots(tmp_path, most_bytes=10)
    held.saved(Cut(1, "one"), 11)
    assert not held.has(Cut(1, "one"))
