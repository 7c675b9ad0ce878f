"""Comparisons from labels, on a terminal: the difference, and nothing that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from misstep.analyse.comparison import Needed, OneSided, Verdict
from misstep.analyse.labels.agreement import Agreement
from misstep.analyse.labels.nouns import ArmUse, Extreme, Found, LabelledComparison
from misstep.analyse.plain import plain
from misstep.core.measures import ACCURACY
from misstep.report import paying, wording

SCHEMA = 1
_NAMED = 10
"""So many items in conflict are named; the JSON has them all."""
_STYLES = {
    Verdict.HURTS: "bold red",
    Verdict.HELPS: "bold green",
    Verdict.NO_MEANINGFUL_DIFFERENCE: "bold",
    Verdict.UNDECIDED: "bold yellow",
}


def to_json(
    found: Iterable[LabelledComparison], agreements: Iterable[Agreement]
) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "labelled": [plain(one) for one in found],
        "agreements": [plain(one) for one in agreements],
    }


def show(
    found: Iterable[LabelledComparison], agreements: Iterable[Agreement], console: Console
) -> None:
    for one in found:
        console.print()
        items, groups = wording.counted(one.n, "item"), wording.counted(one.groups, "group")
        title = f"{wording.asked(one.family, one.variant)}, {one.who}: {items} in {groups}"
        console.print(Text(title, style="bold"))
        console.print(_table((one.baseline_use, one.arm_use)))
        if one.found is not None:
            word = Text(_word(one.found).upper(), style=_STYLES[one.found.verdict])
            said = Text.assemble(word, f": {_sentence(one, one.found)}")
            console.print(Padding(said, (0, 0, 0, 2)))
        for line in lines(one):
            console.print(Padding(Text(line), (0, 0, 0, 2)))
    for agreement in agreements:
        console.print()
        console.print(Padding(Text(agreement_line(agreement)), (0, 0, 0, 2)))


def lines(one: LabelledComparison) -> list[str]:
    """What is known of one comparison, a sentence each, without the verdict itself."""
    return [*_found_lines(one), *_missing_lines(one), *_label_lines(one), *_warned(one)]


def arm_line(use: ArmUse) -> str:
    """ "direct: 40 replies, 2 without an answer, 0.9 s an answer": all that is known yet."""
    unanswered = round(use.unanswered * use.replies)
    text = f"{use.arm}: {wording.counted(use.replies, 'reply', 'replies')}, {unanswered} without an"
    seconds = "" if use.seconds is None else f", {wording.seconds(use.seconds)} s an answer"
    return f"{text} answer{seconds}; not scored yet"


def agreement_line(one: Agreement) -> str:
    """ "anna and ben agree on 9 of 10 (Cohen's kappa .81); they differ on: q3"."""
    told = "not defined" if one.kappa is None else f"{one.kappa:.2f}".replace("0.", ".", 1)
    text = (
        f"{one.first} and {one.second} say the same of {one.same:,} of "
        f"{wording.counted(one.both, 'disagreement')} that both labelled (Cohen's kappa {told})"
    )
    return f"{text}; they differ on: {_named(one.conflicts)}" if one.conflicts else text


def _table(uses: Iterable[ArmUse]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("arm", overflow="fold", min_width=6)
    for heading in ("replies", "no answer", "tokens", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for use in uses:
        table.add_row(
            Text(use.arm),
            f"{use.replies:,}",
            wording.percent(use.unanswered),
            wording.count(use.output_tokens),
            wording.seconds(use.seconds),
        )
    return table


def _found_lines(one: LabelledComparison) -> Iterator[str]:
    found = one.found
    if found is None:
        return
    effect = wording.difference(found.effect, ACCURACY)
    interval = wording.points_interval(found.interval)
    yield f"{one.arm} against {one.baseline}: {effect} ({interval}); {_counts(one)}"
    if found.p is None:
        yield "no test"
    else:
        after = wording.adjusted(found.p, found.p_adjusted)
        yield f"p {wording.p_value(found.p)} ({found.test}, two-sided{after})"
    yield _equivalence(found)
    yield from _at_most(one, found)
    if one.answered is not None:
        yield _answered(one.answered)
    if found.verdict is Verdict.UNDECIDED:
        yield _needed(found.to_decide)


def _counts(one: LabelledComparison) -> str:
    return f"{wording.counted(one.lost, 'item')} lost, {one.gained:,} gained"


def _equivalence(found: Found) -> str:
    within = wording.margin(found.equivalence.margin, ACCURACY)
    if found.equivalence.smallest_margin is None:
        return f"equivalence within {within}: not to be tested"
    smallest = wording.size(found.equivalence.smallest_margin, ACCURACY)
    return (
        f"equivalence within {within}: p {wording.p_value(found.equivalence.p)}; the smallest "
        f"margin this much data could establish: {smallest}"
    )


def _at_most(one: LabelledComparison, found: Found) -> Iterator[str]:
    claims = found.non_inferiority
    if claims is None:
        return
    margin = wording.margin(claims.margin, ACCURACY)
    sides = ((claims.baseline, one.baseline, one.arm), (claims.arm, one.arm, one.baseline))
    for claim, this, that in sides:
        yield f"{this} is at most {margin} worse than {that}: {_shown(claim)}"


def _shown(claim: OneSided) -> str:
    if claim.p is None:
        return "not to be tested"
    after = wording.adjusted(claim.p, claim.p_adjusted)
    word = "shown" if claim.is_shown else "not shown"
    reach = paying.bound(claim.bound, ACCURACY)
    return f"{word} (p {wording.p_value(claim.p)}, one-sided{after}; 95 %: {reach})"


def _answered(found: Found) -> str:
    effect = wording.difference(found.effect, ACCURACY)
    interval = wording.points_interval(found.interval)
    return (
        f"without the pairs of which a reply holds no answer: {effect} ({interval}), "
        f"p {wording.p_value(found.p)}: {found.verdict}"
    )


def _needed(needed: Needed | None) -> str:
    if needed is None:
        return "How many more items would decide cannot be guessed from this data."
    more = wording.counted(needed.items, "more item", "more items")
    return (
        f"About {more} would probably decide: a guess (80 % power) that takes the effect to be as "
        "observed."
    )


def _missing_lines(one: LabelledComparison) -> Iterator[str]:
    """What the labels that are missing could still lead to."""
    if one.lowest is None or one.highest is None:
        return
    yield (
        f"No verdict yet: {one.missing:,} of "
        f"{wording.counted(one.pairs - one.agreeing, 'disagreement')} without a label to go by "
        "(misstep label RUN)."
    )
    low, high = (wording.signed(end.effect) for end in (one.lowest, one.highest))
    yield (
        f"{one.arm} against {one.baseline}, so far: {_counts(one)}; whatever the other labels "
        f"say, the difference comes to between {low} and {high} points"
    )
    yield f"p at these ends: {_p(one.lowest)} and {_p(one.highest)}"


def _p(end: Extreme) -> str:
    return wording.p_value(end.p).removeprefix("= ")


def _label_lines(one: LabelledComparison) -> Iterator[str]:
    agree = f"the arms answer alike in {one.agreeing:,} of {wording.counted(one.pairs, 'pair')}"
    others = one.pairs - one.agreeing
    yield f"{agree}; of the other {others:,}, {one.labelled:,} have a label to go by"
    if one.left_out:
        yield f"{wording.counted(one.left_out, 'pair')} left out: nobody could say what is right"
    if one.conflicts:
        yield (
            f"labels in conflict, which count as missing: {_named(one.conflicts)} "
            "(misstep label RUN --conflicts shows them again; --labeller NAME goes by one person)"
        )
    yield "How often either arm is right is not known: where they answer alike, nobody has looked."


def _warned(one: LabelledComparison) -> Iterator[str]:
    return (f"! {warning}" for warning in one.warnings)


def _named(items: tuple[str, ...]) -> str:
    shown = ", ".join(items[:_NAMED])
    return f"{shown} and {len(items) - _NAMED} more" if len(items) > _NAMED else shown


def _word(found: Found) -> str:
    if found.is_small:
        return f"{found.verdict} (small: {wording.signed(found.effect)})"
    return str(found.verdict)


def _sentence(one: LabelledComparison, found: Found) -> str:
    by = wording.size(found.effect, ACCURACY)
    within = wording.margin(found.equivalence.margin, ACCURACY)
    return wording.sentence(found.verdict, one.arm, one.baseline, by, within)
