"""The evidence of one section of the page: figures and tables of a model's arms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from misstep.analyse.comparison import ArmSummary, Comparison
from misstep.analyse.pairing import Paired, means, pair
from misstep.core.outcomes import Outcome
from misstep.report import wording
from misstep.report.data import Section
from misstep.report.figures import (
    GroupPair,
    Line,
    arms_figure,
    groups_figure,
    groups_line,
    outcomes_figure,
)
from misstep.report.markup import table, tag


def evidence(section: Section) -> str:
    figures = [
        _figure(
            "Accuracy",
            arms_figure(section.arms, reference_lines(section)),
            "Bars are 95 % intervals. Broken lines: what the arms are to be compared with.",
        ),
        _figure(
            "Outcomes", outcomes_figure(section.arms), _outcome_key(), _outcome_table(section.arms)
        ),
        *(_groups(section, one) for one in section.comparisons),
        _answer_table(section),
        _cost_table(section.arms),
        _ranking(section),
    ]
    return tag("div", "".join(figures), kind="figures")


def reference_lines(section: Section) -> list[Line]:
    """Chance and the best constant answer first, then the reference solvers, best first."""
    lines = []
    if section.spec is not None:
        lines.append(Line("chance", section.spec.chance))
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
    baseline, arm = means(paired.baseline), means(paired.arm)
    return [
        GroupPair(name, float(baseline[places].mean()), float(arm[places].mean()))
        for name, places in names.items()
    ]


def _figure(heading: str, figure: str, caption: str, below: str = "") -> str:
    return tag("figure", tag("h3", heading) + figure + tag("figcaption", caption) + below)


def _groups(section: Section, one: Comparison) -> str:
    """Paired dots by group; where each group is one item, there is nothing to draw."""
    if one.groups == one.n or not section.records:
        return ""
    pairs = group_pairs(pair(section.records, one.baseline, one.arm))
    key = (
        f'<span class="item"><span class="key dot"></span>{escape(one.baseline)}</span> '
        f'<span class="item"><span class="key box"></span>{escape(one.arm)}</span><br>'
        + escape(groups_line(pairs, one.baseline, one.arm))
    )
    heading = escape(f"By group: {one.arm} against {one.baseline}")
    return _figure(heading, groups_figure(pairs, one.baseline, one.arm), f"{key}.")


def _outcome_key() -> str:
    keys = (f'<span class="key o-{outcome}"></span>{outcome}' for outcome in Outcome)
    return " ".join(tag("span", key, kind="item") for key in keys)


def _outcome_table(arms: Sequence[ArmSummary]) -> str:
    rows = [
        (outcome.value, *(wording.percent(arm.outcomes[outcome]) for arm in arms))
        for outcome in Outcome
    ]
    heads = ("outcome", *(arm.arm for arm in arms))
    return table("Share of each outcome, of all replies", heads, rows)


def _answer_table(section: Section) -> str:
    """What was answered, against what was true; the bias where there are two answers."""
    answers, arms = section.answers, section.arms
    truths = Counter({record.item: record.truth for record in section.records}.values())
    if not answers or not truths or None in truths:
        return ""
    rows = [
        (
            name,
            wording.percent(truths[name] / truths.total()),
            *(wording.percent(arm.answers.get(name, 0.0)) for arm in arms),
        )
        for name in answers
    ]
    if len(answers) == 2:
        biases = (wording.NONE if arm.bias is None else wording.signed(arm.bias) for arm in arms)
        rows.append((f"bias to {answers[0]}, points", wording.NONE, *biases))
    caption = "Share of each answer, of the replies that were read"
    heads = ("answer", "truth", *(arm.arm for arm in arms))
    return tag("div", tag("h3", "Answers and bias") + table(caption, heads, rows))


def _cost_table(arms: Sequence[ArmSummary]) -> str:
    rows = [
        ("replies", *(f"{arm.n * arm.repetitions:,}" for arm in arms)),
        ("tokens in", *(wording.count(arm.input_tokens) for arm in arms)),
        ("tokens out", *(wording.count(arm.output_tokens) for arm in arms)),
        ("thinking tokens", *(wording.count(arm.reasoning_tokens) for arm in arms)),
        ("seconds", *(wording.seconds(arm.seconds) for arm in arms)),
        ("cost", *(wording.NONE if arm.cost is None else f"{arm.cost:.4g}" for arm in arms)),
    ]
    heads = ("mean over a reply", *(arm.arm for arm in arms))
    made = table("Tokens, time and cost of each arm", heads, rows)
    return tag("div", tag("h3", "What an answer took") + made)


def _ranking(section: Section) -> str:
    found = section.arms[0].ranking if section.arms else None
    if found is None:
        return ""
    arm = escape(section.arms[0].arm)
    said = (
        f"{arm}: {wording.percent(found)}. The mean area under the curve within a group, of the "
        "log-probabilities of the answers; 50 % is chance. It sees more than the answers "
        "themselves, such as knowledge behind a bias to one answer."
    )
    return tag("div", tag("h3", "Ranking measure") + tag("p", said))
