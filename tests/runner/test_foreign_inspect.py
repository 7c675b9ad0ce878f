"""Two Inspect logs of anyone's task: paired, refused where they differ, compared as ours are."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText, GenerateConfig
from inspect_ai.scorer import Value
from scipy import stats

import misstep
from foreign_logs import inspect_log, sums
from misstep.analyse import Comparison, Verdict
from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome
from misstep.runner.foreign.nouns import Scale, Wanted
from misstep.runner.foreign.pair import ForeignPair, foreign_files, read_pair

PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQ"
    "DwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


def all_right(name: str, epoch: int) -> Value:
    return "C"


def early_wrong(name: str, epoch: int) -> Value:
    return "I" if int(name[1:]) < 8 else "C"


def pair(first: Path, second: Path, **wanted: object) -> ForeignPair:
    files = foreign_files([first, second])
    assert files == (first, second)
    return read_pair(*files, Wanted(**wanted))  # type: ignore[arg-type]  # the fields of Wanted


def compared(first: Path, second: Path) -> Comparison:
    (one,) = misstep.compare([first, second])
    return one


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return inspect_log(tmp_path_factory.mktemp("right"), all_right)


@pytest.fixture(scope="module")
def worse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = GenerateConfig(temperature=1.0)
    return inspect_log(
        tmp_path_factory.mktemp("worse"), early_wrong, samples=sums(12)[::-1], config=config
    )


def test_the_second_log_is_held_against_the_first_whatever_the_order(
    right: Path, worse: Path
) -> None:
    one = compared(right, worse)
    assert (one.family, one.who, one.n, one.groups) == ("sums", "oracle/x", 12, 12)
    assert one.baseline_summary.accuracy == 1
    assert one.arm_summary.accuracy == pytest.approx(4 / 12)
    assert one.effect == pytest.approx(-100 * 8 / 12)
    assert one.p == pytest.approx(float(stats.binomtest(0, 8).pvalue))
    assert one.verdict is Verdict.HURTS
    assert compared(worse, right).verdict is Verdict.HELPS


def test_runs_of_one_model_are_named_by_the_setting_that_differs(right: Path, worse: Path) -> None:
    one = compared(right, worse)
    assert (one.baseline, one.arm) == ("temperature=unset", "temperature=1.0")


def test_two_models_are_compared_as_models(tmp_path: Path, right: Path) -> None:
    other = inspect_log(tmp_path, early_wrong, model="oracle/y")
    one = compared(right, other)
    assert (one.between, one.baseline_who, one.who) == ("models", "oracle/x", "oracle/y")
    assert one.effect == pytest.approx(-100 * 8 / 12)


def test_no_score_nan_n_and_errors_are_unanswered_and_not_wrong(tmp_path: Path) -> None:
    def script(name: str, epoch: int) -> Value | None:
        special: dict[str, Value | None] = {"s0": math.nan, "s1": "N", "s2": None}
        return special.get(name, "C")

    log = inspect_log(
        tmp_path / "a", script, is_failing=lambda words: words.startswith("What is 3")
    )
    base = inspect_log(tmp_path / "b", all_right)
    found = pair(base, log)
    reasons = {record.item: record.reason for record in found.records[12:] if record.value is None}
    assert set(reasons) == {"s0", "s1", "s2", "s3"}
    assert str(reasons["s3"]).startswith("error: ")
    assert reasons["s2"] == "no score match"
    assert all(
        record.outcome is Outcome.UNPARSED for record in found.records if record.value is None
    )
    one = compared(base, log)
    assert one.arm_summary.unanswered == pytest.approx(4 / 12)
    assert one.effect == pytest.approx(-100 * 4 / 12)
    assert one.left_out is not None
    assert (one.left_out.n, one.left_out.effect) == (8, 0)


def test_epochs_are_repetitions_averaged_within_the_item(tmp_path: Path) -> None:
    log = inspect_log(tmp_path / "a", lambda name, epoch: "C" if epoch == 1 else "I", epochs=2)
    base = inspect_log(tmp_path / "b", all_right)
    one = compared(base, log)
    assert (one.n, one.arm_summary.repetitions) == (12, 2)
    assert one.effect == pytest.approx(-50)


def test_grades_numbers_and_parts_of_a_score_are_read_by_name(tmp_path: Path) -> None:
    def parts(name: str, epoch: int) -> Value:
        return {"f1": int(name[1:]) / 11, "exact": name == "s11"}

    log = inspect_log(tmp_path, parts, also=lambda name, epoch: "P")
    again = inspect_log(tmp_path, parts, also=lambda name, epoch: "C")
    with pytest.raises(BadInput, match=r"name one of match\.f1, match\.exact, second_opinion"):
        pair(log, again)
    with pytest.raises(BadInput, match=r"no score 'f2'; known: match\.f1, match\.exact"):
        pair(log, again, score="f2")
    values = [record.value for record in pair(log, again, score="f1").records[:12]]
    assert values == pytest.approx([number / 11 for number in range(12)])
    (one,) = misstep.compare([log, again], score="second_opinion")
    assert (one.effect, one.measure.name) == (50, "score")
    (same,) = misstep.compare([log, again], score="exact")
    assert (same.effect, same.measure.name) == (0, "accuracy")


def test_a_score_out_of_its_range_is_refused_and_a_range_puts_it_right(tmp_path: Path) -> None:
    log = inspect_log(tmp_path / "a", lambda name, epoch: 7)
    base = inspect_log(tmp_path / "b", lambda name, epoch: 10)
    with pytest.raises(BadInput, match="score 'match': 10 lies outside 0 to 1; --range"):
        pair(base, log)
    (one,) = misstep.compare([base, log], score_range=(1, 10))
    assert one.effect == pytest.approx(-100 * 3 / 9)
    (turned,) = misstep.compare([base, log], score_range=(10, 1))
    assert turned.effect == pytest.approx(100 * 3 / 9)
    assert Scale(10, 1).share(10) == 0


def test_an_item_that_shows_something_else_is_named(tmp_path: Path, right: Path) -> None:
    other = Sample(id="s5", input="What is 6 + 5?", target="10", metadata={"text": "t2"})
    log = inspect_log(tmp_path, all_right, samples=sums(12, s5=other))
    with pytest.raises(BadInput, match=r"item 's5' is another one in .*: it shows something else"):
        pair(right, log)


def test_an_item_with_another_target_or_other_choices_is_named(tmp_path: Path, right: Path) -> None:
    target = Sample(id="s5", input="What is 5 + 5?", target="11", metadata={"text": "t2"})
    with pytest.raises(BadInput, match="item 's5' has another target"):
        pair(right, inspect_log(tmp_path / "a", all_right, samples=sums(12, s5=target)))
    choices = Sample(id="s5", input="What is 5 + 5?", target="10", choices=["10", "11"])
    with pytest.raises(BadInput, match="item 's5' is another one"):
        pair(right, inspect_log(tmp_path / "b", all_right, samples=sums(12, s5=choices)))


def test_where_ids_differ_or_are_but_places_the_content_pairs(tmp_path: Path, worse: Path) -> None:
    renamed, moved = sums(12), sums(12)
    for number, sample in enumerate(renamed):
        sample.id = f"r{number}"
    for number, sample in enumerate(moved):
        sample.id = f"s{11 - number}"
    for name, samples in (("renamed", renamed), ("moved", moved)):
        log = inspect_log(tmp_path / name, all_right, samples=samples)
        found = pair(log, worse)
        assert (found.matching.by, found.matching.shared) == ("content", 12)
        assert found.notes[0] == "Items were paired by what they show, as their ids differ."
        assert compared(log, worse).effect == pytest.approx(-100 * 8 / 12)


def test_items_on_one_side_only_are_counted_and_said(tmp_path: Path, right: Path) -> None:
    log = inspect_log(tmp_path, early_wrong, samples=sums(14)[3:])
    found = pair(right, log).matching
    assert (found.by, found.shared, found.only_first, found.only_second) == ("id", 9, 3, 2)
    one = compared(right, log)
    assert (one.n, one.unpaired) == (9, 5)
    assert any("5 items have replies in one arm only" in line for line in one.warnings)


def test_logs_that_share_nothing_are_refused(tmp_path: Path, right: Path) -> None:
    log = inspect_log(tmp_path, all_right, samples=sums(24)[12:])
    with pytest.raises(BadInput, match="share no item: 12 such as 's0', 12 such as 's12'"):
        pair(right, log)


def test_logs_of_two_tasks_are_refused(tmp_path: Path, right: Path) -> None:
    log = inspect_log(tmp_path, all_right, task="products")
    with pytest.raises(BadInput, match=r"of the task 'sums', .* of 'products': two runs of one"):
        pair(right, log)


def test_a_field_clusters_the_items_and_is_offered(right: Path, worse: Path) -> None:
    assert pair(right, worse).notes[-1].endswith("say so with --group: text.")
    (one,) = misstep.compare([right, worse], group="text")
    assert (one.n, one.groups, one.test) == (12, 6, "sign-flip, exact")
    with pytest.raises(BadInput, match=r"sample s0 has no field 'page' .*; known: level, text"):
        pair(right, worse, group="page")


def test_fields_of_the_items_are_factors(right: Path, worse: Path) -> None:
    whole, even, odd = misstep.compare([right, worse], by="level")
    assert (whole.level, even.level, odd.level) == (None, 0, 1)
    assert even.n == odd.n == 6


def test_what_a_summary_leaves_out_still_tells_items_apart(tmp_path: Path) -> None:
    """The runner's summaries cut long texts and leave pictures out."""
    long = "x" * 6000

    def shown(words: str, picture: str) -> list[Sample]:
        parts: list[Content] = [ContentText(text="See"), ContentImage(image=picture)]
        return [
            Sample(id="s0", input=long + words, target="1"),
            Sample(id="s1", input=[ChatMessageUser(content=parts)], target="1"),
        ]

    base = inspect_log(tmp_path / "a", all_right, samples=shown("one", PICTURE))
    same = inspect_log(tmp_path / "b", all_right, samples=shown("one", PICTURE))
    words = inspect_log(tmp_path / "c", all_right, samples=shown("two", PICTURE))
    other = PICTURE.replace("mP8z8", "mP8z9")
    picture = inspect_log(tmp_path / "d", all_right, samples=shown("one", other))
    assert pair(base, same).matching.shared == 2
    with pytest.raises(BadInput, match="item 's0' is another one"):
        pair(base, words)
    with pytest.raises(BadInput, match="item 's1' is another one"):
        pair(base, picture)


def test_other_than_two_foreign_logs_is_one_line(tmp_path: Path, right: Path, worse: Path) -> None:
    with pytest.raises(BadInput, match="two at a time, the baseline first, and 1 is named"):
        foreign_files([right])
    with pytest.raises(BadInput, match="and 3 are named"):
        foreign_files([right, worse, right])
    with pytest.raises(BadInput, match="is named twice"):
        read_pair(right, right, Wanted())
    ours = misstep.run("grammar", "ref/acs", log_dir=tmp_path).folder
    assert foreign_files([ours]) is None
    with pytest.raises(BadInput, match=r"is a run of misstep's own, .* is not"):
        foreign_files([ours, right])
    assert foreign_files([right.parent, worse.parent]) == (right, worse)
