"""Were the arms what they claim? What the answers show, as sentences and as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from misstep.analyse.claims import ArmFacts, Claims
from misstep.report import wording

HEADING = "Were the arms what they claim?"
HEADS = ("arm", "n", "to think", "thought", "tokens out", "temperature", "token limit")
CAPTION = "Means over answers, for each call; temperature and limit as they took effect"


def sentences(claims: Claims) -> list[str]:
    """What contradicts an arm's name, or that nothing does."""
    found = [f"{one.arm} {one.said}." for one in claims.findings]
    return found or ["Yes, as far as the answers show."]


def rows(claims: Claims) -> list[tuple[str, ...]]:
    return [_row(one) for one in claims.arms]


def _row(one: ArmFacts) -> tuple[str, ...]:
    return (
        one.arm,
        f"{one.n:,}",
        one.thinking or wording.NONE,
        wording.count(one.tokens),
        wording.count(one.output_tokens),
        _several(one.temperatures),
        _several(one.caps),
    )


def _several(values: Sequence[float | int | None]) -> str:
    """The provider's own, where none was sent."""
    return ", ".join("own" if one is None else f"{one:g}" for one in values) or wording.NONE
