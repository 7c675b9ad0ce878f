"""The evidence of one section: its figures with their numbers, and its tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from misstep.analyse.breakdown import Factor, LevelArm
from misstep.analyse.comparison import ArmSummary, Comparison, Interval, Learning
from misstep.analyse.pairing import Paired, means, pair
from misstep.core.faults import Faults
from misstep.core.measures import Measure
from misstep.core.outcomes import Outcome
from misstep.report import wording
from misstep.report.figures.dose import dose_exhibits
from misstep.report.figures.exhibits import Cell, Exhibit
from misstep.report.figures.profiles import learning_figure, levels_figure, right_figure
from misstep.report.figures.sections import (
    GroupPair,
    Line,
    arms_figure,
    groups_figure,
    groups_line,
    outcomes_figure,
)
from misstep.report.page import taking
from misstep.report.page.data import Section
from misstep.report.page.markup import tag
from misstep.report.paying import lure_line

Ends = tuple[float | None, float | None]
MOST_ANSWERS = 26
"""Of more answers than letters, each is a text of its own, and no choice of a vocabulary."""
LONGEST_ANSWER = 40
"""Longer texts, such as whole JSON replies, are nothing that was chosen among."""


@dataclass(frozen=True)
class Table:
    """A heading, a caption, and cells as they are printed; the first column names its row."""

    heading: str
    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def exhibits(section: Section, number: int) -> list[Exhibit]:
    """The figures, but for those by factor; `number` is the section's, for the files' names."""
    if not section.arms:
        return []
    name = stem(section, number)
    found = [_means(section, name), _outcomes(section.arms, name)]
    for one in section.comparisons:
        if section.records and one.groups < one.n:
            found.append(_groups(section, one, name))
        if one.learning is not None:
            found += _learning(one, one.learning, name)
    return found + dose_exhibits(section, name)


def factor_exhibits(section: Section, number: int) -> list[Exhibit]:
    """A figure of each factor for each arm beside the baseline; of one arm alone without it."""
    if not section.arms:
        return []
    arms = [arm.arm for arm in section.arms]
    pairs: list[tuple[str, ...]] = [(arms[0], arm) for arm in arms[1:]] or [(arms[0],)]
    return [
        _levels(factor, listed, section.arms[0].measure, stem(section, number))
        for factor in section.factors
        for listed in pairs
    ]


def tables(section: Section) -> list[Table]:
    """Answers and bias, where there are answers to choose from, and what an answer took."""
    if not section.arms:
        return []
    return [*_answers(section), _costs(section.arms, section.faults)]


def stem(section: Section, number: int) -> str:
    """The beginning of its files' names: "1-grammar-embedded-tiny"."""
    subject = section.subject
    return f"{number}-{slug(subject.family)}-{slug(subject.who)}"


def slug(text: str) -> str:
    """Small letters, digits and hyphens, at most 40 of them."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")[:40] or "x"


def reference_lines(section: Section) -> list[Line]:
    """Chance and the best constant answer first, then the reference solvers, best first."""
    lines = []
    chance = section.spec.chance_in(section.subject.variant) if section.spec else None
    if chance is not None:
        lines.append(Line("chance", chance))
    constant = next((one.best_constant for one in section.comparisons), None)
    if constant is not None:
        lines.append(Line(f"always {constant.answer}", constant.accuracy))
    return lines + [
        Line(one.who.removeprefix("ref/"), one.accuracy, is_solver=True)
        for one in section.references
    ]


def group_pairs(paired: Paired) -> list[GroupPair]:
    names: dict[str, list[int]] = {}
    for place, records in enumerate(paired.baseline.values()):
        names.setdefault(records[0].group, []).append(place)
    baseline, arm = (means(side, paired.measure) for side in (paired.baseline, paired.arm))
    return [
        GroupPair(name, float(baseline[places].mean()), float(arm[places].mean()))
        for name, places in names.items()
    ]


def _means(section: Section, name: str) -> Exhibit:
    lines = reference_lines(section)
    rows: list[tuple[Cell, ...]] = [
        (arm.arm, arm.n, arm.accuracy, *_ends(arm.interval)) for arm in section.arms
    ]
    rows += [(line.name, None, line.accuracy, None, None) for line in lines]
    measure = section.arms[0].measure
    below = " Broken lines: what the arms are to be compared with." if lines else ""
    return Exhibit(
        name=f"{name}-{slug(measure.name)}",
        heading=measure.name.capitalize(),
        drawing=arms_figure(section.arms, lines),
        caption=f"Bars are 95 % intervals.{below}",
        heads=("name", "n", measure.name, "low", "high"),
        rows=tuple(rows),
    )


def _outcomes(arms: Sequence[ArmSummary], name: str) -> Exhibit:
    keys = (f'<span class="key o-{outcome}"></span>{outcome}' for outcome in Outcome)
    return Exhibit(
        name=f"{name}-outcomes",
        heading="Outcomes",
        drawing=outcomes_figure(arms),
        caption=_unanswered(arms),
        heads=("outcome", *(arm.arm for arm in arms)),
        rows=tuple(
            (outcome.value, *(arm.outcomes[outcome] for arm in arms)) for outcome in Outcome
        ),
        key=" ".join(tag("span", key, kind="item") for key in keys) + "<br>",
    )


def _unanswered(arms: Iterable[ArmSummary]) -> str:
    parts = (f"{arm.arm} {wording.percent(arm.unanswered)}" for arm in arms)
    return f"Replies without an answer: {', '.join(parts)}."


def _groups(section: Section, one: Comparison, name: str) -> Exhibit:
    """Paired dots by group; where each group is one item, there is nothing to draw."""
    pairs = group_pairs(pair(section.records, one.baseline, one.arm, one.measure))
    return Exhibit(
        name=f"{name}-groups-{slug(one.arm)}",
        heading=f"By group: {one.arm} against {one.baseline}",
        drawing=groups_figure(pairs, one.baseline, one.arm, one.measure),
        caption=f"{groups_line(pairs, one.baseline, one.arm)}.",
        heads=("group", one.baseline, one.arm),
        rows=tuple((each.group, each.baseline, each.arm) for each in pairs),
        key=_key((one.baseline, one.arm)),
    )


def _learning(one: Comparison, learning: Learning, name: str) -> list[Exhibit]:
    """Right answers pass by pass, where the records say, and what has been solved by each pass."""
    found = [_solved(one, learning, name)]
    if learning.baseline.right and learning.arm.right:
        found.insert(0, _right(one, learning, name))
    return found


def _right(one: Comparison, learning: Learning, name: str) -> Exhibit:
    curves = zip(learning.baseline.right, learning.arm.right, strict=True)
    size = learning.baseline.pass_size
    lured = lure_line(one)
    return Exhibit(
        name=f"{name}-right-{slug(one.arm)}",
        heading=f"Right answers by pass: {one.arm} against {one.baseline}",
        drawing=right_figure(learning, one.baseline, one.arm),
        caption=f"Mean right answers of {size or 'each pass'}; a list that is solved stays right."
        + (f" {lured[0].upper()}{lured[1:]}." if lured else ""),
        heads=("pass", one.baseline, one.arm),
        rows=tuple((at, first, second) for at, (first, second) in enumerate(curves, 1)),
        key=_key((one.baseline, one.arm)),
    )


def _solved(one: Comparison, learning: Learning, name: str) -> Exhibit:
    curves = zip(learning.baseline.curve, learning.arm.curve, strict=True)
    return Exhibit(
        name=f"{name}-learning-{slug(one.arm)}",
        heading=f"Learning curves: {one.arm} against {one.baseline}",
        drawing=learning_figure(learning, one.baseline, one.arm),
        caption="The share that has solved by each pass.",
        heads=("pass", one.baseline, one.arm),
        rows=tuple((at, first, second) for at, (first, second) in enumerate(curves, 1)),
        key=_key((one.baseline, one.arm)),
    )


def _levels(factor: Factor, arms: tuple[str, ...], measure: Measure, name: str) -> Exhibit:
    shown = [one for level in factor.levels for one in level.arms if one.arm in arms]
    lacking = "; a level with a single group of items has none"
    heads = ["level", "arm", "n", measure.name, "low", "high"]
    heads += [f"effect, {measure.unit}", "effect low", "effect high"]
    return Exhibit(
        name=f"{name}-by-{slug(factor.name)}-{slug(arms[-1])}",
        heading=f"By {factor.name}" + (f": {arms[1]} against {arms[0]}" if arms[1:] else ""),
        drawing=levels_figure(factor, arms, measure),
        caption="Bars are 95 % intervals"
        + (lacking if any(one.interval is None for one in shown) else "")
        + ".",
        heads=tuple(heads),
        rows=tuple(
            (level.name, *_level_row(one))
            for level in factor.levels
            for one in level.arms
            if one.arm in arms
        ),
        key=_key(arms),
    )


def _level_row(one: LevelArm) -> tuple[Cell, ...]:
    effect = (one.effect, *_ends(one.effect_interval))
    return (one.arm, one.n, one.mean, *_ends(one.interval), *effect)


def _ends(interval: Interval | None) -> Ends:
    return (None, None) if interval is None else (interval.low, interval.high)


def _key(arms: Sequence[str]) -> str:
    """Which mark is whose."""
    marks = zip(("dot", "box"), arms, strict=False)
    keys = (
        f'<span class="item"><span class="key {mark}"></span>{escape(arm)}</span>'
        for mark, arm in marks
    )
    return " ".join(keys) + "<br>"


def _answers(section: Section) -> list[Table]:
    """What was answered, against what was true; the bias where there are two answers."""
    answers, arms = section.answers, section.arms
    if arms[0].measure.is_capped:
        return []
    truths = Counter({record.item: record.truth for record in section.records}.values())
    if not 0 < len(answers) <= MOST_ANSWERS or not truths or None in truths:
        return []
    if max(map(len, answers)) > LONGEST_ANSWER:
        return []
    rows = [
        (
            name,
            wording.percent(truths[name] / truths.total()),
            *(wording.percent(arm.answers.get(name, 0.0) if arm.answers else None) for arm in arms),
        )
        for name in answers
    ]
    if len(answers) == 2:
        biases = (wording.NONE if arm.bias is None else wording.signed(arm.bias) for arm in arms)
        rows.append((f"bias to {answers[0]}, points", wording.NONE, *biases))
    caption = "Share of each answer, of the replies that were read"
    if len(answers) == 2 and (told := _detection(answers, arms)):
        rows += told
        caption += f"; d′ 0: nothing is told apart; c above 0: leans to {answers[1]}"
    heads = ("answer", "truth", *(arm.arm for arm in arms))
    return [Table("Answers and bias", caption, heads, tuple(rows))]


def _detection(answers: Sequence[str], arms: Sequence[ArmSummary]) -> list[tuple[str, ...]]:
    """Bias and the telling apart as signal detection has them, where every arm has them."""
    found = [arm.detection for arm in arms if arm.detection is not None]
    if len(found) < len(arms):
        return []
    no_truth = wording.NONE
    return [
        (f"{answers[0]} if true", no_truth, *(wording.percent(one.hit_rate) for one in found)),
        (
            f"{answers[0]} if not",
            no_truth,
            *(wording.percent(one.false_alarm_rate) for one in found),
        ),
        ("d′", no_truth, *(wording.signed(one.d_prime, 2) for one in found)),
        ("c", no_truth, *(wording.signed(one.criterion, 2) for one in found)),
    ]


def _costs(arms: Sequence[ArmSummary], faults: Faults) -> Table:
    heads = ("mean over a reply", *(arm.arm for arm in arms))
    caption = "; ".join(["Tokens, time and cost of each arm", *taking.failed(faults)])
    return Table("What an answer took", caption, heads, tuple(taking.rows(arms)))
