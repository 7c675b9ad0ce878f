"""Numbers and sentences of a comparison, the same on the terminal and on every page."""

from __future__ import annotations

import math

from misstep.analyse.comparison import ArmSummary, Comparison, Interval, Verdict

NONE = "–"
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


def points_interval(interval: Interval | None) -> str:
    if interval is None:
        return "no interval: a single group"
    return f"95 % {signed(interval.low)} to {signed(interval.high)}"


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
    """Whose comparison on what: "grammar, gpt-x" and the level of the factor, if any."""
    name = f"{asked(comparison.family, comparison.variant)}, {comparison.who}"
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
    return text


def effect_line(comparison: Comparison) -> str:
    return (
        f"{comparison.arm} against {comparison.baseline}: {signed(comparison.effect)} points "
        f"({points_interval(comparison.interval)}), {change_line(comparison)}"
    )


def change_line(comparison: Comparison) -> str:
    relative = comparison.relative_change
    change = "" if relative is None else f"{signed(100 * relative)} % relative; "
    return f"{change}{counted(comparison.lost, 'item')} lost, {comparison.gained:,} gained"


def p_line(comparison: Comparison) -> str:
    adjusted = ""
    if not math.isclose(comparison.p, comparison.p_adjusted):
        adjusted = f"; after Holm {p_value(comparison.p_adjusted)}"
    paper = p_value(comparison.paper_p)
    return (
        f"p {p_value(comparison.p)} ({comparison.test}, two-sided{adjusted}); "
        f"the paper's one-sided z: p {paper}"
    )


def equivalence_line(comparison: Comparison) -> str:
    found = comparison.equivalence
    if found.smallest_margin is None:
        return f"equivalence within {found.margin:g} points: not to be tested with a single group"
    return (
        f"equivalence within {found.margin:g} points: p {p_value(found.p)}; the smallest margin "
        f"this much data could establish: {found.smallest_margin:.1f} points"
    )


def left_out_line(comparison: Comparison) -> str | None:
    """The second line, with unanswered replies left out; None where there are none."""
    line = comparison.left_out
    if line is None:
        return None
    return (
        f"without {counted(line.pairs, 'unanswered pair')}: {signed(line.effect)} points "
        f"({points_interval(line.interval)}), p {p_value(line.p)}: {line.verdict}"
    )


def verdict_word(comparison: Comparison) -> str:
    if comparison.is_small:
        return f"{comparison.verdict} (small: {signed(comparison.effect)})"
    return str(comparison.verdict)


def verdict_sentence(comparison: Comparison) -> str:
    arm, baseline = comparison.arm, comparison.baseline
    size = f"{abs(comparison.effect):.1f} points"
    margin = f"{comparison.equivalence.margin:g} points"
    match comparison.verdict:
        case Verdict.HURTS:
            return f"{arm} does worse than {baseline} on the same items, by {size}."
        case Verdict.HELPS:
            return f"{arm} does better than {baseline} on the same items, by {size}."
        case Verdict.NO_MEANINGFUL_DIFFERENCE:
            return f"{arm} and {baseline} lie within {margin} of each other."
        case Verdict.UNDECIDED:
            return (
                f"These items neither show that {arm} and {baseline} differ, "
                f"nor that they lie within {margin} of each other."
            )


def needed_line(comparison: Comparison) -> str | None:
    """What it would take to decide; None unless the verdict is undecided."""
    if comparison.verdict is not Verdict.UNDECIDED:
        return None
    needed = comparison.to_decide
    if needed is None:
        return "How many more items would decide cannot be guessed from this data."
    way = (
        "that the arms differ"
        if needed.by == "difference"
        else f"that they lie within {comparison.equivalence.margin:g} points"
    )
    return (
        f"About {counted(needed.items, 'more item', 'more items')} "
        f"({counted(needed.groups, 'group')}) would probably decide, by showing {way}: a guess "
        "(80 % power) that takes the effect to be as observed."
    )


def ranking_line(comparison: Comparison) -> str | None:
    found = comparison.baseline_summary.ranking
    if found is None:
        return None
    return (
        f"{comparison.baseline} ranks right answers above wrong ones by their probability in "
        f"{percent(found)} of cases within a group (50 % is chance)"
    )


def baselines_line(comparison: Comparison) -> str | None:
    """Chance and the best constant answer, as far as they are known."""
    parts = []
    if comparison.chance is not None:
        parts.append(f"chance {percent(comparison.chance)}")
    if comparison.best_constant is not None:
        best = comparison.best_constant
        parts.append(f"always {best.answer!r} {percent(best.accuracy)}")
    return "; ".join(parts) if parts else None
