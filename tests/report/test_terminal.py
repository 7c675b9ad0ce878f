"""What a terminal of 80 columns shows."""

from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console

from misstep.analyse import summarise
from misstep.report.page.files import ReportData
from misstep.report.terminal import arm_line, show, show_arms

Data = Callable[..., ReportData]


def shown(data: ReportData, width: int = 80) -> str:
    out = io.StringIO()
    show(data.comparisons, Console(file=out, width=width, color_system=None))
    return out.getvalue()


def flowing(text: str) -> str:
    return " ".join(text.split())


def test_no_line_is_wider_than_eighty_columns(report_data: Data) -> None:
    data = report_data(who="together/some-organisation/A-Very-Long-Model-Name-Instruct-Turbo-405B")
    assert max(map(len, shown(data).splitlines())) <= 80


def test_the_verdict_the_effect_and_both_ps_are_there(report_data: Data) -> None:
    text = flowing(shown(report_data()))
    assert "HURTS: cot does worse than direct on the same items, by 56.2 points." in text
    assert "cot against direct: −56.2 points (95 % " in text
    assert "p = .016 (sign-flip, exact, two-sided); the paper's one-sided z: p < .001" in text
    assert "chance 50.0 %" in text


def test_unanswered_replies_have_a_column_and_a_second_line(report_data: Data) -> None:
    text = flowing(shown(report_data()))
    assert "cot 16 37.5 %" in text
    assert "25.0 % 250 0.9" in text
    assert "without 4 unanswered pairs:" in text


def test_an_undecided_result_says_what_would_decide(report_data: Data) -> None:
    text = flowing(shown(report_data(cot="cc cw cc wc cc cc cc cw")))
    assert "UNDECIDED: These items neither show" in text
    assert "groups) would probably decide" in text
    assert "a guess" in text


def test_a_name_with_brackets_is_not_taken_for_markup(report_data: Data) -> None:
    assert "[bold]model[/bold]" in shown(report_data(who="[bold]model[/bold]"))


def test_an_arm_in_one_line(report_data: Data) -> None:
    data = report_data()
    direct, cot = summarise(data.records, data.specs)
    assert arm_line(direct) == "direct: 15 of 16 right (94 %), 0 unanswered, 0.9 s an answer"
    assert arm_line(cot) == "cot: 6 of 16 right (38 %), 4 unanswered, 0.9 s an answer"


def test_arms_with_nothing_to_compare_make_one_table(report_data: Data) -> None:
    data, out = report_data(), io.StringIO()
    summaries = summarise(data.references, data.specs)
    show_arms(summaries, Console(file=out, width=80, color_system=None))
    assert "direct" in out.getvalue()
    assert "50.0 %" in out.getvalue()
