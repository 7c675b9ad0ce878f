"""Reference solvers: their known accuracies, and a reader that sees nothing but the picture."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import islice
from math import sqrt
from statistics import mean

import pytest
from PIL import Image

from misstep.core.items import Item
from misstep.families.cups.drawing import png
from misstep.families.cups.drawing.figure import WIDTH, Figure, Point, Stroke
from misstep.families.cups.drawing.layout import UNIT, figure
from misstep.families.cups.drawing.raster import to_png
from misstep.families.cups.generate import generate
from misstep.families.cups.geometry import Glass
from misstep.families.cups.rules import glasses
from misstep.families.cups.solvers import REFERENCES, SOLVERS
from misstep.families.cups.solvers.eyes import answer, look
from misstep.families.cups.spec import CupsPayload

Problem = Item[CupsPayload]
PAPER_SCALE = 100
READ = 25
QUICK = [name for name in REFERENCES if name != "picture"]


def problems(count: int, **options: str | float) -> list[Problem]:
    return [item for (item,) in islice(generate(0, options), count)]


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("protocol", ["controlled", "paper"])
def test_a_solver_reaches_its_expected_accuracy(name: str, protocol: str) -> None:
    reference = REFERENCES[name]
    expected = reference.paper if protocol == "paper" else reference.accuracy
    found = problems(PAPER_SCALE, protocol=protocol)
    accuracy = mean(reference.solve(item).answer == item.truth for item in found)
    assert abs(accuracy - expected) <= 3 * sqrt(expected * (1 - expected) / PAPER_SCALE)


def test_rules_take_the_mark_nearest_to_where_they_lead() -> None:
    payload = CupsPayload(2, 6, 4.5, 3, 5, (1.0, 3.1, 3.7, 4.6), 1024)
    item = replace(problems(1)[0], payload=payload)
    found = {name: SOLVERS[name](item).answer for name in QUICK}
    # Tilt 1.5, so 5 - 3 · 1.5 / 2 = 2.75; levels 4.5, 3.75 and 3.
    assert found["exact"] == "B"
    assert found["same-level"] == "D"
    assert found["same-proportion"] == "C"
    assert found["same-volume"] == "B"
    assert [found[f"always-{letter}"] for letter in "abcd"] == ["A", "B", "C", "D"]


def test_solvers_don_t_look_at_truth_or_factors() -> None:
    for item in problems(2):
        blind = replace(item, truth="A", lure=None, factors={})
        assert all(solve(blind) == solve(item) for solve in SOLVERS.values())


@pytest.mark.parametrize(
    ("count", "options"),
    [(READ, {}), (10, {"ranks": "paper", "epsilon": 0.1}), (10, {"pixels": 700})],
)
def test_the_picture_alone_tells_the_answer(count: int, options: dict[str, str | float]) -> None:
    found = problems(count, **options)
    assert mean(SOLVERS["picture"](item).answer == item.truth for item in found) >= 0.98


def test_the_picture_scaled_down_to_512_still_tells_it() -> None:
    def scaled(content: bytes) -> bytes:
        out = BytesIO()
        with Image.open(BytesIO(content)) as image:
            image.resize((512, 352), Image.Resampling.LANCZOS).save(out, "PNG")
        return out.getvalue()

    found = problems(READ - 10)
    assert mean(answer(scaled(png(item.payload))) == item.truth for item in found) >= 0.98


def test_what_is_read_is_what_was_drawn_to_half_a_pixel() -> None:
    for item in problems(5):
        seen, payload = look(png(item.payload)), item.payload
        source, target = glasses(payload)
        assert seen.source == Glass(source.width * UNIT, source.height * UNIT)
        assert seen.target == Glass(target.width * UNIT, target.height * UNIT)
        assert seen.water == pytest.approx(payload.water * UNIT, abs=0.5)
        for mark, drawn in zip(seen.marks, payload.marks, strict=True):
            assert mark == pytest.approx(drawn * UNIT, abs=0.5)
        assert seen.letters == "ABCD"


def moved(shape: Stroke, by: float) -> Stroke:
    return replace(shape, points=tuple(Point(one.x, one.y + by) for one in shape.points))


def test_the_reader_reads_letters_rather_than_counting_marks() -> None:
    (item,) = problems(1)
    drawn = figure(item.payload)
    tops = {
        shape.name: min(one.y for one in shape.points)
        for shape in drawn.shapes
        if isinstance(shape, Stroke) and shape.name.startswith("letter")
    }
    # A and B change places, C and D stay.
    way = tops["letter A"] - tops["letter B"]
    by = {"letter A": -way, "letter B": way}
    swapped = tuple(
        moved(shape, by.get(shape.name, 0)) if isinstance(shape, Stroke) else shape
        for shape in drawn.shapes
    )
    assert look(to_png(Figure(swapped), WIDTH)).letters == "BACD"


def test_a_picture_of_something_else_is_refused() -> None:
    out = BytesIO()
    Image.new("RGB", (300, 200), "#ffffff").save(out, "PNG")
    with pytest.raises(ValueError, match="0 walls"):
        look(out.getvalue())
