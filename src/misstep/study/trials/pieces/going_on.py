"""The answer to a screen at which nothing is decided: what robots give to consent and openings."""

from __future__ import annotations

from collections.abc import Mapping

from misstep.study.screens import Json, Page, Screen, Stream


def going_on(screen: Screen) -> Mapping[str, Json]:
    """The first button of a page, or its own going on; ValueError for a screen that asks."""
    if isinstance(screen, Page):
        return {"value": screen.choices[0].value if screen.choices else ""}
    if isinstance(screen, Stream):
        return {}
    raise ValueError(f"a screen of kind {screen.kind} asks for an answer")
