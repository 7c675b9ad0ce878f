"""People beside models: the effect on each, whether the two agree, and what others found before.

On a terminal, as a section of the page, and as tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from rich.console import Console

from misstep.analyse.effects import Agreement, EffectDifference
from misstep.core.family import Spec
from misstep.report import terminal, wording
from misstep.report.page.markup import table, tag

TITLE = "People and models"
HEADS = ("task, model", "compared", "model", "people", "difference", "agree")
_Specs = Mapping[str, Spec]


def show(found: Sequence[EffectDifference], specs: _Specs, console: Console) -> None:
    """Of each model and arm; what was found in people before is said once of each family."""
    terminal.show_lines([effect_lines(one) for one in found], console)
    terminal.show_lines([(line,) for line in published(found, specs)], console)


def effect_lines(found: EffectDifference) -> tuple[str, ...]:
    """The effect on a model beside that on people, their difference, and what it comes to."""
    measure = found.measure
    head = (
        f"{wording.asked(found.family, found.variant)}, {found.arm} against {found.baseline}: "
        f"{found.who} {wording.difference(found.model_effect, measure)}, "
        f"people {wording.difference(found.people_effect, measure)} ({_design(found)})"
    )
    after = wording.adjusted(found.p, found.p_adjusted)
    tested = "no test"
    if found.p is not None:
        tested = f"p {wording.p_value(found.p)} ({found.test}, two-sided{after})"
    interval = wording.points_interval(found.interval, measure)
    between = wording.difference(found.difference, measure)
    return head, f"difference of the effects: {between} ({interval}), {tested}", sentence(found)


def sentence(found: EffectDifference) -> str:
    """Whether the arm does to the model what it does to people."""
    margin = wording.margin(found.equivalence.margin, found.measure)
    if found.agreement is Agreement.ALIKE:
        return f"The two effects agree: they lie within {margin} of each other."
    if found.agreement is Agreement.UNDECIDED:
        return (
            "Undecided: these data neither show that the two effects differ, nor that they lie "
            f"within {margin} of each other."
        )
    if found.model_effect * found.people_effect < 0:
        return (
            f"The two effects differ: {found.arm} works the other way on {found.who} than on "
            "people."
        )
    how = "more" if abs(found.model_effect) > abs(found.people_effect) else "less"
    return f"The two effects differ: {found.arm} changes {found.who} {how} than people."


def published(found: Sequence[EffectDifference], specs: _Specs) -> Iterator[str]:
    """What the literature found in people, with its source and whether it was found again."""
    for family in dict.fromkeys(one.family for one in found):
        said = specs[family].prediction if family in specs else None
        if said is None or not said.effect:
            continue
        again = said.replication or "not known"
        yield (
            f"{family}, people before: {said.effect}. Source: {said.source}. Found again: {again}."
        )


def body(found: Sequence[EffectDifference], specs: _Specs) -> str:
    """The part of the page, without its heading; empty where no model stands beside people."""
    if not found:
        return ""
    told = [*(sentence_of(one) for one in found), *published(found, specs)]
    caption = "What an arm changes in a model and in people, over the items that both answered"
    return table(caption, HEADS, rows(found, specs)) + "".join(
        tag("p", escape(line), kind="soft") for line in told
    )


def sentence_of(found: EffectDifference) -> str:
    """In a line that needs no table beside it, as on a phone."""
    return f"{effect_lines(found)[0]}. {sentence(found)}"


def rows(found: Sequence[EffectDifference], specs: _Specs) -> list[tuple[str, ...]]:
    """A row under HEADS for each model and arm."""
    return [_row(one, specs) for one in found]


def _row(one: EffectDifference, specs: _Specs) -> tuple[str, ...]:
    spec, measure = specs.get(one.family), one.measure
    task = wording.asked(spec.title if spec else one.family, one.variant)
    interval = wording.points_interval(one.interval, measure)
    return (
        f"{task}, {one.who}",
        f"{one.arm} against {one.baseline}",
        wording.difference(one.model_effect, measure),
        wording.difference(one.people_effect, measure),
        f"{wording.difference(one.difference, measure)} ({interval})",
        one.agreement.value,
    )


def _design(found: EffectDifference) -> str:
    people = wording.counted(found.participants, "person", "people")
    items, groups = wording.counted(found.n, "item"), wording.counted(found.groups, "group")
    return f"{found.design}; {people}, {items} in {groups}"
