"""Pictures stand in a question where its words have a place for them."""

from __future__ import annotations

import pytest

from misstep.core.pictures import PLACE, Picture, parts

_FIRST = Picture("first.png", "a first picture", lambda: b"1")
_SECOND = Picture("second.jpg", "a second picture", lambda: b"2")


def test_words_and_pictures_come_in_the_order_of_the_text() -> None:
    text = f"Here is one: {PLACE} And {PLACE}"

    assert list(parts(text, (_FIRST, _SECOND))) == ["Here is one: ", _FIRST, " And ", _SECOND]


def test_a_text_without_pictures_is_one_part() -> None:
    assert list(parts("only words", ())) == ["only words"]


@pytest.mark.parametrize("pictures", [(), (_FIRST, _SECOND)])
def test_places_and_pictures_must_be_as_many(pictures: tuple[Picture, ...]) -> None:
    with pytest.raises(ValueError, match="1 places in the words"):
        list(parts(f"one {PLACE}", pictures))


def test_the_kind_of_a_file_is_told_by_its_ending() -> None:
    assert (_FIRST.media, _SECOND.media) == ("image/png", "image/jpeg")
