"""`misstep pairs` and `misstep import nli`, as a user meets them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from misstep.cli import cli
from misstep.core.errors import BadInput, MisstepError
from recorder import RECORDER, said

ROWS = [
    {"index": 1, "A": "The kettle is boiling", "B": "the water is hot"},
    {"index": 2, "A": "A cat is a dog", "B": "A cat is a dog."},
    {"index": 3, "A": "The lake froze overnight", "B": "there is ice"},
    {"index": 4, "A": "She sold her boat", "B": "because she owned it"},
]
MORE = [ROWS[0], {"index": 5, "A": "All five doors are locked", "B": "one door is shut"}]


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    RECORDER.reset()


def misstep(words: str) -> Result:
    return CliRunner().invoke(cli, shlex.split(words))


def answers(*replies: str) -> None:
    left = iter(replies)
    RECORDER.answer = lambda _messages: said(next(left))


MAKE = "pairs make --model recorder/x --number 3 --out made.jsonl --calls"


def made() -> list[tuple[str, str]]:
    lines = Path("made.jsonl").read_text(encoding="utf-8").splitlines()
    return [(one["A"], one["B"]) for one in map(json.loads, lines)]


def test_pairs_are_made_in_as_many_calls_as_it_takes_and_the_rest_is_named() -> None:
    answers(f"Sure!\n```json\n{json.dumps(ROWS)}\n```", json.dumps(MORE), "never asked")
    done = misstep(f"{MAKE} 5")
    assert done.exit_code == 0, done.output
    assert made() == [
        ("the kettle is boiling", "the water is hot"),
        ("the lake froze overnight", "there is ice"),
        ("all five doors are locked", "one door is shut"),
    ]
    assert done.output.splitlines() == [
        "call 1: 4 pairs read, 2 kept, 2 so far",
        "  pair 2: A and B are equal: “a cat is a dog → a cat is a dog”",
        "  pair 4: B: more than one clause ('because'): “she sold her boat → because she owned it”",
        "call 2: 2 pairs read, 1 kept, 3 so far",
        "  pair 1: the same pair came before: “the kettle is boiling → the water is hot”",
        "written: made.jsonl",
    ]
    asked = [one["messages"][0]["content"] for one in RECORDER.requests]
    assert len(asked) == 2
    assert asked[0] == asked[1]
    assert asked[0].startswith("Generate a list of 3 true statements of the format “if A then B”.")


def test_what_was_made_is_checked_and_asked_as_it_stands() -> None:
    answers(json.dumps(ROWS), json.dumps(MORE))
    assert misstep(f"{MAKE} 2").exit_code == 0
    assert misstep("pairs check made.jsonl").exit_code == 0
    done = misstep(
        "items inconsistency -T pairs=made.jsonl --scale paper --arm direct --out i.jsonl"
    )
    assert done.exit_code == 0, done.output
    assert len(Path("i.jsonl").read_text(encoding="utf-8").splitlines()) == 6


def test_too_few_pairs_are_kept_and_more_calls_go_on_without_paying_twice() -> None:
    answers(json.dumps(ROWS))
    few = misstep(f"{MAKE} 1")
    assert isinstance(few.exception, MisstepError)
    assert few.exception.exit_code == 1
    assert str(few.exception).startswith("2 of 3 pairs after 1 call; more --calls ask further")
    assert len(made()) == 2
    answers(json.dumps(MORE))
    assert misstep(f"{MAKE} 2").exit_code == 0
    assert len(RECORDER.requests) == 2
    assert len(made()) == 3


def test_a_provider_that_fails_midway_leaves_what_was_paid_for() -> None:
    answers(json.dumps(ROWS))
    RECORDER.fails_at = 2
    broken = misstep(f"{MAKE} 3")
    assert isinstance(broken.exception, MisstepError)
    assert "the line is dead" in str(broken.exception)
    assert len(made()) == 2


def test_a_reply_without_pairs_writes_nothing() -> None:
    answers("I can't do that.")
    none = misstep(f"{MAKE} 1")
    assert str(none.exception).startswith("0 of 3 pairs after 1 call")
    assert not Path("made.jsonl").exists()


def test_what_cannot_be_done_is_said_before_the_first_call() -> None:
    for out, why in (("gone/made.jsonl", "its folder is missing"), (".", "is a folder")):
        bad = misstep(f"pairs make --model recorder/x --out {out}")
        assert isinstance(bad.exception, BadInput)
        assert str(bad.exception) == f"--out: {out}: {why}"
    nobody = misstep('pairs make --model "" --out made.jsonl')
    assert str(nobody.exception) == "--model: '' should be PROVIDER/MODEL, as in openai/gpt-4o"
    hot = misstep("pairs make --model recorder/x --out made.jsonl --temperature nan")
    assert str(hot.exception) == "--temperature: nan is not between 0 and 10"
    assert RECORDER.requests == []


def test_the_shipped_file_is_checked_where_none_is_named() -> None:
    done = misstep("pairs check")
    assert done.exit_code == 0
    assert done.output.endswith("shipped.jsonl: 100 pairs, 0 faults\n")


def test_faults_are_named_and_end_in_exit_code_2() -> None:
    Path("x.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    done = misstep("pairs check x.jsonl")
    assert isinstance(done.exception, BadInput)
    assert str(done.exception) == "4 pairs to mend or to take out"
    assert "  pair 2: A: 'A' has a capital that it wouldn't have inside a sentence:" in done.output
    found = json.loads(misstep("pairs check x.jsonl --json").stdout)["files"]
    assert [one["number"] for one in found[0]["faults"]] == [1, 2, 3, 4]


def official(path: str, *labels: str) -> None:
    rows = (
        {"gold_label": label, "sentence1": f"A dog runs {place} miles.", "sentence2": "It moves."}
        for place, label in enumerate(labels)
    )
    Path(path).write_text("".join(json.dumps(one) + "\r\n\r\n" for one in rows), encoding="utf-8")


def test_an_import_counts_what_it_leaves_out_and_says_how_to_ask_the_rest() -> None:
    official("snli_1.0_dev.jsonl", "entailment", "-", "neutral", "neutral", "entailment")
    official("multinli_1.0_dev_matched.jsonl", "entailment")
    done = misstep("import nli snli_1.0_dev.jsonl multinli_1.0_dev_matched.jsonl --out all.jsonl")
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[:4] == [
        "snli_1.0_dev.jsonl: 5 rows, 2 pairs",
        "  left out         1: no gold label (-)",
        "  left out         2: another label than entailment",
        "multinli_1.0_dev_matched.jsonl: 1 row, 1 pair",
    ]
    assert lines[4] == "2 files: 3 pairs, 6 questions"
    assert len(Path("all.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    for line in lines[5:7]:
        command = line.removeprefix("to ask them: misstep run ")
        items = misstep(f"items {command} --scale paper --arm direct --out i.jsonl")
        assert items.exit_code == 0, items.output


def test_a_pair_of_two_files_is_counted_once_as_it_is_asked_once() -> None:
    official("snli_1.0_dev.jsonl", "entailment", "entailment")
    official("snli_1.0_test.jsonl", "entailment")
    done = misstep("import nli snli_1.0_dev.jsonl snli_1.0_test.jsonl --out all.jsonl")
    lines = done.output.splitlines()
    assert lines[2:4] == ["  left out         1: in a file before as well", lines[3]]
    assert lines[3] == "2 files: 2 pairs, 4 questions"
    assert len(Path("all.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    command = lines[4].removeprefix("to ask them: misstep run ")
    assert misstep(f"items {command} --scale paper --arm direct --out i.jsonl").exit_code == 0
    assert len(Path("i.jsonl").read_text(encoding="utf-8").splitlines()) == 4
    twice = misstep("import nli snli_1.0_dev.jsonl snli_1.0_dev.jsonl")
    assert str(twice.exception) == "FILE: 'snli_1.0_dev.jsonl' is named twice"


def test_an_import_without_a_pair_writes_nothing_and_names_no_way_to_ask() -> None:
    official("snli_1.0_dev.jsonl", "neutral")
    done = misstep("import nli snli_1.0_dev.jsonl --out all.jsonl")
    assert isinstance(done.exception, BadInput)
    assert str(done.exception) == "FILE: no pair that can be used in snli_1.0_dev.jsonl"
    assert "1: another label than entailment" in done.output
    assert "to ask them" not in done.output
    assert not Path("all.jsonl").exists()


def test_what_a_model_wrote_neither_reaches_the_terminal_raw_nor_fills_it() -> None:
    rows = [
        {"A": "the \x1b[31m cat is wet", "B": "it is moist"},
        {"A": "the \ud83d cat is wet", "B": "it is moist"},
        {"A": "a b " * 5_000, "B": "it is\nmoist"},
    ]
    answers(json.dumps(rows))
    done = misstep(f"{MAKE} 1")
    assert str(done.exception).startswith("0 of 3 pairs after 1 call")
    assert "\x1b" not in done.output
    assert r"  pair 1: A: a sign that can't be printed ('\x1b'): “the \x1b[31m" in done.output
    assert r"  pair 2: A: a sign that can't be printed ('\ud83d')" in done.output
    assert max(map(len, done.output.splitlines())) < 200


def test_an_import_as_json_has_a_row_a_file() -> None:
    official("snli_1.0_test.jsonl", "entailment", "contradiction")
    found = json.loads(misstep("import nli snli_1.0_test.jsonl --filter paper --json").stdout)
    assert found == {
        "schema": 1,
        "filter": "paper",
        "pairs": 1,
        "files": [
            {
                "file": "snli_1.0_test.jsonl",
                "source": "snli",
                "rows": 2,
                "pairs": 1,
                "dropped": {"another label than entailment": 1},
            }
        ],
    }


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b'{"sentence1": "A", "sentence2": "B"}', "line 1: no field 'gold_label'"),
        ('{"gold_label": "-"}'.encode("utf-16"), "is UTF-16"),
        (b'{"gold_label": "\xff"}', "line 1: byte 0xff is not UTF-8"),
        (b"pairID,gold_label\r\n", "line 1: 'pairID,gold_label' is no JSON"),
    ],
)
def test_a_file_that_cannot_be_read_is_said_in_a_line(content: bytes, part: str) -> None:
    Path("snli.jsonl").write_bytes(content)
    for words in ("import nli snli.jsonl", "items inconsistency -T source=snli -T snli=snli.jsonl"):
        bad = misstep(words)
        assert isinstance(bad.exception, BadInput), words
        assert bad.exception.exit_code == 2
        assert str(bad.exception).startswith("snli.jsonl: ")
        assert part in str(bad.exception)


def test_names_with_a_comma_are_not_printed_as_a_command_that_would_fail() -> None:
    official("a,b.jsonl", "entailment")
    done = misstep("import nli a,b.jsonl")
    assert done.output.splitlines()[-1] == (
        "to ask them, name the files without commas, as -T snli=F,F has one between"
    )
