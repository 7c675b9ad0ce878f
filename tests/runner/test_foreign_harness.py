"""Two samples files of lm-evaluation-harness: read line by line, paired, compared as ours are."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

import misstep
from foreign_logs import TIME, harness_file, harness_line
from misstep.analyse import Verdict
from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome
from misstep.runner.foreign.nouns import Wanted
from misstep.runner.foreign.pair import foreign_files, read_pair

Line = dict[str, object]


def file_of(folder: Path, score: Callable[[int], object], count: int = 12, **named: object) -> Path:
    lines = [harness_line(number, {"acc": score(number)}) for number in range(count)]
    return harness_file(folder, lines, **named)  # type: ignore[arg-type]  # its own keywords


def test_two_models_in_folders_of_their_own_are_compared(tmp_path: Path) -> None:
    first = file_of(tmp_path / "org__small", lambda number: 1.0)
    second = file_of(tmp_path / "org__large", lambda number: float(number >= 8))
    (one,) = misstep.compare([first, second])
    assert (one.family, one.baseline_who, one.who) == ("sums", "org__small", "org__large")
    assert (one.n, one.lost, one.verdict) == (12, 8, Verdict.HURTS)
    assert one.effect == pytest.approx(-100 * 8 / 12)


def test_the_results_beside_name_the_model_and_the_settings(tmp_path: Path) -> None:
    def told(shots: int) -> Line:
        return {"model_name": "org/small", "n-shot": {"sums": shots, "other": 9}, "config": {}}

    first = file_of(tmp_path / "a", lambda number: 0, results=told(0))
    second = file_of(tmp_path / "b", lambda number: 1, results=told(5))
    (one,) = misstep.compare([first, second])
    assert (one.who, one.baseline, one.arm) == ("org/small", "n-shot=0", "n-shot=5")
    assert one.verdict is Verdict.HELPS


def test_several_metrics_and_filters_are_chosen_by_name(tmp_path: Path) -> None:
    def both(folder: str, strict: int, flexible: int) -> Path:
        lines = [
            harness_line(number, {"exact_match": right}, filter_name=name)
            for number in range(8)
            for name, right in (("strict-match", strict), ("flexible-extract", flexible))
        ]
        return harness_file(tmp_path / folder, lines)

    first, second = both("a", 1, 1), both("b", 0, 1)
    names = "exact_match,strict-match, exact_match,flexible-extract"
    with pytest.raises(BadInput, match=f"has several scores; name one of {names}"):
        misstep.compare([first, second])
    (strict,) = misstep.compare([first, second], score="exact_match,strict-match")
    (flexible,) = misstep.compare([first, second], score="exact_match,flexible-extract")
    assert (strict.n, strict.effect, flexible.effect) == (8, -100, 0)


def test_of_one_filter_the_metric_alone_will_do(tmp_path: Path) -> None:
    lines = [harness_line(number, {"acc": 1.0, "acc_norm": 0.0}) for number in range(6)]
    files = [harness_file(tmp_path / name, lines) for name in "ab"]
    with pytest.raises(BadInput, match="name one of acc, acc_norm"):
        misstep.compare(files)
    for name in ("acc_norm", "acc_norm,none"):
        (one,) = misstep.compare(files, score=name)
        assert one.baseline_summary.accuracy == 0


def test_older_files_without_filter_and_metrics_are_read(tmp_path: Path) -> None:
    lines = [harness_line(number, {"acc": 1.0}) for number in range(6)]
    old = [
        {name: value for name, value in line.items() if name not in ("filter", "metrics")}
        for line in lines
    ]
    files = [harness_file(tmp_path / "a", old), harness_file(tmp_path / "b", lines)]
    (one,) = misstep.compare(files)
    assert (one.n, one.effect) == (6, 0)


def test_absent_scores_and_filters_without_a_match_are_unanswered(tmp_path: Path) -> None:
    lines = [harness_line(number, {"acc": 1.0}) for number in range(8)]
    lines[0]["acc"] = math.nan
    lines[1]["acc"] = None
    del lines[2]["acc"]
    lines[3] |= {"acc": 0.0, "filtered_resps": ["[invalid]"]}
    base = file_of(tmp_path / "a", lambda number: True, count=8)
    other = harness_file(tmp_path / "b", lines)
    found = read_pair(base, other, Wanted())
    unread = [record.item for record in found.records if record.outcome is Outcome.UNPARSED]
    assert unread == ["0", "1", "2", "3"]
    (one,) = misstep.compare([base, other])
    assert (one.effect, one.arm_summary.unanswered) == (-50, 0.5)
    assert one.left_out is not None
    assert one.left_out.effect == 0


def test_prompts_may_differ_and_docs_may_not(tmp_path: Path) -> None:
    lines = [harness_line(number, {"acc": 1.0}) for number in range(6)]
    shots = [line | {"prompt_hash": "another", "arguments": []} for line in lines]
    files = [harness_file(tmp_path / "a", lines), harness_file(tmp_path / "b", shots)]
    assert misstep.compare(files)[0].n == 6
    shots[4] = shots[4] | {"doc": {"question": "another"}}
    files[1] = harness_file(tmp_path / "c", shots)
    with pytest.raises(BadInput, match="item '4' is another one in"):
        misstep.compare(files)


def test_shuffled_docs_are_paired_by_content(tmp_path: Path) -> None:
    lines = [harness_line(number, {"acc": float(number % 2)}) for number in range(10)]
    turned = [line | {"doc_id": 9 - number} for number, line in enumerate(lines)]
    files = [harness_file(tmp_path / "a", lines), harness_file(tmp_path / "b", turned)]
    pair = read_pair(files[0], files[1], Wanted())
    assert (pair.matching.by, pair.matching.shared) == ("content", 10)
    (one,) = misstep.compare(files)
    assert (one.effect, one.lost, one.gained) == (0, 0, 0)


def test_a_field_of_the_docs_clusters_them(tmp_path: Path) -> None:
    files = [file_of(tmp_path / name, lambda number: 1, count=24) for name in "ab"]
    assert read_pair(files[0], files[1], Wanted()).notes[-1].endswith("with --group: topic.")
    (one,) = misstep.compare(files, group="topic")
    assert (one.n, one.groups) == (24, 12)
    with pytest.raises(BadInput, match="the doc has no field 'page'; known: answer, question"):
        misstep.compare(files, group="page")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"doc_id": 0, "doc": {}, "acc": 1}\n{"doc_id": 1, "do', "line 2: is no whole line"),
        ('{"id": 0}\n', "line 1: has no field 'doc_id'"),
        ('{"doc_id": 0, "acc": 1}\n', "line 1: has no field 'doc'"),
        ('{"doc_id": 0, "doc": {}, "acc": [1, 2]}\n', "line 1: acc: a list is no single number"),
        ('{"doc_id": 0, "doc": {}, "acc": 3.5}\n', "line 1: acc: 3.5 lies outside 0 to 1"),
        ('{"doc_id": 0, "doc": {}, "acc": "good"}\n', "'good' is neither a grade"),
        ('{"doc_id": 0, "doc": {}}\n', "holds no score at all"),
        ("", "holds no score at all"),
        (2 * '{"doc_id": 0, "doc": {}, "acc": 1}\n', "line 2: doc_id 0 comes twice"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str, said: str) -> None:
    base = file_of(tmp_path / "a", lambda number: 1)
    (tmp_path / "bad.jsonl").write_text(text)
    with pytest.raises(BadInput, match=r"bad\.jsonl") as caught:
        misstep.compare([base, tmp_path / "bad.jsonl"])
    assert said in str(caught.value)


def test_files_of_other_tasks_scores_and_kinds_are_refused(tmp_path: Path) -> None:
    base = file_of(tmp_path / "a", lambda number: 1)
    products = file_of(tmp_path / "b", lambda number: 1, task="products")
    with pytest.raises(BadInput, match=r"of the task 'sums', .* of 'products'"):
        misstep.compare([base, products])
    lines = [harness_line(number, {"f1": 1.0}) for number in range(12)]
    with pytest.raises(BadInput, match=r"scored by 'acc', .* by 'f1'"):
        misstep.compare([base, harness_file(tmp_path / "c", lines)])


def test_a_samples_file_and_a_log_of_another_kind_are_refused(tmp_path: Path) -> None:
    base = file_of(tmp_path / "a", lambda number: 1)
    with pytest.raises(BadInput, match="of two kinds"):
        read_pair(base, tmp_path / "log.eval", Wanted())
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(
        BadInput, match=r"notes\.txt is no log; these end in \.eval, \.json, \.jsonl"
    ):
        foreign_files([base, tmp_path / "notes.txt"])


def test_a_folder_with_one_samples_file_names_it(tmp_path: Path) -> None:
    first = file_of(tmp_path / "a", lambda number: 1)
    second = file_of(tmp_path / "b", lambda number: 1)
    assert foreign_files([tmp_path / "a", tmp_path / "b"]) == (first, second)
    with pytest.raises(BadInput, match="holds 2 samples files; name one of them"):
        foreign_files([tmp_path, tmp_path / "b"])


def test_broken_results_beside_are_no_silent_matter(tmp_path: Path) -> None:
    files = [file_of(tmp_path / name, lambda number: 1) for name in "ab"]
    (tmp_path / "a" / f"results_{TIME}.json").write_text("{")
    with pytest.raises(BadInput, match=r"results_.* is no JSON"):
        misstep.compare(files)


def test_the_support_writes_what_the_harness_writes() -> None:
    line = json.loads(json.dumps(harness_line(1, {"acc": 1.0})))
    assert list(line)[:8] == [
        "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
    ]  # fmt: skip
