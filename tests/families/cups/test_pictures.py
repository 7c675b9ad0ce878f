"""Pictures: the same bytes each time, legible at half their size, and alike as PNG and SVG."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from misstep.core.pictures import parts
from misstep.families.cups.drawing import pictures, png, svg
from misstep.families.cups.drawing.figure import HEIGHT, WIDTH, Box, Point, Shape, Stroke, bounds
from misstep.families.cups.drawing.layout import figure
from misstep.families.cups.drawing.spreading import spread
from misstep.families.cups.generate import generate
from misstep.families.cups.prompts import prompt
from misstep.families.cups.spec import CupsPayload

TWICE = (
    "import hashlib; from misstep.families.cups.drawing import png, svg\n"
    "from misstep.families.cups.generate import generate\n"
    "total = hashlib.sha256()\n"
    "for number, (item,) in zip(range(3), generate(0, {})):\n"
    "    total.update(png(item.payload) + svg(item.payload))\n"
    "print(total.hexdigest())"
)
LAZY = (
    "import sys; from misstep.families.cups import FAMILY\n"
    "(item,) = next(FAMILY.generate(0, {}))\n"
    "(picture,) = FAMILY.pictures(item)\n"
    "print([name for name in ('PIL', 'numpy') if name in sys.modules], picture.name)"
)


def payloads(seed: int = 0, **options: str | float) -> list[CupsPayload]:
    return [item.payload for (item,) in generate(seed, options)]


def read_svg(payload: CupsPayload) -> ElementTree.Element:
    return ElementTree.fromstring(svg(payload))  # noqa: S314  (our own picture)


def said(program: str, hash_seed: str = "0") -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def named(shapes: tuple[Shape, ...]) -> dict[str, Box]:
    """The box around all shapes of a name; letters are several strokes."""
    found: dict[str, Box] = {}
    for shape in shapes:
        one, other = bounds(shape), found.get(shape.name)
        if other is not None:
            one = Box(
                one.name,
                min(one.left, other.left),
                min(one.top, other.top),
                max(one.right, other.right),
                max(one.bottom, other.bottom),
                one.colour,
            )
        found[shape.name] = one
    return found


def gap(one: Box, other: Box) -> float:
    """How far apart two boxes are, on the axis where they are farther; negative: they overlap."""
    across = max(one.left, other.left) - min(one.right, other.right)
    down = max(one.top, other.top) - min(one.bottom, other.bottom)
    return max(across, down)


def crosses(one: Stroke, other: Stroke) -> bool:
    def side(start: Point, end: Point, at: Point) -> float:
        return (end.x - start.x) * (at.y - start.y) - (end.y - start.y) * (at.x - start.x)

    (a, b), (c, d) = one.points, other.points
    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def crowded() -> Iterator[CupsPayload]:
    yield from payloads(0)
    yield from payloads(1, epsilon=0.1)
    yield from payloads(2, ranks="paper", epsilon=0.1)


def test_two_processes_draw_the_same_bytes() -> None:
    total = hashlib.sha256()
    for payload in payloads()[:3]:
        total.update(png(payload) + svg(payload))
    assert said(TWICE, "0") == said(TWICE, "4242") == total.hexdigest()


def test_nothing_is_drawn_before_a_picture_s_content_is_asked_for() -> None:
    assert said(LAZY) == "[] cups-0-000.png"


def test_an_item_has_one_picture_in_its_place_and_a_text_that_tells_nothing() -> None:
    items = [item for (item,) in generate(0, {})]
    shown = [pictures(item) for item in items]
    assert len({one.name for (one,) in shown}) == 243
    assert len({one.alt for (one,) in shown}) == 1
    *_, last = parts(prompt(items[0], "cot"), shown[0])
    assert not isinstance(last, str)
    assert last.name == "cups-0-000.png"
    assert last.media == "image/png"
    assert last.content() == png(items[0].payload)


def test_the_item_is_shown_with_its_picture_as_png_and_svg(tmp_path: Path) -> None:
    command = ["show", "cups", "--item", "cups-0-003", "--out", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "misstep", *command], check=True, capture_output=True)
    payload = payloads()[3]
    assert (tmp_path / "cups-0-003.png").read_bytes() == png(payload)
    assert (tmp_path / "cups-0-003.svg").read_bytes() == svg(payload)
    assert len(list(tmp_path.iterdir())) == 2


def test_the_picture_is_as_wide_as_the_option_says() -> None:
    for pixels in (512, 1024, 1500):
        payload = payloads(0, pixels=pixels)[0]
        with Image.open(BytesIO(png(payload))) as image:
            assert image.size == (pixels, round(pixels * HEIGHT / WIDTH))
            assert image.mode == "RGB"
        assert read_svg(payload).get("width") == str(pixels)


def test_letters_keep_clear_of_each_other_and_of_all_lines() -> None:
    for payload in crowded():
        boxes = named(figure(payload).shapes)
        letters = [boxes[f"letter {name}"] for name in "ABCD"]
        lines = [box for name, box in boxes.items() if name[:5] in ("mark ", "wall", "groun")]
        assert all(gap(one, other) >= 6 for one, other in combinations(letters, 2)), payload
        assert all(gap(letter, line) >= 4 for letter in letters for line in lines), payload
        for name, letter in zip("ABCD", letters, strict=True):
            assert 4 <= letter.left - boxes[f"leader {name}"].right <= 10
            assert letter.left >= 28
            assert letter.right <= WIDTH - 28


def test_a_leader_goes_from_its_tick_to_its_letter_and_crosses_no_other() -> None:
    for payload in crowded():
        shapes = figure(payload).shapes
        boxes = named(shapes)
        leaders = [one for one in shapes if isinstance(one, Stroke) and "leader" in one.name]
        for name, leader in zip("ABCD", leaders, strict=True):
            mark, letter = boxes[f"mark {name}"], boxes[f"letter {name}"]
            assert leader.points[0].x == mark.right
            assert leader.points[0].y == pytest.approx((mark.top + mark.bottom) / 2)
            assert leader.points[-1].y == pytest.approx((letter.top + letter.bottom) / 2)
        assert not any(crosses(one, other) for one, other in combinations(leaders, 2)), payload


def test_ticks_never_touch_even_at_the_smallest_epsilon() -> None:
    for payload in crowded():
        boxes = named(figure(payload).shapes)
        for low, high in pairwise(boxes[f"mark {name}"] for name in "ABCD"):
            assert low.top - high.bottom >= 3
        assert boxes["bottom"].top - boxes["mark A"].bottom >= 3


def test_letters_are_at_least_18_px_high_and_legible_at_512() -> None:
    for payload in payloads()[:5]:
        for size, least in ((1024, 18), (512, 12)):
            grey = np.asarray(shrunk(png(payload), size).convert("L"))
            box = named(figure(payload).shapes)["letter C"]
            scale = size / WIDTH
            left, right = int((box.left - 3) * scale), int((box.right + 3) * scale)
            top, bottom = int((box.top - 3) * scale), int((box.bottom + 3) * scale)
            inked = (grey[top:bottom, left:right] < 128).any(axis=1)
            assert inked.sum() >= least


def shrunk(content: bytes, width: int) -> Image.Image:
    with Image.open(BytesIO(content)) as image:
        return image.convert("RGB").resize(
            (width, round(width * HEIGHT / WIDTH)), Image.Resampling.LANCZOS
        )


def luminance(colour: tuple[float, ...]) -> float:
    """Of an sRGB colour, as WCAG 2 has it."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_water_line_stands_out_from_air_and_water_at_512() -> None:
    for payload in payloads()[:5]:
        line = named(figure(payload).shapes)["water line"]
        small = np.asarray(shrunk(png(payload), 512), dtype=float)
        column = small[:, int((line.left + line.right) / 4)]
        level = int((line.top + line.bottom) / 4)
        around = column[level - 1 : level + 2]
        darkest = around[around.sum(axis=1).argmin()]
        for beside in (column[level - 12], column[level + 12]):
            assert contrast(tuple(darkest), tuple(beside)) >= 3


def test_the_svg_holds_what_the_png_shows() -> None:
    for payload in payloads()[:6]:
        with Image.open(BytesIO(png(payload))) as image:
            colours = image.convert("RGB")
        for rect in read_svg(payload).iter("{http://www.w3.org/2000/svg}rect"):
            name, colour = str(rect.get("class")), str(rect.get("fill"))
            if name in ("paper", "water", "ground"):
                continue  # others are drawn over their middles
            x, y = (float(rect.get(axis, "")) for axis in "xy")
            width, height = (float(rect.get(side, "")) for side in ("width", "height"))
            inside = (int(x + width / 4), int(y + height / 2))
            assert "#{:02x}{:02x}{:02x}".format(*_rgb(colours, inside)) == colour, (name, payload)


def _rgb(image: Image.Image, place: tuple[int, int]) -> tuple[int, int, int]:
    red, green, blue = np.asarray(image)[place[1], place[0]]
    return int(red), int(green), int(blue)


def test_the_svg_tells_what_it_shows_and_names_its_parts() -> None:
    root = read_svg(payloads()[0])
    assert root.get("role") == "img"
    assert "four height markings" in str(root.get("aria-label"))
    classes = {element.get("class") for element in root}
    assert {"water line", "mark A", "letter D", "wall", "ground"} <= classes


def best_spread(wanted: list[float], low: float, high: float) -> float:
    """The least sum of squared moves, by trying every whole place."""
    places = range(int(low), int(high) + 1)
    return min(
        sum((at - one) ** 2 for at, one in zip(chosen, wanted, strict=True))
        for chosen in combinations(places, len(wanted))
        if all(right - left >= 4 for left, right in pairwise(chosen))
    )


@pytest.mark.parametrize(
    "wanted", [[10.0, 11.0, 12.0], [1.0, 2.0, 20.0], [18.0, 22.0, 23.0], [3.0, 9.0, 10.0]]
)
def test_letters_move_no_further_than_they_must(wanted: list[float]) -> None:
    found = spread(wanted, 4, 0, 24)
    assert all(right - left >= 4 - 1e-9 for left, right in pairwise(found))
    assert min(found) >= 0
    assert max(found) <= 24
    moved = sum((at - one) ** 2 for at, one in zip(found, wanted, strict=True))
    assert moved <= best_spread(wanted, 0, 24) + 1e-9
