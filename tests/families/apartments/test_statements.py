"""The shipped statements hold what they promise; a broken file is named by place and value."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.families.apartments.statements import (
    SHIPPED,
    Statements,
    problems,
    read_checked,
    read_statements,
    write_statements,
)
from misstep.families.apartments.statements.words import stem, topics

TRAMS = '{ rating = 4, text = "Trams leave every few minutes from a stop at the corner." }'


@pytest.fixture(scope="module")
def shipped() -> Statements:
    return read_statements(SHIPPED)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_shipped_statements_have_no_fault(shipped: Statements) -> None:
    assert list(problems(shipped)) == []
    assert len(shipped.features) == 80


def test_ratings_fall_strictly_and_their_range_differs_from_feature_to_feature(
    shipped: Statements,
) -> None:
    spans = set()
    for feature in shipped.features:
        ratings = [one.rating or 0 for one in feature.statements]
        assert all(high > low for high, low in pairwise(ratings))
        assert ratings[0] > 0 > ratings[3]
        spans.add(ratings[0] - ratings[3])
    assert len(spans) > 5


def test_a_statement_is_one_short_sentence_with_no_number_of_an_apartment(
    shipped: Statements,
) -> None:
    texts = [one.text for feature in shipped.features for one in feature.statements]
    assert len({text.casefold() for text in texts}) == 320
    for text in texts:
        assert re.fullmatch(r"[A-Z][^.!?\d]+\.", text), text
        assert 4 <= len(text.split()) <= 15


def test_no_frame_is_repeated(shipped: Statements) -> None:
    """No three words begin more than a few of the 320 sentences."""
    begun: dict[tuple[str, ...], int] = {}
    for feature in shipped.features:
        for one in feature.statements:
            words = tuple(one.text.split()[:3])
            begun[words] = begun.get(words, 0) + 1
    assert max(begun.values()) <= 4, max(begun, key=lambda words: begun[words])


def test_every_word_that_features_may_share_is_one_that_they_do(shipped: Statements) -> None:
    turning: dict[str, int] = {}
    for feature in shipped.features:
        for one in topics(statement.text for statement in feature.statements):
            turning[one] = turning.get(one, 0) + 1
    assert [word for word in shipped.shared if turning.get(stem(word), 0) < 2] == []


def test_the_review_names_every_feature_and_no_other(shipped: Statements) -> None:
    review = (SHIPPED.parent / "contradictions.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z-]+)`", review))
    assert named == {feature.name for feature in shipped.features}


def test_what_is_written_is_read_again(shipped: Statements, tmp_path: Path) -> None:
    path = tmp_path / "again.toml"
    write_statements(path, shipped, "Two lines\nof heading.")
    assert read_checked(path) == shipped


def test_any_letter_survives_writing(shipped: Statements, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    words = 'A "quoted" back\\slash, a tab\t, a bell\x07, DEL\x7f, é, 房.'
    odd = Statements(shipped.features, (words,), words)
    write_statements(path, odd)
    assert read_statements(path) == odd


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            TRAMS,
            TRAMS.replace("4", "7"),
            "feature transport: positive: rating: 7 is no whole number from -5 to 5",
        ),
        (
            TRAMS,
            TRAMS.replace("4", "4.5"),
            "feature transport: positive: rating: 4.5 is no whole number",
        ),
        (
            TRAMS,
            TRAMS.replace("4", "true"),
            "feature transport: positive: rating: True is no whole number",
        ),
        (
            TRAMS,
            TRAMS.replace("4", "2"),
            "feature transport: positive: rating: 2 is not above 2 of upper",
        ),
        (TRAMS, TRAMS.replace("rating = 4, ", ""), "feature transport: positive: rating: missing"),
        (TRAMS, "{ rating = 4 }", "feature transport: positive: text: missing"),
        (TRAMS, "4", "feature transport: positive: 4 is not { rating = NUMBER, text = TEXT }"),
        (f"positive = {TRAMS}\n", "", "feature transport: positive: missing"),
        (
            f"positive = {TRAMS}",
            f"best = {TRAMS}",
            "feature transport: best: unknown; known: positive, upper",
        ),
        (TRAMS, TRAMS.replace("corner.", "corner"), "does not end with a full stop"),
        (
            TRAMS,
            TRAMS.replace("Trams leave", "Apartment 2 sees"),
            "names an apartment by its number",
        ),
        (
            TRAMS,
            TRAMS.replace("Trams", "Trams " * 20),
            "feature transport: positive: text: 171 letters, at most 100",
        ),
        (TRAMS, '{ rating = 4, text = "Trams leave." }', "has not 3 to 18 words"),
        (TRAMS, '{ rating = 4, text = "... -- , ." }', "has not 3 to 18 words"),
        (TRAMS, TRAMS.replace("Trams", "\ufffc Trams"), "is no single line of words"),
        (TRAMS, f"{{ rating = {'9' * 5_000} }}", "is no TOML: Exceeds the limit"),
        ("shared = [", f"shared = {'[' * 5_000}", "is no TOML: maximum recursion depth"),
        (
            "[feature.transport]",
            '[feature."a\\u001b[31m"]',
            r"feature 'a\x1b[31m': the name is no printable word",
        ),
        (
            TRAMS,
            TRAMS.replace("Trams leave", "Trams  leave"),
            "is no single line of words with one space between",
        ),
        (
            TRAMS,
            '{ rating = 4, text = "this building has NO lift." }',
            "is said before, in feature transport: positive",
        ),
        (
            "[feature.transport]",
            "[feature.groceries]",
            "is no TOML: Cannot declare ('feature', 'groceries') twice",
        ),
        (
            "[feature.transport]",
            "[feature.GROCERIES]",
            "feature groceries: name: the same as GROCERIES",
        ),
        (
            "[feature.transport]",
            "[features.transport]",
            "features: unknown; known: feature, shared, rated_by",
        ),
        ('"apartment", ', "", "turns on the word 'apartments', as storage does"),
        ("shared = [", "shared = [ 1, ", "shared: [1, 'apartment'"),
    ],
)
def test_a_fault_is_named_with_its_place_and_value(
    own_file: Path, old: str, new: str, said: str
) -> None:
    edit(own_file, old, new)
    with pytest.raises(BadInput) as caught:
        read_checked(own_file)
    assert str(caught.value).startswith(f"{own_file}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_feature_is_counted(own_file: Path) -> None:
    text = own_file.read_text(encoding="utf-8")
    own_file.write_text(text[: text.rindex("[feature.")], encoding="utf-8")
    with pytest.raises(BadInput, match="features: 79 instead of 80"):
        read_checked(own_file)


def test_several_faults_are_counted_behind_the_first(own_file: Path) -> None:
    edit(own_file, TRAMS, TRAMS.replace("4", "1").replace("corner.", "corner"))
    with pytest.raises(BadInput, match=r"; 1 more: misstep apartments-check$"):
        read_checked(own_file)


def test_other_encodings_and_empty_files_are_said(own_file: Path) -> None:
    own_file.write_bytes("façade".encode("latin-1"))
    with pytest.raises(BadInput, match="is no UTF-8 text: byte 2"):
        read_checked(own_file)
    own_file.write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="holds no table"):
        read_checked(own_file)


def test_a_byte_order_mark_and_other_line_ends_are_no_fault(own_file: Path) -> None:
    text = own_file.read_text(encoding="utf-8").replace("\n", "\r\n")
    own_file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_checked(own_file) == read_statements(SHIPPED)


def test_ratings_of_a_model_may_stand_in_any_order(own_file: Path) -> None:
    edit(own_file, TRAMS, TRAMS.replace("4", "-2"))
    with pytest.raises(BadInput, match="-2 is not above 2"):
        read_checked(own_file)
    own_file.write_text('rated_by = "a/b"\n' + own_file.read_text(encoding="utf-8"), "utf-8")
    assert read_checked(own_file).rated_by == "a/b"
