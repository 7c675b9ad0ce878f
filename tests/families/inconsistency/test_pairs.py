"""The shipped pairs, the validator, and what is read out of a model's reply."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.families.inconsistency.pairs import (
    Pair,
    check_pairs,
    making_prompt,
    read_pairs,
    read_reply,
    shipped_pairs,
    write_pairs,
)
from misstep.families.inconsistency.pairs.checking import frame, stems
from misstep.families.inconsistency.pairs.files import SHIPPED

GOOD = Pair("the tank is full of water", "there is water in the tank")


def fault(a: str, b: str = "there is water in the tank") -> str:
    (found,) = check_pairs([Pair(a, b)])
    return found.reason


def test_the_hundred_shipped_pairs_pass_the_validator() -> None:
    pairs = shipped_pairs()
    assert len(set(pairs)) == 100
    assert check_pairs(pairs) == ()
    assert max(len(side.split()) for pair in pairs for side in (pair.a, pair.b)) <= 7


def test_the_shipped_file_counts_its_lines() -> None:
    lines = SHIPPED.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["index"] for line in lines] == list(range(1, 101))


def test_no_two_shipped_pairs_share_a_frame_and_no_word_is_worn_out() -> None:
    pairs = shipped_pairs()
    assert max(Counter(map(frame, pairs)).values()) == 1
    assert max(Counter(stem for pair in pairs for stem in stems(pair)).values()) <= 4
    taxonomies = [pair for pair in pairs if frame(pair).endswith("is a _ → the _ is a _")]
    assert len(taxonomies) <= 2


def test_no_shipped_side_leans_on_the_other_by_a_pronoun() -> None:
    # "It is not the case that it is a square" would say it of nothing.
    for pair in shipped_pairs():
        if pair.a.startswith("it rained"):
            continue
        assert not {"it", "he", "she", "they"} & {pair.b.split()[0], pair.b.split()[-1]}


def test_shipped_sides_begin_small_but_for_names_and_i() -> None:
    capitals = {pair.a.split()[0] for pair in shipped_pairs() if pair.a[0].isupper()}
    assert capitals == {"I", "Ada", "Tom", "Omar", "Mira", "Nadia", "Pavel"}


@pytest.mark.parametrize(
    ("a", "reason"),
    [
        ("the tank in the yard is full now", "A: 8 words, more than 7"),
        ("", "A: no words"),
        ("true", "A: 1 word is no clause"),
        ("is the tank full", "A: a question"),
        ("is it full", "A: a question"),
        ("why is the tank full", "A: a question"),
        ("the tank is full?", "A: a question"),
        ('the "tank" is full', "A: quotes"),
        ("the tank is full.", "A: ends in '.'"),
        ("the tank  is full", "A: spaces to spare"),
        ("the tank \x1b[31m is full", r"A: a sign that can't be printed ('\x1b')"),
        ("the tank \u202eis full", r"A: a sign that can't be printed ('\u202e')"),
        ("the tank \ufffc is full", r"A: a sign that can't be printed ('\ufffc')"),
        ("it rained. the tank is full", "A: more than one sentence"),
        ("it rained, the tank is full", "A: more than one clause (',')"),
        ("the tank is full because it rained", "A: more than one clause ('because')"),
        ("The tank is full", "A: 'The' has a capital that it wouldn't have inside a sentence"),
        ("I filled the tank", None),
    ],
)
def test_a_side_at_fault_is_named_with_the_reason(a: str, reason: str | None) -> None:
    found = check_pairs([Pair(a, "there is water in it")])
    assert [one.reason for one in found] == ([] if reason is None else [reason])


def test_equal_sides_and_repeated_pairs_are_at_fault() -> None:
    assert fault("there is Water in the tank") == "A and B are equal"
    again = check_pairs([GOOD, Pair("The tank is full of water", GOOD.b)])
    assert [one.number for one in again] == [2]
    (same,) = check_pairs([GOOD, GOOD])
    assert same.reason == "the same pair came before"


def test_a_pair_that_only_changes_a_word_is_too_like_the_first() -> None:
    (found,) = check_pairs([GOOD, Pair("the tank is half full of water", GOOD.b)])
    assert (found.number, found.reason) == (2, f"too like “{GOOD.a} → {GOOD.b}”")


def test_the_fourth_pair_of_a_frame_is_at_fault() -> None:
    kinds = [("dog", "mammal"), ("oak", "tree"), ("cello", "instrument"), ("ruby", "gem")]
    pairs = [Pair(f"the {a}x is a {a}", f"the {a}x is a {b}") for a, b in kinds]
    (found,) = check_pairs(pairs)
    assert found.number == 4
    assert found.reason == "the frame “the _ is a _ → the _ is a _” is used 3 times before"


def test_pairs_survive_the_way_through_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    write_pairs(path, shipped_pairs())
    assert read_pairs(path) == shipped_pairs()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "holds no pair"),
        (b"\n\r\n  \n", "holds no pair"),
        (b'{"A": "x"}\n', "line 1: no field 'B'; there are: A"),
        (b'{"A": "x", "B": 3}\n', "line 1: B: 3 is no text"),
        (b'{"A": "x", "B": "y"}\n\nx\n', "line 3: 'x' is no JSON"),
        (b"[1]\n", "line 1: '[1]' is no object"),
        ('{"A": "café", "B": "y"}'.encode("latin-1"), "line 1: byte 0xe9 is not UTF-8"),
        ('{"A": "x", "B": "y"}'.encode("utf-16"), "is UTF-16; save it as UTF-8"),
        ('{"A": "x", "B": "y"}'.encode("utf-16-le"), "is UTF-16 or UTF-32, or no text at all"),
        (b'{"A": "x", "A": "z", "B": "y"}', "line 1: A: stands there twice"),
        (b'{"A": "\\ud83d", "B": "y"}', "line 1: A: '\\ud83d' holds half a surrogate pair"),
        (b'{"A": [' + b"7, " * 999 + b'7], "B": "y"}', "A: [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7"),
    ],
)
def test_a_file_that_holds_no_pairs_is_refused_in_a_line(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInput) as error:
        read_pairs(path)
    assert str(error.value).startswith(f"{path}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < len(str(path)) + 120


def test_marks_of_byte_order_ends_of_lines_and_other_fields_make_no_difference(
    tmp_path: Path,
) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"index": 9, "A": "x", "B": "y", "z": [], "z": 1}\r\n\r\n')
    assert read_pairs(path) == (Pair("x", "y"),)


def test_the_prompt_is_the_papers() -> None:
    assert making_prompt(100) == (
        "Generate a list of 100 true statements of the format “if A then B”. For each statement "
        "generate the result in JSON format with separate fields for index, A and B."
    )


TWO = [
    {"index": 1, "A": "If the kettle is boiling.", "B": "then the water is hot."},
    {"index": 2, "A": "Paris lies in France", "B": "Paris lies in Europe"},
]
KEPT = (
    Pair("the kettle is boiling", "the water is hot"),
    Pair("Paris lies in France", "Paris lies in Europe"),
)


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(TWO),
        f"Here is the list:\n```json\n{json.dumps(TWO, indent=2)}\n```\nI hope it helps {{.",
        "\n".join(map(json.dumps, TWO)),
        json.dumps({"statements": TWO}),
        json.dumps([{"index": one["index"], "a": one["A"], "b": one["B"]} for one in TWO]),
        f"<think>{json.dumps([{'A': 'no', 'B': 'never'}])}</think>{json.dumps(TWO)}",
        json.dumps(TWO)[:-1] + ', {"index": 3, "A": "the li',
    ],
)
def test_pairs_are_read_wherever_a_reply_puts_them(reply: str) -> None:
    draft = read_reply(reply)
    assert (draft.kept, draft.faults) == (KEPT, ())


def test_a_reply_without_pairs_gives_none() -> None:
    for reply in ("", "I can't.", "{" * 5_000, '{"index": 1}'):
        assert read_reply(reply).kept == ()


def test_what_a_reply_has_wrong_is_named_by_its_place_there() -> None:
    rows = [TWO[0], {"A": "it rains", "B": None}, {"A": "the lid is shut", "B": "why not?"}]
    draft = read_reply(json.dumps(rows), KEPT[1:])
    assert draft.kept == KEPT[:1]
    assert [(one.number, one.reason) for one in draft.faults] == [
        (2, "B: no words"),
        (3, "B: a question"),
    ]


def test_a_later_reply_brings_nothing_twice() -> None:
    draft = read_reply(json.dumps(TWO), KEPT)
    assert draft.kept == ()
    assert {one.reason for one in draft.faults} == {"the same pair came before"}
