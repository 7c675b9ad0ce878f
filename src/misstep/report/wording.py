"""Numbers and sentences of a comparison, the same on the terminal and on every page."""

from __future__ import annotations

import math

from misstep.analyse.comparison import ArmSummary, Comparison, Interval, Verdict
from misstep.core.measures import ACCURACY, Measure
from misstep.core.questions import is_own

NONE = "–"
_ONE = {"points": "point", "passes": "pass"}
_MINUS = "\N{MINUS SIGN}"


def percent(share: float | None, digits: int = 1) -> str:
    return NONE if share is None else f"{100 * share:.{digits}f} %"


def percent_interval(interval: Interval | None) -> str:
    if interval is None:
        return NONE
    return f"{100 * interval.low:.1f}–{100 * interval.high:.1f}"


def signed(number: float, digits: int = 1) -> str:
    """With its sign, a typographic minus, and no sign on what rounds to 0."""
    text = f"{abs(number):.{digits}f}"
    if float(text) == 0:
        return text
    return (_MINUS if number < 0 else "+") + text


def amount(value: float | None, measure: Measure) -> str:
    """A mean of the measure: "77.3 %", or "6.25" passes."""
    if value is None or measure.factor == 100:
        return percent(value)
    return f"{value:.{digits(measure)}f}"


def amount_interval(interval: Interval | None, measure: Measure) -> str:
    if interval is None or measure.factor == 100:
        return percent_interval(interval)
    return f"{interval.low:.{digits(measure)}f}–{interval.high:.{digits(measure)}f}"


def digits(measure: Measure) -> int:
    """Digits of a difference: a tenth of a point, a hundredth of a pass."""
    return 1 if measure.factor == 100 else 2


def difference(effect: float, measure: Measure) -> str:
    """ "+3.1 points", "−0.25 passes"."""
    return f"{signed(effect, digits(measure))} {measure.unit}"


def margin(width: float, measure: Measure) -> str:
    """ "3 points", "1 point", "0.5 passes"."""
    return f"{width:g} {_ONE.get(measure.unit, measure.unit) if width == 1 else measure.unit}"


def size(effect: float, measure: Measure) -> str:
    return f"{abs(effect):.{digits(measure)}f} {measure.unit}"


def points_interval(interval: Interval | None, measure: Measure = ACCURACY) -> str:
    if interval is None:
        return "no interval"
    low, high = (signed(end, digits(measure)) for end in (interval.low, interval.high))
    return f"95 % {low} to {high}"


def p_value(p: float | None) -> str:
    """As the field prints it: "= .013", "< .001"."""
    if p is None:
        return NONE
    if p < 0.0005:
        return "< .001"
    return f"= {p:.3f}".replace("0.", ".") if p < 0.9995 else "= 1"


def count(number: float | None) -> str:
    """A mean of tokens: one digit where it is small."""
    if number is None:
        return NONE
    return f"{number:.1f}" if number < 10 and number != round(number) else f"{number:,.0f}"


def seconds(number: float | None) -> str:
    if number is None:
        return NONE
    return f"{number:.2f}" if number < 0.1 else f"{number:.1f}"


def tokens(summary: ArmSummary) -> str:
    return count(summary.output_tokens)


def counted(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def title(comparison: Comparison) -> str:
    """Whose comparison on what: "grammar, gpt-x", or the arm in which models are compared.

    And the level of the factor, if any.
    """
    who = comparison.who if comparison.baseline_who is None else f"arm {comparison.arm}"
    name = f"{asked(comparison.family, comparison.variant)}, {who}"
    return f"{name}, {level(comparison)}" if comparison.factor else name


def asked(family: str, variant: str) -> str:
    """The family, with the options that made other items than its defaults do."""
    return f"{family} ({variant})" if variant else family


def level(comparison: Comparison) -> str:
    return f"{comparison.factor} = {comparison.level}"


def sizes(comparison: Comparison) -> str:
    items = counted(comparison.n, "item")
    text = f"{items} in {counted(comparison.groups, 'group')}"
    if comparison.repetitions > 1:
        text += f", {comparison.repetitions} repetitions"
    if comparison.participants is not None:
        text += f", {counted(comparison.participants, 'person', 'people')}"
    return text


def effect_line(comparison: Comparison) -> str:
    measure = comparison.measure
    return (
        f"{comparison.one} against {comparison.other}: {difference(comparison.effect, measure)} "
        f"({points_interval(comparison.interval, measure)}), {change_line(comparison)}"
    )


def change_line(comparison: Comparison) -> str:
    relative = comparison.relative_change
    change = "" if relative is None else f"{signed(100 * relative)} % relative; "
    return f"{change}{counted(comparison.lost, 'item')} lost, {comparison.gained:,} gained"


def p_line(comparison: Comparison) -> str:
    """With the paper's own test, where the task is one that the paper knows."""
    paper = ""
    if comparison.paper_p is not None and not is_own(comparison.family):
        paper = f"; the paper's one-sided z: p {p_value(comparison.paper_p)}"
    if comparison.p is None:
        return f"no test{paper}"
    after = adjusted(comparison.p, comparison.p_adjusted)
    return f"p {p_value(comparison.p)} ({comparison.test}, two-sided{after}){paper}"


def looks_line(comparison: Comparison) -> str | None:
    """How far a run that could stop early went; None for any other."""
    if comparison.looks is None or comparison.looks_planned is None:
        return None
    is_stopped = comparison.verdict is not Verdict.UNDECIDED
    word = "stopped" if is_stopped and comparison.looks < comparison.looks_planned else "looked at"
    text = (
        f"interval and p are anytime-valid: {word} after {comparison.looks:,} of "
        f"{counted(comparison.looks_planned, 'group')}"
    )
    if comparison.answers is None or comparison.answers_planned is None:
        return text
    return f"{text}; {comparison.answers:,} of {comparison.answers_planned:,} answers"


def adjusted(p: float | None, p_adjusted: float | None) -> str:
    """Empty where Holm changed nothing."""
    if p is None or p_adjusted is None or math.isclose(p, p_adjusted):
        return ""
    return f"; after Holm {p_value(p_adjusted)}"


def equivalence_line(comparison: Comparison) -> str:
    found = comparison.equivalence
    within = margin(found.margin, comparison.measure)
    if found.smallest_margin is None:
        return f"equivalence within {within}: not to be tested"
    return (
        f"equivalence within {within}: p {p_value(found.p)}; the smallest margin "
        f"this much data could establish: {size(found.smallest_margin, comparison.measure)}"
    )


def left_out_line(comparison: Comparison) -> str | None:
    """The second line, with unanswered replies left out; None where there are none."""
    line, measure = comparison.left_out, comparison.measure
    if line is None:
        return None
    what = "unanswered pair" if comparison.participants is None else "unanswered reply"
    many = None if comparison.participants is None else "unanswered replies"
    return (
        f"without {counted(line.pairs, what, many)}: {difference(line.effect, measure)} "
        f"({points_interval(line.interval, measure)}), p {p_value(line.p)}: {line.verdict}"
    )


def verdict_word(comparison: Comparison) -> str:
    if comparison.is_small:
        small = signed(comparison.effect, digits(comparison.measure))
        return f"{comparison.verdict} (small: {small})"
    return str(comparison.verdict)


def verdict_sentence(comparison: Comparison) -> str:
    arm, baseline = comparison.one, comparison.other
    by = size(comparison.effect, comparison.measure)
    within = margin(comparison.equivalence.margin, comparison.measure)
    return sentence(comparison.verdict, arm, baseline, by, within)


def sentence(verdict: Verdict, arm: str, baseline: str, by: str, within: str) -> str:
    """What the verdict says of the arm; `by` is the size of the effect, `within` the margin."""
    match verdict:
        case Verdict.HURTS:
            return f"{arm} does worse than {baseline} on the same items, by {by}."
        case Verdict.HELPS:
            return f"{arm} does better than {baseline} on the same items, by {by}."
        case Verdict.NO_MEANINGFUL_DIFFERENCE:
            return f"{arm} and {baseline} lie within {within} of each other."
        case Verdict.UNDECIDED:
            return (
                f"These items neither show that {arm} and {baseline} differ, "
                f"nor that they lie within {within} of each other."
            )


def needed_line(comparison: Comparison) -> str | None:
    """What it would take to decide; None unless the verdict is undecided."""
    if comparison.verdict is not Verdict.UNDECIDED:
        return None
    needed = comparison.to_decide
    if comparison.participants is not None:
        return "More people or more items could decide; how many of each cannot be guessed."
    if needed is None:
        return "How many more items would decide cannot be guessed from this data."
    way = (
        "that they differ"
        if needed.by == "difference"
        else f"that they lie within {margin(comparison.equivalence.margin, comparison.measure)}"
    )
    took = "(80 % power) that takes the effect to be as observed"
    if comparison.is_sequential:
        took = "that takes the groups to come to be like those so far"
    return (
        f"About {counted(needed.items, 'more item', 'more items')} "
        f"({counted(needed.groups, 'group')}) would probably decide, by showing {way}: "
        f"a guess {took}."
    )


def ranking_line(comparison: Comparison) -> str | None:
    found = comparison.baseline_summary.ranking
    if found is None:
        return None
    return (
        f"{comparison.other} ranks right answers above wrong ones by their probability in "
        f"{percent(found)} of cases within a group (50 % is chance)"
    )


def baselines_line(comparison: Comparison) -> str | None:
    """Chance and the best constant answer, as far as they are known."""
    parts = []
    if comparison.chance is not None:
        parts.append(f"chance {amount(comparison.chance, comparison.measure)}")
    if comparison.best_constant is not None:
        best = comparison.best_constant
        parts.append(f"always {best.answer!r} {percent(best.accuracy)}")
    return "; ".join(parts) if parts else None
