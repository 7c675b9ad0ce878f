"""What is shown of an item: all of it that models see, in its order, and each picture as it is."""

from __future__ import annotations

from base64 import b64decode

from misstep.core.pictures import content_of
from misstep.registry import family
from misstep.study.screens import Ask, NBack, Page, Part, Stream
from misstep.study.trials.every import trial
from misstep.study.trials.nouns import Timing
from trial_walks import items, walked


def content(part: Part) -> bytes:
    start, _, encoded = part.text.partition("base64,")
    assert start in ("data:image/jpeg;", "data:image/png;")
    return b64decode(encoded, validate=True)


def test_the_face_comes_first_and_alone_and_then_the_five_with_their_numbers() -> None:
    item = next(items("faces", 1))
    reference, *candidates = family("faces").pictures(item)  # type: ignore[misc]  # it has some
    for arm in ("direct", "describe"):
        _, seen, _, choice = walked(item, arm, "first").screens
        assert isinstance(seen, Stream)
        assert isinstance(choice, Ask)
        assert [content(part) for part in seen.shown] == [content_of(reference)]
        assert [content(part) for part in choice.body] == [content_of(one) for one in candidates]
        assert [part.caption for part in choice.body] == ["1", "2", "3", "4", "5"]
        assert [part.alt for part in choice.body] == [one.alt for one in candidates]


def test_the_glasses_are_the_picture_that_models_see() -> None:
    for item in items("cups", 3):
        (picture,) = family("cups").pictures(item)  # type: ignore[misc]  # it has one
        for arm in ("direct", "deliberate", "imagine"):
            for screen in walked(item, arm, "exact").screens:
                shown = [part for part in getattr(screen, "body", ()) if part.kind == "picture"]
                assert [content(part) for part in shown] == [content_of(picture)]
                assert shown[0].alt == picture.alt


def test_the_statements_come_one_by_one_as_the_prompt_has_them() -> None:
    item = next(items("apartments", 1))
    _, stream, _ = walked(item, "direct", "sum").screens
    assert isinstance(stream, Stream)
    prompt = family("apartments").prompt(item, "direct")
    assert "\n".join(part.text for part in stream.shown) in prompt
    assert (len(stream.shown), stream.each_ms, stream.gap_ms) == (320, 1_000, 0)


def test_ratings_are_explained_where_they_are_shown_and_only_there() -> None:
    for ratings in ("hidden", "shown"):
        item = next(family("apartments").generate(0, {"ratings": ratings}))[0]
        ready, stream, _ = walked(item, "direct", "sum").screens
        assert isinstance(ready, Page)
        assert isinstance(stream, Stream)
        told = " ".join(part.text for part in ready.body)
        assert (
            ("from -5 to +5" in told) == stream.shown[0].text.endswith(")") == (ratings == "shown")
        )


def test_the_n_back_is_the_items_own_which_models_get() -> None:
    item = next(family("apartments").generate(0, {"letters": 30, "back": 3}))[0]
    n_back = walked(item, "distract", "sum").screens[2]
    assert isinstance(n_back, NBack)
    assert (n_back.n, len(n_back.letters)) == (3, 30)
    assert " ".join(n_back.letters) in family("apartments").prompt(item, "n-back")


def test_the_n_back_of_the_default_items_takes_as_long_as_reasons_at_least() -> None:
    item = next(items("apartments", 1))
    n_back = walked(item, "distract", "sum").screens[2]
    assert isinstance(n_back, NBack)
    asked = trial("apartments")
    taken = len(n_back.letters) * (n_back.each_ms + n_back.gap_ms)
    assert taken == asked.defaults.deliberate


def test_both_statements_stand_on_every_screen_as_in_the_prompt() -> None:
    for item in items("inconsistency", 2):
        prompt = family("inconsistency").prompt(item, "direct")
        for arm in trial("inconsistency").arms:
            for screen in walked(item, arm.name, "exact").screens:
                body = "\n".join(part.text for part in getattr(screen, "body", ()))
                assert prompt.startswith("\n".join(body.split("\n")[:3]))


def test_the_explanation_comes_before_the_answer_or_after_it() -> None:
    item = next(items("inconsistency", 1))
    kinds = {
        arm.name: [screen.kind for screen in walked(item, arm.name, "exact").screens]
        for arm in trial("inconsistency").arms
    }
    assert kinds == {
        "direct": ["ask"],
        "deliberate": ["write", "ask"],
        "explain": ["write", "ask"],
        "judge-then-explain": ["ask", "write"],
    }


def test_imagining_waits_as_long_as_reasons_do() -> None:
    item = next(items("cups", 1))
    page = trial("cups").screen(item, "imagine", Timing(deliberate=9_000), [])
    assert isinstance(page, Page)
    assert page.min_ms == 9_000
