"""The figures: where the marks stand, what they say, and that they lean on nothing outside."""

from __future__ import annotations

import dataclasses
import io
import logging
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest

from misstep.analyse.breakdown import Factor, Level, LevelArm
from misstep.analyse.comparison import ArmSummary, Interval, Learning, Solving
from misstep.core.measures import ACCURACY, PASSES
from misstep.core.outcomes import Outcome
from misstep.report.figures import profiles
from misstep.report.figures import sections as drawn
from misstep.report.figures.drawing import inline, png, standalone
from misstep.report.figures.sections import GroupPair, Line
from misstep.report.page.style import DARK, LIGHT

SHARES = (0.5, 0.25, 0.125, 0.0625, 0.0625, 0.0)
DIRECT = ArmSummary(
    family="grammar",
    version=1,
    who="model",
    arm="direct",
    n=100,
    groups=10,
    repetitions=1,
    accuracy=0.5,
    interval=Interval(0.3, 0.8),
    outcomes=dict(zip(Outcome, SHARES, strict=True)),
    answers={},
    bias=None,
    input_tokens=None,
    output_tokens=None,
    reasoning_tokens=None,
    seconds=None,
    cost=None,
    ranking=None,
)
COT = dataclasses.replace(DIRECT, arm="cot", accuracy=0.9, interval=None)
LINES = (Line("chance", 0.5), Line("length", 0.75, is_solver=True))
LENGTH = Factor(
    "length",
    (
        Level(
            "short",
            (
                LevelArm("direct", 20, 0.5, Interval(0.25, 0.75), None, None),
                LevelArm("cot", 20, 0.75, None, 25.0, None),
            ),
        ),
        Level("long", (LevelArm("direct", 10, 1.0, None, None, None),)),
    ),
)
PAIRS = (GroupPair("low", 0.25, 0.75), GroupPair("high", 1.0, 0.5), GroupPair("even", 0.5, 0.5))


def arms_figure(arms: tuple[ArmSummary, ...], lines: tuple[Line, ...]) -> str:
    return inline(drawn.arms_figure(arms, lines))


def outcomes_figure(arms: tuple[ArmSummary, ...]) -> str:
    return inline(drawn.outcomes_figure(arms))


def groups_figure(pairs: Sequence[GroupPair], baseline: str, arm: str) -> str:
    return inline(drawn.groups_figure(pairs, baseline, arm))


def figures() -> list[str]:
    crowd = [GroupPair(f"g{at}", at / 200, 1 - at / 200) for at in range(201)]
    learning = Learning(Solving(0.75, (0.25, 0.75)), Solving(0.5, (0.0, 0.5)), None)
    return [
        arms_figure((DIRECT, COT), LINES),
        outcomes_figure((DIRECT, COT)),
        groups_figure(PAIRS, "direct", "cot"),
        groups_figure(crowd, "direct", "cot"),
        inline(profiles.levels_figure(LENGTH, ("direct", "cot"), ACCURACY)),
        inline(profiles.learning_figure(learning, "direct", "cot")),
    ]


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314  our own


def texts(svg: str) -> dict[str, float]:
    """Each text with its place from the left."""
    return {one.text or "": float(one.get("x", "")) for one in parsed(svg).iter("text")}


def marks(svg: str, name: str) -> list[tuple[float, float]]:
    """The places of the markers that have this colour, in the order they were drawn."""
    places = []
    for one in parsed(svg).iter("path"):
        found = re.fullmatch(r"translate\((\S+) (\S+)\)", one.get("transform", ""))
        if found and f"var(--{name})" in one.get("style", ""):
            places.append((float(found[1]), float(found[2])))
    return places


def corners(path: ElementTree.Element) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path.get("d", ""))]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


def test_every_colour_is_one_of_the_page_in_both_schemes() -> None:
    for svg in figures():
        assert not re.search(r"#[0-9a-fA-F]{3}|rgb|black|white", svg)
        used = set(re.findall(r"var\((--[a-z-]+)\)", svg))
        assert {"--ink", "--base"} & used or "--correct" in used
        assert {name.removeprefix("--") for name in used} <= LIGHT.keys() == DARK.keys()


def test_whatever_is_drawn_has_a_colour() -> None:
    for svg in figures():
        for one in parsed(svg).iter():
            if one.tag in ("path", "text"):
                assert "var(--" in one.get("style", ""), ElementTree.tostring(one)


def test_nothing_is_named_or_referred_to() -> None:
    for svg in figures():
        names = {name for one in parsed(svg).iter() for name in (one.tag, *one.attrib)}
        assert names <= {
            "svg", "g", "title", "text", "path",
            "viewBox", "role", "aria-label", "style", "d", "x", "y", "transform",
        }  # fmt: skip
        assert not re.search(r"url|http|xmlns|<!|<\?|font-family|font:", svg)


def test_an_accuracy_stands_where_the_axis_says() -> None:
    svg = arms_figure((DIRECT, COT), LINES)
    place = texts(svg)
    zero, whole = place["0 %"], place["100 %"]
    ((ring, first),) = marks(svg, "base")
    ((square, second),) = marks(svg, "arm")
    assert ring == pytest.approx(zero + 0.5 * (whole - zero), abs=0.02)
    assert square == pytest.approx(zero + 0.9 * (whole - zero), abs=0.02)
    assert first < second
    diamonds = [x for x, _ in marks(svg, "soft")]
    assert diamonds == pytest.approx(
        [zero + share * (whole - zero) for share in (0.5, 0.75)], abs=0.02
    )


def test_an_interval_has_two_ends_and_no_interval_none() -> None:
    svg = arms_figure((DIRECT, COT), LINES)
    zero, whole = texts(svg)["0 %"], texts(svg)["100 %"]
    ends = [x for x, _ in marks(svg, "ink")]
    assert ends == pytest.approx([zero + share * (whole - zero) for share in (0.3, 0.8)], abs=0.02)


def test_the_names_of_arms_are_bold_and_those_of_lines_are_not() -> None:
    root = parsed(arms_figure((DIRECT,), LINES))
    bold = {one.text for one in root.iter("text") if "font-weight:600" in one.get("style", "")}
    assert bold == {"direct", "50.0 %"}


def test_solvers_are_dotted_and_chance_is_dashed() -> None:
    svg = arms_figure((DIRECT,), LINES)
    dashes = re.findall(r"stroke-dasharray:([\d.]+),", svg)
    assert len(dashes) == 2
    assert float(dashes[0]) > 3 * float(dashes[1])


def test_the_bars_are_as_wide_as_the_shares() -> None:
    root = parsed(outcomes_figure((DIRECT,)))
    width = float(root.get("viewBox", "").split()[2])
    bars = [bar for bar in root.iter("path") if "fill:var(" in bar.get("style", "")]
    reach = [[x for x, _ in corners(bar)] for bar in bars]
    assert [max(xs) - min(xs) for xs in reach] == pytest.approx(
        [width * share for share in SHARES if share > 0], abs=0.02
    )
    assert all(max(xs) == pytest.approx(min(after), abs=0.02) for xs, after in pairwise(reach))
    said = [title.text for title in root.iter("title")]
    assert said[:2] == ["direct: correct 50 %", "direct: wrong 25 %"]


def test_groups_stand_in_the_order_of_the_baseline() -> None:
    svg = groups_figure(PAIRS, "direct", "cot")
    said = [title.text for title in parsed(svg).iter("title")]
    assert said[::2] == said[1::2] == [
        "high: direct 100.0 %, cot 50.0 %",
        "even: direct 50.0 %, cot 50.0 %",
        "low: direct 25.0 %, cot 75.0 %",
    ]  # fmt: skip
    rings, squares = marks(svg, "base"), marks(svg, "arm")
    assert [x for x, _ in rings] == [x for x, _ in squares]
    assert [y for _, y in rings] == sorted(y for _, y in rings)
    (_, top), (_, middle), (_, low) = rings
    assert (low - middle) == pytest.approx((middle - top) / 2, abs=0.02)
    assert squares[0][1] == squares[1][1] == pytest.approx(middle, abs=0.02)


def test_many_groups_make_three_paths_and_stay_small() -> None:
    svg = figures()[3]
    assert len(svg) < 40_000
    for name in ("soft", "base", "arm"):
        drawn = [
            one
            for one in parsed(svg).iter("path")
            if f"stroke:var(--{name})" in one.get("style", "")
        ]
        assert len(drawn) == 1
    assert "cot is below direct in 100 groups, level in 1, above in 100" in svg


@pytest.mark.parametrize(
    "name",
    [
        "<b>&amp;\"'",
        "$x_1$",
        "\u4e2d\u6587 \u0627\u0644",
        "a\nb\x00\x1b\ud800\ufffe",
        "",
        "x" * 500,
    ],
)
def test_any_name_is_drawn_as_text_without_a_word(name: str) -> None:
    arm = dataclasses.replace(DIRECT, arm=name)
    shown = " ".join(re.sub("[\x00\x1b\ud800\ufffe]", "\N{REPLACEMENT CHARACTER}", name).split())
    for svg in (
        arms_figure((arm, COT), (Line(name, 0.5),)),
        outcomes_figure((arm, COT)),
        groups_figure((GroupPair(name, 0.1, 0.2),), name, name),
    ):
        root = parsed(svg)
        assert shown in root.get("aria-label", "")
        drawn = [one.text or "" for one in root.iter("text")]
        assert all(len(text) <= 45 for text in drawn)
        assert "viewBox" in root.attrib
    short = texts(arms_figure((arm, COT), ()))
    assert name == "" or any(shown[:17] in text for text in short)


def test_long_names_leave_the_axes_room() -> None:
    place = texts(arms_figure((dataclasses.replace(DIRECT, arm="x" * 500),), LINES))
    assert place["100 %"] - place["0 %"] > 120


def test_a_users_settings_of_matplotlib_change_nothing(tmp_path: Path) -> None:
    code = (
        "from misstep.report.figures.drawing import inline\n"
        "from misstep.report.figures.sections import *\n"
        "pairs = [GroupPair('a', 0.3, 0.7), GroupPair('b', 1, 0)]\n"
        "print(inline(groups_figure(pairs, 'direct', 'cot')))"
    )
    settings = tmp_path / "matplotlibrc"
    settings.write_text(
        "font.size: 30\nsvg.fonttype: path\naxes.grid: True\nlines.linewidth: 9\n"
        "axes.spines.top: True\nfigure.autolayout: True\nsavefig.bbox: tight\n"
    )
    plain = python(code, PYTHONHASHSEED="1").stdout
    assert python(code, PYTHONHASHSEED="2", MATPLOTLIBRC=str(settings)).stdout == plain


def test_drawing_leaves_matplotlib_as_it_was() -> None:
    logger = logging.getLogger("matplotlib")
    level = logger.level
    with matplotlib.rc_context({"font.size": 31, "svg.fonttype": "path"}):
        before = dict(matplotlib.rcParams)
        figures()
        assert dict(matplotlib.rcParams) == before
    assert logger.level == level


def test_a_cache_that_cannot_be_written_makes_no_noise(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    code = (
        "import sys\nfrom misstep.report.figures.sections import *\n"
        "from misstep.report.figures.drawing import inline\n"
        "inline(groups_figure([GroupPair('a', 0.3, 0.7)], 'direct', 'cot'))\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = python(code, MPLCONFIGDIR=str(blocked / "below"))
    assert done.stderr == ""
    assert done.stdout == "False\n"


def test_matplotlib_is_imported_only_to_draw() -> None:
    code = (
        "import sys\nimport misstep.cli.running.runs, misstep.report.page.files\n"
        "import misstep.report.terminal, misstep.report.page.gather, misstep.report.page.html\n"
        "import misstep.analyse.comparing\n"
        "print('matplotlib' in sys.modules)"
    )
    assert python(code).stdout == "False\n"


def test_each_level_has_a_row_and_each_arm_its_mark_in_it() -> None:
    svg = figures()[4]
    place = texts(svg)
    zero, whole = place["0 %"], place["100 %"]
    rings, squares = marks(svg, "base"), marks(svg, "arm")
    assert [x for x, _ in rings] == pytest.approx(
        [zero + share * (whole - zero) for share in (0.5, 1.0)], abs=0.02
    )
    ((square, below),) = squares
    assert square == pytest.approx(zero + 0.75 * (whole - zero), abs=0.02)
    assert rings[0][1] < below < rings[1][1]
    said = [title.text for title in parsed(svg).iter("title")]
    assert said == [
        "short: direct 50.0 %, 20 items",
        "short: cot 75.0 %, 20 items",
        "long: direct 100.0 %, 10 items",
    ]


def test_learning_curves_rise_from_left_to_right() -> None:
    svg = figures()[5]
    (x1, y1), (x2, y2) = marks(svg, "base")
    (_, z1), (_, z2) = marks(svg, "arm")
    assert x1 < x2
    assert (y1 - y2) == pytest.approx(z1 - z2, abs=0.02)
    assert "direct: 25 %, 75 %; cot: 0 %, 50 %" in svg


def test_passes_have_an_axis_from_one_to_fifteen() -> None:
    arm = dataclasses.replace(DIRECT, accuracy=8.0, interval=Interval(6.0, 9.0), measure=PASSES)
    svg = arms_figure((arm,), ())
    assert "Passes of each arm: direct 8.00 (95 % 6.00–9.00)" in svg
    place = texts(svg)
    ((ring, _),) = marks(svg, "base")
    assert ring == pytest.approx(place["1"] + (place["10"] - place["1"]) * 7 / 9, abs=0.02)


def test_a_file_of_its_own_has_colours_and_a_title_and_refers_to_nothing() -> None:
    text = standalone(drawn.arms_figure((DIRECT, COT), LINES))
    root = ElementTree.fromstring(text)  # noqa: S314  our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(" not in text
    assert LIGHT["base"] in text
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert "direct 50.0 %" in (title.text or "")


def test_a_png_is_drawn_in_the_colours_of_the_page() -> None:
    from matplotlib.image import imread

    pixels = imread(io.BytesIO(png(drawn.outcomes_figure((DIRECT,)))), format="png")
    shown = {
        tuple(round(255 * float(part)) for part in one[:3])
        for one in pixels[:, ::40].reshape(-1, 4)
    }
    for name in ("paper", "correct", "wrong", "unparsed"):
        colour = tuple(int(LIGHT[name][at : at + 2], 16) for at in (1, 3, 5))
        assert colour in shown, name
