"""The pieces of trials: times as they are said, an n-back scored, screens to go on from."""

from __future__ import annotations

import math
from itertools import product

import pytest

from misstep.study.screens import Ask, Choice, NBack, Page, Part, Stream, fit
from misstep.study.trials.nouns import Timing
from misstep.study.trials.pieces.asking import question
from misstep.study.trials.pieces.going_on import going_on
from misstep.study.trials.pieces.nback import detected, targets
from misstep.study.trials.pieces.timing import said, timed


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [
        (1_000, "1 second"),
        (1_500, "1.5 seconds"),
        (8_000, "8 seconds"),
        (60_000, "60 seconds"),
        (90_000, "90 seconds"),
        (150_000, "2 minutes 30 seconds"),
        (180_000, "3 minutes"),
        (121_000, "2 minutes 1 second"),
        (100, "0.1 seconds"),
    ],
)
def test_times_are_said_as_people_say_them(milliseconds: int, words: str) -> None:
    assert said(milliseconds) == words


def test_a_studys_time_goes_before_the_familys_and_zero_is_a_time() -> None:
    own, study = Timing(8_000, 15_000, None, 3_000), Timing(0, None, None, 5_000)
    assert timed(own, study) == Timing(0, 15_000, None, 5_000)


def test_the_n_back_is_scored_as_by_going_through_it_letter_by_letter() -> None:
    """All runs of six letters of two, each with every way of pressing."""
    for letters in product("BC", repeat=6):
        screen = NBack(letters, 2, 2_000, 500)
        wanted = [at for at in range(6) if at >= 2 and letters[at - 2] == letters[at]]
        assert list(targets(letters, 2)) == wanted
        for presses in product((False, True), repeat=6):
            pressed = [at for at in range(6) if presses[at]]
            details = detected(screen, pressed)
            hits = len(set(pressed) & set(wanted))
            assert details["nback_hits"] == hits
            assert details["nback_false_alarms"] == len(pressed) - hits
            assert details["nback_targets"] == len(wanted)
            d_prime = details["nback_d_prime"]
            assert isinstance(d_prime, float)
            assert math.isfinite(d_prime)


def test_d_prime_is_the_difference_of_the_normal_quantiles() -> None:
    """z(6.5/7) - z(.5/15) = 1.4652 + 1.8339, from a printed table of the normal curve."""
    letters = tuple("BBBBBBBBCDFGHJKLMNPQ")
    screen = NBack(letters, 2, 2_000, 500)
    details = detected(screen, targets(letters, 2))
    assert details["nback_targets"] == 6
    assert details["nback_d_prime"] == pytest.approx(1.4652 + 1.8339, abs=1e-3)
    nothing = detected(screen, [])["nback_d_prime"]
    assert isinstance(nothing, float)
    assert nothing == pytest.approx(-1.4652 + 1.8339, abs=1e-3)


def test_a_screen_that_only_leads_on_is_gone_on_from() -> None:
    buttons = Page((), (Choice("yes", "I agree"), Choice("no", "I don’t")))
    alone = Page((), choices=(), auto_ms=1_000)
    stream = Stream((Part("text", "one"),), each_ms=1_000)
    assert [going_on(one) for one in (buttons, alone, stream)] == [
        {"value": "yes"},
        {"value": ""},
        {},
    ]
    for one in (buttons, alone, stream):
        assert fit(one, going_on(one)) == going_on(one)


def test_a_screen_that_asks_is_not() -> None:
    with pytest.raises(ValueError, match="kind ask asks"):
        going_on(Ask((), "?", (Choice("a", "a"),)))


def test_a_check_without_its_right_answer_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="no choice 'c'"):
        question("what", "What?", "c", a="this", b="that")
