"""The colours: whatever is written can be read, in light and in dark (WCAG 2, contrast 4.5)."""

from __future__ import annotations

import re

import pytest

from misstep.core.outcomes import Outcome
from misstep.report.page.style import DARK, LIGHT, STYLE

WRITTEN = [
    *((ink, ground) for ink in ("ink", "soft", "base") for ground in ("paper", "panel")),
    *(("on", verdict) for verdict in ("hurts", "helps", "same", "open")),
    *(("on-empty" if one is Outcome.EMPTY else "on", one.value) for one in Outcome),
    ("on-mark", "mark"),
]
DRAWN = [("base", "paper"), ("arm", "paper")]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white_is_the_standards() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), WRITTEN)
def test_text_stands_out(colours: dict[str, str], ink: str, ground: str) -> None:
    assert contrast(colours[ink], colours[ground]) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), DRAWN)
def test_marks_stand_out(colours: dict[str, str], ink: str, ground: str) -> None:
    assert contrast(colours[ink], colours[ground]) >= 3


def test_every_colour_that_is_used_is_declared_and_none_stands_for_itself() -> None:
    used = set(re.findall(r"var\(--([a-z-]+)\)", STYLE))
    assert used <= LIGHT.keys()
    rules = STYLE[STYLE.index("*{box-sizing") :]
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb", rules)


def test_what_is_folded_is_open_in_print_and_dark_is_for_screens() -> None:
    printed = STYLE[STYLE.index("@media print") :]
    assert "details::details-content{content-visibility:visible" in printed
    assert "@media screen and (prefers-color-scheme:dark)" in STYLE
