"""Pictures of example items stand on the page in their places, small, and offline."""

from __future__ import annotations

import base64
import io
import re

import pytest
from PIL import Image

import swatches
from misstep.core.outcomes import Outcome
from misstep.core.pictures import Seen, said_of
from misstep.core.records import Record, Transcript
from misstep.report.page.data import ReportData
from misstep.report.page.examples import examples
from misstep.report.page.html import page
from misstep.report.page.pictures import ALONE, AMONG, illustrated

RED, BLUE = (200, 10, 10), (10, 10, 200)
_IMAGE = re.compile(r'<img src="data:image/(?:png|jpeg);base64,([^"]+)" alt="([^"]*)">')


def seen(name: str, colour: swatches.Colour, size: int = 600) -> Seen:
    return Seen(f"{name}.png", f"a {name} one", swatches.drawn(colour, size))


def images(markup: str) -> list[tuple[str, Image.Image]]:
    """The pictures of the markup in their order, with their alt texts."""
    return [
        (alt, Image.open(io.BytesIO(base64.b64decode(content))))
        for content, alt in _IMAGE.findall(markup)
    ]


def near(picture: Image.Image, colour: swatches.Colour) -> bool:
    found = picture.convert("RGB").getpixel((5, 5))
    assert isinstance(found, tuple)
    return all(abs(a - b) < 8 for a, b in zip(found, colour, strict=True))


def test_pictures_stand_among_the_words_in_their_order() -> None:
    red, blue = seen("red", RED), seen("blue", BLUE)
    text = f"Here: {said_of(red.alt)}\nAnd <there>: {said_of(blue.alt)}."
    markup = illustrated(text, (red, blue))
    (first, one), (second, other) = images(markup)
    assert (first, second) == ("a red one", "a blue one")
    assert near(one, RED)
    assert near(other, BLUE)
    assert _IMAGE.sub("#", markup) == '<div class="asked">Here: #\nAnd &lt;there&gt;: #.</div>'


@pytest.mark.parametrize(("several", "longest"), [(1, ALONE), (3, AMONG)])
def test_a_picture_is_copied_as_small_as_the_page_shows_it(several: int, longest: int) -> None:
    shown = tuple(seen(str(number), RED, 1024) for number in range(several))
    markup = illustrated("".join(said_of(one.alt) for one in shown), shown)
    assert [picture.size for _, picture in images(markup)] == [(longest, longest)] * several


def test_a_photograph_takes_little_of_the_page() -> None:
    noise = Image.effect_noise((1024, 1024), 60).convert("RGB")
    out = io.BytesIO()
    noise.save(out, "PNG")
    one = Seen("x.png", "noise", out.getvalue())
    assert len(out.getvalue()) > 500_000
    assert len(illustrated(said_of("noise"), (one, one))) < 60_000


@pytest.mark.parametrize("content", [None, b"", b"no picture"])
def test_a_picture_that_is_not_at_hand_is_said_in_words(content: bytes | None) -> None:
    one = Seen("x.png", 'a "cup" & <b>', content)
    markup = illustrated(f"Look: {said_of(one.alt)}!", (one,))
    assert "<img" not in markup
    assert "[picture: a &quot;cup&quot; &amp; &lt;b&gt;]" in markup
    assert "<b>" not in markup


def test_a_picture_whose_words_are_cut_away_stands_at_the_end() -> None:
    (found,) = images(illustrated("Look at this.", (seen("red", RED),)))
    assert found[0] == "a red one"


def test_an_alt_text_cannot_leave_its_place() -> None:
    one = Seen("x.png", '"><script>alert(1)</script>', swatches.drawn(RED))
    assert "<script>" not in illustrated(said_of(one.alt), (one,))


def transcript(outcome: Outcome, item: str) -> Transcript:
    record = Record("swatches", 1, "m/x", item, "g", "direct", 1, outcome, 0.0, answer="No")
    return Transcript(record, said_of("a red one"), "No", (seen("red", RED),))


def test_examples_show_their_pictures_and_those_that_do_not_fit_are_counted() -> None:
    found = {Outcome.WRONG: [transcript(Outcome.WRONG, f"i{number}") for number in range(4)]}
    whole = examples(found)
    assert len(images(whole)) == 4
    size = len(examples({Outcome.WRONG: found[Outcome.WRONG][:1]}))
    few = examples(found, room=2 * size)
    assert 1 <= len(images(few)) < 4
    assert "more are left out, to keep the page small" in few


def test_a_page_lets_its_own_pictures_be_shown_and_nothing_from_elsewhere() -> None:
    one = transcript(Outcome.WRONG, "i")
    text = page(ReportData((), records=(one.record,), transcripts=(one,)))
    assert len(images(text)) == 1
    assert "img-src data:" in text
    assert not re.search(r'src="(?!data:)', text)
