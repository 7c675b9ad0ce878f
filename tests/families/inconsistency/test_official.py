"""Official SNLI and MultiNLI files: what becomes of their rows, and of their sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.families.inconsistency.pairs import Imported, Pair, import_pairs
from misstep.families.inconsistency.pairs.casing import Seen, inside, look_over
from misstep.families.inconsistency.pairs.official import REASONS, totals

SHARED = Path(__file__).parents[3].parent / "shared/data/nli/entailment_pairs.jsonl"
BEGINNINGS = {"SNLI": "snli_1.0_", "MNLI": "multinli_1.0_"}
needs_shared = pytest.mark.skipif(
    not SHARED.exists(), reason="the corpora's sentences aren't shipped: no ../shared/data/nli"
)


KEPT = (
    "Tommy was being indignant",
    "Bork shuddered",
    "FAA Mission and Structure",
    "Ca'daan's mouth hung open",
    "Asian workers assembling a wood project",
    "I said it and I'm glad",
    "John McCain is on a talk show",
)
LOWERED = (
    "a dog licks his nose",
    "two men play basketball",
    "children playing baseball",
    "gentleman sketching on brown paper at Christmas",
    "suddenly she moved, face white",
    "he knows about the mines",
    "apparently, Greuze wasn't worried about needing protection",
    "young man walking dog",
    "that aircraft was United 93",
)


def row(a: str, b: str, label: str = "entailment") -> dict[str, object]:
    return {"gold_label": label, "sentence1": a, "sentence2": b, "pairID": "1", "annotators": [1]}


def written(path: Path, *rows: Mapping[str, object]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return path


@pytest.fixture
def official(tmp_path: Path) -> list[Path]:
    """The shared pairs as official files, a corpus and split each, with rows of other labels."""
    files: dict[str, list[dict[str, object]]] = {}
    for line in SHARED.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        name = f"{BEGINNINGS[one['corpus']]}{one['split']}.jsonl"
        listed = files.setdefault(name, [row("A man sleeps.", "A man is awake.", "-")])
        listed.append(row(one["premise"], one["hypothesis"]))
        listed.append(row(one["premise"], "Nobody is there.", "contradiction"))
    return [written(tmp_path / name, *rows) for name, rows in sorted(files.items())]


def imported(files: list[Path], beginning: str, *, is_paper: bool) -> list[Imported]:
    own = [path for path in files if path.name.startswith(beginning)]
    return [import_pairs(path, "snli", is_paper=is_paper) for path in own]


@needs_shared
def test_the_papers_675_pairs_of_snli_are_reproduced(official: list[Path]) -> None:
    files = imported(official, "snli", is_paper=True)
    assert [file.path.stem.rpartition("_")[2] for file in files] == ["dev", "test"]
    assert sum(len(file.pairs) for file in files) == 675
    assert totals(files) == {
        "no gold label (-)": 2,
        "another label than entailment": 676,
        "A equal to B": 1,
    }


@needs_shared
def test_the_care_for_text_leaves_670_of_snli_and_400_odd_of_the_mnli_pairs_at_hand(
    official: list[Path],
) -> None:
    snli = imported(official, "snli", is_paper=False)
    assert totals(snli)["A equal to B"] + totals(snli)["quotes"] == 676 - 670
    assert sum(len(file.pairs) for file in snli) == 670
    mnli = imported(official, "multinli", is_paper=False)
    left_out = {reason: count for reason, count in totals(mnli).items() if "label" not in reason}
    assert sum(len(file.pairs) for file in mnli) + sum(left_out.values()) == 519
    # About one MNLI pair in six has a question (README of the shared data).
    assert 519 / 8 < left_out["a question"] < 519 / 6


@needs_shared
def test_every_row_is_a_pair_or_counted(official: list[Path]) -> None:
    for path in official:
        for is_paper in (False, True):
            file = import_pairs(path, "mnli", is_paper=is_paper)
            assert len(file.pairs) + sum(file.dropped.values()) == file.rows
            assert set(file.dropped) <= set(REASONS)


@needs_shared
def test_no_imported_side_ends_in_a_stop_or_asks_or_quotes(official: list[Path]) -> None:
    for path in official:
        for pair in import_pairs(path, "mnli").pairs:
            for side in (pair.a, pair.b):
                assert not side.endswith((".", "!", ",", " ")) or side == "benchmarked by U.S."
                assert "?" not in side
                assert '"' not in side
                assert 0 < len(side.split()) <= 7


@needs_shared
def test_names_keep_their_capital_and_snlis_scenes_begin_small(official: list[Path]) -> None:
    sides = {
        side
        for path in official
        for pair in import_pairs(path, "mnli", is_paper=True).pairs
        for side in (pair.a, pair.b)
    }
    for kept in KEPT:
        assert kept in sides
    for lowered in LOWERED:
        assert lowered in sides


@pytest.mark.parametrize(
    ("sentence", "as_part"),
    [
        ("A dog runs.", "a dog runs"),
        ("The dog runs!", "the dog runs"),
        ("I see it . ", "I see it"),
        ("I'm here…", "I'm here"),
        ("It was made in the U.S.", "it was made in the U.S."),
        ("NASA waits.", "NASA waits"),
        ("TVs are on.", "TVs are on"),
        ("TWo men box.", "two men box"),
        ("TEST ORGANISMS", "test organisms"),
        ("London is large.", "London is large"),
        ("Monday's game is off", "Monday's game is off"),
        ("McDonald rests.", "McDonald rests"),
        ("Peel Edgerton rests", "peel Edgerton rests"),
        ("Young Asian men sit", "young Asian men sit"),
        ("Loire Valley", "Loire Valley"),
        ("Weicker's plans", "Weicker's plans"),
        ("Women's team", "Women's team"),
        ("salt &amp; pepper", "salt & pepper"),
        ("  two\tspaces  here. ", "two spaces here"),
        ("3 people sit.", "3 people sit"),
        ("", ""),
        ("…", ""),
    ],
)
def test_a_sentence_becomes_part_of_another(sentence: str, as_part: str) -> None:
    assert inside(sentence) == as_part


def test_a_word_that_the_file_writes_small_is_no_name() -> None:
    seen = look_over(["The women's team won.", "She saw Bork.", "Bork ran.", "My Kitchen Table"])
    assert seen == Seen(frozenset({"Bork"}), frozenset({"women's", "team", "won", "saw", "ran"}))
    assert inside("Bork slept.", seen=seen) == "Bork slept"
    assert inside("Women slept.", seen=seen) == "women slept"


def test_the_other_sentence_of_the_pair_may_show_a_name() -> None:
    assert inside("Tarn slept.", "It is true that Tarn slept.") == "Tarn slept"
    assert inside("Tarn slept.", "It is true.") == "tarn slept"
    assert inside("Tarn slept.", "Tarn's sleep was deep.") == "Tarn slept"


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ("Where is he?", "He is lost.", "a question"),
        ("so what do you think", "I ask you.", "a question"),
        ("have you read it", "I ask you.", "a question"),
        ("“Go now.”", "He said go.", "quotes"),
        ("'Go now.'", "He said go.", "quotes"),
        ("He went.", "he went", "A equal to B"),
        ("A b c d e f g h", "A b", "more than 7 words"),
        ("", "He went.", "an empty sentence"),
        ("A \x1b[31m dog runs.", "He went.", "a sign that can't be printed"),
        ("A &#xfffc; dog runs.", "He went.", "a sign that can't be printed"),
    ],
)
def test_a_row_that_cannot_be_asked_is_counted_by_its_reason(
    tmp_path: Path, a: str, b: str, reason: str
) -> None:
    file = import_pairs(written(tmp_path / "x.jsonl", row(a, b)), "snli")
    assert (file.pairs, dict(file.dropped)) == ((), {reason: 1})


@pytest.mark.parametrize(
    "text",
    ["Don't go.", "The dogs' bowl is red.", "What he did, he did", "Rock 'n' roll", "It's his"],
)
def test_apostrophes_are_no_quotes(tmp_path: Path, text: str) -> None:
    file = import_pairs(written(tmp_path / "x.jsonl", row(text, "He went.")), "snli")
    assert "quotes" not in file.dropped or text.startswith("Rock")


def test_the_papers_filter_keeps_questions_and_all_but_equal_letters(tmp_path: Path) -> None:
    rows = [row("Where is he?", "He is lost."), row("He went.", "he went"), row("Hm.", "Hm.")]
    file = import_pairs(written(tmp_path / "x.jsonl", *rows), "snli", is_paper=True)
    assert file.pairs == (
        Pair("where is he?", "he is lost", "snli"),
        Pair("he went", "he went", "snli"),
    )
    assert dict(file.dropped) == {"A equal to B": 1}


def test_a_pair_that_comes_again_is_counted(tmp_path: Path) -> None:
    rows = [row("A dog runs.", "An animal runs."), row("a dog runs", "An animal runs")]
    file = import_pairs(written(tmp_path / "x.jsonl", *rows), "snli")
    assert file.pairs == (Pair("a dog runs", "an animal runs", "snli"),)
    assert dict(file.dropped) == {"a pair that came before": 1}


def test_byte_order_marks_crlf_empty_lines_and_unknown_columns_make_no_difference(
    tmp_path: Path,
) -> None:
    line = json.dumps(row("A dog runs.", "An animal runs.") | {"new": {"column": 1}}).encode()
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\r\n   \r\n")
    assert import_pairs(path, "snli").pairs == (Pair("a dog runs", "an animal runs", "snli"),)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"sentence1": "x", "sentence2": "y"}', "no field 'gold_label'; there are: sentence1"),
        (b'{"gold_label": "-", "sentence1": "x"}', "no field 'sentence2'"),
        (b'{"gold_label": null}', "gold_label: None is no text"),
        (b'{"gold_label": "yes"}', "gold_label: 'yes' is not one of entailment, neutral"),
        (b'\n{"gold_label"', "line 2: '{\"gold_label\"' is no JSON"),
        (b"gold_label\tsentence1", "line 1: 'gold_label\\tsentence1' is no JSON"),
        (b'{"gold_label": "\xe9"}', "byte 0xe9 is not UTF-8; save the file as UTF-8"),
    ],
)
def test_a_file_of_another_make_is_refused_in_a_line(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInput) as error:
        import_pairs(path, "snli")
    assert said in str(error.value)
    assert str(error.value).startswith(f"{path}: line ")


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.jsonl: No such file"):
        import_pairs(tmp_path / "nowhere.jsonl", "snli")
