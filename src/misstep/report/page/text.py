"""The report as Markdown, LaTeX or CSV: tables and verdicts, no figures."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from misstep.analyse.breakdown import Factor, LevelArm
from misstep.analyse.comparison import ArmSummary, Comparison
from misstep.analyse.effects import effect_differences
from misstep.core.measures import Measure
from misstep.core.outcomes import Outcome
from misstep.report import wording
from misstep.report.lines import lines
from misstep.report.many import people
from misstep.report.page import arm_claims, frozen, summary, taking
from misstep.report.page.data import ReportData, RunFacts, Section, sections
from misstep.report.page.evidence import reference_lines, tables

_HEADS = ("arm", "n", "mean", "95 %", *Outcome, "tokens out", "seconds")
_ARM_HEADS = ("task", "model", "arm", "n", "mean", "95 %", "no answer", "tokens", "s", "cost")
_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\N{MINUS SIGN}": "$-$",
    "–": "--",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def markdown(data: ReportData) -> str:
    """The page's words and numbers; figures and replies are the page's alone."""
    compared = [one for one in data.comparisons if one.factor is None]
    parts = ["# Does thinking help?", _md(summary.lead(compared))]
    if compared:
        parts.append(_md_table(summary.HEADS, (summary.cells(one, data.specs) for one in compared)))
    parts.extend(_md_people(data))
    for section in sections(data):
        parts.extend(_md_section(section))
    if data.frozen is not None:
        parts += [f"## {frozen.TITLE}", _md(frozen.lead(data.frozen))]
        parts += ["\n".join(f"- {_md(line)}" for line in data.frozen.departures)]
    if data.facts:
        parts.append("## What ran")
        parts.extend(_md_facts(run) for run in data.facts)
    return "\n\n".join(parts) + "\n"


def latex(data: ReportData) -> str:
    """Tables (booktabs) to be input by a paper: a row for each comparison, for each arm, and for
    each model's effect beside that on people, where there are any."""
    units = "/".join(dict.fromkeys(one.unit for one in data.comparisons)) or "points"
    heads = ("task", "model", "arm", "n", "baseline", "arm", units, "95 %", "p", "verdict")
    compared = _tex_table("lllrrrrrrl", heads, map(_tex_cells, data.comparisons))
    rows = [_tex_arm(arm) for section in sections(data) for arm in section.arms]
    arms = _tex_table("lllrrrrrrr", _ARM_HEADS, rows)
    both = _tex_people(data)
    return "\n".join([r"% needs \usepackage{booktabs}", *compared, "", *arms, *both]) + "\n"


def comma_separated(data: ReportData) -> str:
    """A row for each comparison; the columns are the keys of docs/compare.md, flattened."""
    out = io.StringIO()
    rows = [_csv_row(one) for one in data.comparisons]
    names = list(rows[0]) if rows else ["family", "version", "who", "arm", "baseline"]
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _md(text: str) -> str:
    """Plain text that no renderer takes for markup or for another cell."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", " ".join(text.split()))


def _md_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(cell if cell == "---" else _md(cell) for cell in line) + " |"
        for line in lines
    )


def _md_people(data: ReportData) -> Iterator[str]:
    """The effect on models beside that on people, where both answered."""
    found = effect_differences(data.records, data.specs)
    if found:
        yield f"## {people.TITLE}"
        yield _md_table(people.HEADS, people.rows(found, data.specs))
        said = (*map(people.sentence_of, found), *people.published(found, data.specs))
        yield "\n".join(f"- {_md(line)}" for line in said)


def _md_section(section: Section) -> Iterator[str]:
    yield f"## {_md(section.title)}"
    yield from (_md_comparison(one) for one in (*section.comparisons, *section.levels))
    if not section.arms:
        return
    yield _md_table(_HEADS, _arm_rows(section))
    measure = section.arms[0].measure
    compared = [
        (one.name, wording.amount(one.accuracy, measure)) for one in reference_lines(section)
    ]
    if compared:
        yield _md_table(("to compare with", "mean"), compared)
    for one in tables(section):
        yield from (f"### {_md(one.heading)}", _md_table(one.heads, one.rows))
    for factor in section.factors:
        yield from (f"### By {_md(factor.name)}", _md_factor(factor, measure))
    if section.claims.is_told:
        yield f"### {_md(arm_claims.HEADING)}"
        yield "\n".join(f"- {_md(line)}" for line in arm_claims.sentences(section.claims))
        yield _md_table(arm_claims.HEADS, arm_claims.rows(section.claims))


def _md_factor(factor: Factor, measure: Measure) -> str:
    heads = ("level", "arm", "n", "mean", "95 %", f"effect, {measure.unit}")
    rows = [
        (level.name, one.arm, f"{one.n:,}", *_md_level(one, measure))
        for level in factor.levels
        for one in level.arms
    ]
    return _md_table(heads, rows)


def _md_level(one: LevelArm, measure: Measure) -> tuple[str, ...]:
    mean = wording.amount(one.mean, measure)
    interval = wording.amount_interval(one.interval, measure)
    if one.effect is None:
        return mean, interval, wording.NONE
    effect = wording.signed(one.effect, wording.digits(measure))
    return mean, interval, f"{effect} ({wording.points_interval(one.effect_interval, measure)})"


def _md_comparison(one: Comparison) -> str:
    level = f" ({_md(wording.level(one))})" if one.factor else ""
    head = f"**{_md(wording.verdict_word(one))}**{level}: {_md(wording.verdict_sentence(one))}"
    said = (wording.effect_line(one), *lines(one), *one.warnings)
    return head + "\n\n" + "\n".join(f"- {_md(line)}" for line in said)


def _arm_rows(section: Section) -> list[tuple[str, ...]]:
    return [
        (
            arm.arm,
            f"{arm.n:,}",
            wording.amount(arm.accuracy, arm.measure),
            wording.amount_interval(arm.interval, arm.measure),
            *(wording.percent(arm.outcomes[outcome]) for outcome in Outcome),
            wording.count(arm.output_tokens),
            wording.seconds(arm.seconds),
        )
        for arm in section.arms
    ]


def _md_facts(run: RunFacts) -> str:
    return f"### {_md(run.title)}\n\n" + _md_table(("setting", "value"), run.facts)


def _tex_cells(one: Comparison) -> tuple[str, ...]:
    task = f"{one.family} ({wording.level(one)})" if one.factor else one.family
    interval = one.interval
    reach = (
        wording.points_interval(interval, one.measure).removeprefix("95 % ")
        if interval
        else wording.NONE
    )
    return (
        task,
        one.who,
        one.arm,
        f"{one.n:,}",
        wording.amount(one.baseline_summary.accuracy, one.measure),
        wording.amount(one.arm_summary.accuracy, one.measure),
        wording.signed(one.effect, wording.digits(one.measure)),
        reach,
        wording.p_value(one.p_adjusted).removeprefix("= "),
        wording.verdict_word(one),
    )


def _tex_arm(arm: ArmSummary) -> tuple[str, ...]:
    return (
        wording.asked(arm.family, arm.variant),
        arm.who,
        arm.arm,
        f"{arm.n:,}",
        wording.amount(arm.accuracy, arm.measure),
        wording.amount_interval(arm.interval, arm.measure),
        wording.percent(arm.unanswered),
        wording.count(arm.output_tokens),
        wording.seconds(arm.seconds),
        taking.money(arm.cost),
    )


def _tex_people(data: ReportData) -> list[str]:
    found = effect_differences(data.records, data.specs)
    made = _tex_table("llrrrl", people.HEADS, people.rows(found, data.specs))
    return ["", *made] if found else []


def _tex_table(columns: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    begun = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _tex_row(heads), r"\midrule"]
    return [*begun, *map(_tex_row, rows), r"\bottomrule", r"\end{tabular}"]


def _tex_row(cells: Sequence[str]) -> str:
    escaped = ("".join(_TEX.get(sign, sign) for sign in cell) for cell in cells)
    return " & ".join(escaped) + r" \\"


def _csv_row(one: Comparison) -> dict[str, object]:
    return {
        "family": one.family,
        "version": one.version,
        "variant": one.variant,
        "who": one.who,
        "baseline": one.baseline,
        "arm": one.arm,
        "factor": one.factor,
        "level": one.level,
        "n": one.n,
        "groups": one.groups,
        "repetitions": one.repetitions,
        "baseline_accuracy": one.baseline_summary.accuracy,
        "arm_accuracy": one.arm_summary.accuracy,
        "unit": one.unit,
        "effect": one.effect,
        "interval_low": one.interval.low if one.interval else None,
        "interval_high": one.interval.high if one.interval else None,
        "relative_change": one.relative_change,
        "test": one.test,
        "p": one.p,
        "p_adjusted": one.p_adjusted,
        "paper_p": one.paper_p,
        "margin": one.equivalence.margin,
        "equivalence_p": one.equivalence.p,
        "smallest_margin": one.equivalence.smallest_margin,
        "verdict": str(one.verdict),
        "lost": one.lost,
        "gained": one.gained,
        **{f"baseline_{name}": share for name, share in one.baseline_summary.outcomes.items()},
        **{f"arm_{name}": share for name, share in one.arm_summary.outcomes.items()},
        "baseline_output_tokens": one.baseline_summary.output_tokens,
        "arm_output_tokens": one.arm_summary.output_tokens,
        "baseline_seconds": one.baseline_summary.seconds,
        "arm_seconds": one.arm_summary.seconds,
        "baseline_cost": one.baseline_summary.cost,
        "arm_cost": one.arm_summary.cost,
        "warnings": " ".join(one.warnings),
    }
