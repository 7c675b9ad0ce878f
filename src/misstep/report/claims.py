"""Were the arms what they claim: first questions of a run checked, and the findings printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from misstep.analyse.claims import (
    ArmFacts,
    Claims,
    Finding,
    check,
    is_cut_while_thinking,
    thinking_tokens,
)
from misstep.core.errors import BadInput, MisstepError
from misstep.report import wording
from misstep.runner.preflight import ITEMS, ask_first, is_called_for, may_think
from misstep.runner.run import Plan

TITLE = "Were the arms what they claim?"
FIRST = "Are the arms what they claim? First answers:"
_Subject = tuple[str, int, str, str]


__all__ = [
    "FIRST",
    "TITLE",
    "Checked",
    "How",
    "check",
    "checked",
    "how",
    "refuse",
    "show",
    "to_json",
]


class How(StrEnum):
    """When the first questions are asked before the rest."""

    AUTO = "auto"
    YES = "yes"
    NO = "no"
    ONLY = "only"


@dataclass(frozen=True)
class Checked:
    """A plan that knows of the calls made for its first questions; no claims: none were asked."""

    plan: Plan
    claims: Claims | None = None


def checked(plan: Plan, how: How) -> Checked:
    """The plan after its first questions, where `how` calls for them.

    AUTO: where an arm is about thinking; else one question of the baseline shows whether the model
    reports thinking that nobody asked for, or is cut off before a word.
    """
    if how is How.NO:
        return Checked(plan)
    if how is How.AUTO and not is_called_for(plan):
        if not may_think(plan):
            return Checked(plan)
        first = ask_first(plan, 1, plan.manifest.arms[:1])
        if not any(thinking_tokens(one) or is_cut_while_thinking(one) for one in first.records):
            return Checked(first.plan)
        plan = first.plan
    first = ask_first(plan, ITEMS)
    return Checked(first.plan, check(first.records))


def how(word: str) -> How:
    """BadInput where the word is none that a caller from Python may use."""
    if word not in (How.AUTO, How.YES, How.NO):
        raise BadInput(f"preflight: {word!r} is none of auto, yes, no")
    return How(word)


def refuse(claims: Claims, option: str) -> None:
    """MisstepError, in one line, where an arm isn't what it claims."""
    if claims.findings:
        first, *others = claims.findings
        more = f" (and {len(others)} more)" if others else ""
        raise MisstepError(f"{option}: {first.arm} on {first.who}: {first.said}{more}")


def to_json(claims: Claims) -> dict[str, object]:
    """Under the keys `arms_as_asked` and `claims`; docs/arms.md has their fields."""
    return {
        "arms_as_asked": [asdict(one) for one in claims.arms],
        "claims": [asdict(one) for one in claims.findings],
    }


def show(claims: Claims, console: Console, title: str = TITLE) -> None:
    """A table of the arms of each model, then a line for each that isn't what it claims."""
    subjects: dict[_Subject, list[ArmFacts]] = {}
    for one in claims.arms:
        subjects.setdefault(_subject(one), []).append(one)
    for subject, arms in subjects.items():
        found = [one for one in claims.findings if _subject(one) == subject]
        if found or any(one.thinking is not None for one in arms):
            _show(title, arms, found, console)


def _subject(one: ArmFacts | Finding) -> _Subject:
    return one.family, one.version, one.variant, one.who


def _show(title: str, arms: Sequence[ArmFacts], found: Sequence[Finding], console: Console) -> None:
    first = arms[0]
    whole = f"{title} {wording.asked(first.family, first.variant)}, {first.who}"
    console.print()
    console.print(Text(whole, style="bold"))
    console.print(_table(arms))
    for one in found:
        console.print(Padding(Text(f"! {one.arm} {one.said}"), (0, 0, 0, 2)))
    if not found:
        console.print(Padding(Text("Yes, as far as the answers show."), (0, 0, 0, 2)))


def _table(arms: Sequence[ArmFacts]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("arm", overflow="fold", min_width=6)
    for heading in ("n", "to think", "thought", "tokens", "temperature", "limit"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in arms:
        table.add_row(
            Text(one.arm),
            f"{one.n:,}",
            one.thinking or wording.NONE,
            wording.NONE if one.tokens is None else f"{one.tokens:,.0f}",
            wording.NONE if one.output_tokens is None else f"{one.output_tokens:,.0f}",
            _several(one.temperatures, "own"),
            _several(one.caps, "own"),
        )
    return table


def _several(values: Sequence[float | int | None], absent: str) -> str:
    return ", ".join(absent if one is None else f"{one:g}" for one in values)
