"""The report as Markdown, LaTeX or CSV: tables and verdicts, no figures."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from misstep.analyse.comparison import Comparison
from misstep.core.outcomes import Outcome
from misstep.report import wording
from misstep.report.data import ReportData, RunFacts, Section, sections
from misstep.report.evidence import reference_lines

_HEADS = ("arm", "n", "accuracy", "95 %", *Outcome, "tokens out", "seconds")
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
    parts = ["# Does thinking help?"]
    for section in sections(data):
        parts.append(f"## {_md(section.title)}")
        parts.extend(_md_comparison(one) for one in (*section.comparisons, *section.levels))
        parts.append(_md_table(_HEADS, _arm_rows(section)))
        lines = reference_lines(section)
        if lines:
            rows = [(line.name, wording.percent(line.accuracy)) for line in lines]
            parts.append(_md_table(("to compare with", "accuracy"), rows))
    if data.facts:
        parts.append("## What ran")
        parts.extend(_md_facts(run) for run in data.facts)
    return "\n\n".join(parts) + "\n"


def latex(data: ReportData) -> str:
    """One table (booktabs) with a row for each comparison, to be input by a paper."""
    heads = ("task", "model", "arm", "n", "baseline", "arm", "points", "95 %", "p", "verdict")
    lines = [r"% needs \usepackage{booktabs}", r"\begin{tabular}{lllrrrrrrl}", r"\toprule"]
    lines += [_tex_row(heads), r"\midrule"]
    lines += [_tex_row(_tex_cells(one)) for one in data.comparisons]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


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


def _md_comparison(one: Comparison) -> str:
    level = f" ({_md(wording.level(one))})" if one.factor else ""
    said = (
        f"**{_md(wording.verdict_word(one))}**{level}: {_md(wording.verdict_sentence(one))}",
        *(
            f"- {_md(line)}"
            for line in (
                wording.effect_line(one),
                wording.p_line(one),
                wording.equivalence_line(one),
                wording.left_out_line(one),
                wording.needed_line(one),
                *one.warnings,
            )
            if line is not None
        ),
    )
    return said[0] + "\n\n" + "\n".join(said[1:])


def _arm_rows(section: Section) -> list[tuple[str, ...]]:
    return [
        (
            arm.arm,
            f"{arm.n:,}",
            wording.percent(arm.accuracy),
            wording.percent_interval(arm.interval),
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
        f"{wording.signed(interval.low)} to {wording.signed(interval.high)}"
        if interval
        else wording.NONE
    )
    return (
        task,
        one.who,
        one.arm,
        f"{one.n:,}",
        wording.percent(one.baseline_summary.accuracy),
        wording.percent(one.arm_summary.accuracy),
        wording.signed(one.effect),
        reach,
        wording.p_value(one.p_adjusted).removeprefix("= "),
        wording.verdict_word(one),
    )


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
        "warnings": " ".join(one.warnings),
    }
