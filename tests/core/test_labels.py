"""The file of labels: kept at once, read again, the last word counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from misstep.core import labels
from misstep.core.errors import BadInput, MisstepError
from misstep.core.labels import Judgement, Label

_FIRST = Label("q1", "d1", "anna", Judgement.FIRST)


def test_labels_come_back_as_they_were_given(tmp_path: Path) -> None:
    path = tmp_path / labels.NAME
    given = [
        _FIRST,
        Label("q2", "d2", "Bénédicte 北", Judgement.CANNOT_SAY),
        Label("q1", "d1", "anna", None),
    ]
    for one in given:
        labels.append(path, one)
    assert list(labels.read(path)) == given


def test_no_file_holds_no_label(tmp_path: Path) -> None:
    assert labels.read(tmp_path / labels.NAME) == ()


@pytest.mark.parametrize("kept", [3, 14, 40, 80])
def test_a_line_that_a_kill_has_torn_is_ignored_and_the_next_label_is_kept(
    tmp_path: Path, kept: int
) -> None:
    path = tmp_path / labels.NAME
    labels.append(path, _FIRST)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:kept])
    assert labels.read(path) == (_FIRST,)
    second = Label("q2", "d2", "anna", Judgement.BOTH)
    labels.append(path, second)
    assert labels.read(path) == (_FIRST, second)


def test_the_last_label_of_a_person_counts_and_can_be_taken_back() -> None:
    given = [
        _FIRST,
        Label("q1", "d1", "ben", Judgement.SECOND),
        Label("q1", "d1", "anna", Judgement.NEITHER),
        Label("q2", "d2", "anna", Judgement.BOTH),
        Label("q2", "d2", "anna", None),
    ]
    assert labels.latest(given) == {"d1": {"ben": Judgement.SECOND, "anna": Judgement.NEITHER}}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[1]", "is no label"),
        ("nonsense", "is no label"),
        ('{"schema": 1}', "is no label"),
        (
            '{"schema": 2, "item": "q", "disagreement": "d", "labeller": "a", "judgement": null}',
            "schema is 2",
        ),
        (
            '{"schema": 1, "item": "", "disagreement": "d", "labeller": "a", "judgement": null}',
            "item: ''",
        ),
        (
            '{"schema": 1, "item": "q", "disagreement": "d", "labeller": "a", "judgement": "left"}',
            "judgement: 'left'",
        ),
        (
            '{"schema": 1, "item": "q", "disagreement": "d", "labeller": "a", "judgement": [1]}',
            "judgement: [1]",
        ),
    ],
)
def test_a_line_that_is_no_label_is_named_with_its_number(
    tmp_path: Path, line: str, said: str
) -> None:
    path = tmp_path / labels.NAME
    labels.append(path, _FIRST)
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(BadInput, match="line 2") as caught:
        labels.read(path)
    assert said in str(caught.value)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 81])
def test_a_labeller_without_a_name_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="--labeller"):
        labels.check_labeller(name)


def test_a_label_that_cannot_be_kept_says_where(tmp_path: Path) -> None:
    with pytest.raises(MisstepError, match=r"labels\.jsonl: the label can't be kept"):
        labels.append(tmp_path / "gone" / labels.NAME, _FIRST)
