"""Doses of thinking and predictions, as they are shown."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from misstep.analyse import compare
from misstep.analyse.dose import Curve, curves
from misstep.analyse.predictions import Predicted, predicted
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.report.figures import dose as dose_figure
from misstep.report.figures.drawing import inline
from misstep.report.figures.exhibits import markup, write_files
from misstep.report.many import dose, predictions
from misstep.report.page.files import ReportData
from misstep.report.page.html import page


def _records(who: str = "lab/<model>") -> Iterable[Record]:
    for arm, right, tokens in (
        ("direct", 25, 0),
        ("think:low", 45, 300),
        ("think:high", 20, 4000),
        ("think:medium", 30, None),
    ):
        for at in range(60):
            is_right = at < right
            yield Record(
                "grammar", 1, who, f"i{at}", f"g{at}", arm, 1,
                Outcome.CORRECT if is_right else Outcome.WRONG, float(is_right),
                reasoning_tokens=tokens,
                thinking=arm.removeprefix("think:") if arm != "direct" else None,
            )  # fmt: skip


@pytest.fixture
def curve() -> Curve:
    (found,) = curves(_records(), {})
    return found


@pytest.fixture
def found(report_data: Callable[..., ReportData]) -> Predicted:
    data = report_data(who="lab/<model>")
    made = predicted(data.comparisons, data.specs)
    assert made is not None
    return made


def printed(show: Callable[[Console], None]) -> str:
    out = io.StringIO()
    show(Console(file=out, width=80))
    return out.getvalue()


def test_the_doses_are_printed_with_the_peak_in_words(curve: Curve) -> None:
    text = printed(lambda console: dose.show([curve], console))
    assert max(map(len, text.splitlines())) <= 80
    said = " ".join(text.split())
    assert "The peak is inside: think:low is shown to be better than" in said
    assert "think:low against direct: +33.3 points" in said
    assert "Nothing is known of how much these thought" in said
    assert text.count("think:low against direct") == 1


def test_the_curve_is_drawn_with_its_numbers_and_saved(curve: Curve, tmp_path: Path) -> None:
    one = dose_figure.exhibit(curve, "dose")
    svg = ElementTree.fromstring(inline(one.drawing))  # noqa: S314 our own
    assert "think:high, 4,000 tokens: 33.3 %" in svg.get("aria-label", "")
    says = [title.text for title in svg.iter("title")]
    assert says == [
        "direct: 41.7 % at 0 tokens",
        "think:low: 75.0 % at 300 tokens",
        "think:high: 33.3 % at 4,000 tokens",
    ]
    assert "lab/<model>" not in markup(one)
    write_files(tmp_path, [one])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "dose.csv").read_text())))
    assert [row["thinking tokens"] for row in rows] == ["0.0", "300.0", "4000.0"]
    assert rows[0]["against the lowest"] == ""


def test_doses_stand_by_powers_of_ten_with_nothing_at_the_left() -> None:
    assert dose_figure.place(0) == 0
    assert dose_figure.place(99_999) == pytest.approx(5)


def test_doses_as_json_hold_numbers_only(curve: Curve) -> None:
    plain = json.loads(json.dumps(dose.to_json([curve]), allow_nan=False))
    (one,) = plain["doses"]
    assert one["peak"] == "inside"
    assert one["doses"][0]["against_lowest"] is None
    assert [end["other"] for end in one["ends"]] == ["direct", "think:high"]


def test_predictions_are_printed_beside_their_verdicts(found: Predicted) -> None:
    text = printed(lambda console: predictions.show(found, console))
    assert max(map(len, text.splitlines())) <= 80
    said = " ".join(text.split())
    assert "As predicted: 1 of 1 verdict (100.0 %; one family, so no interval)" in said
    assert "always saying 'hurts' would be right 100.0 % of the time; 0 undecided." in said


def test_no_prediction_is_said() -> None:
    said = printed(lambda console: predictions.show(None, console))
    assert said == "No comparison here is one that a family predicts.\n"
    assert predictions.predictions_body(None) == ""
    assert predictions.to_json(None) == {"predictions": None}


def test_the_part_of_the_page_escapes_names_and_is_whole(found: Predicted) -> None:
    body = predictions.predictions_body(found)
    assert "lab/<model>" not in body
    assert "lab/&lt;model&gt;" in body
    assert "<svg" not in body


def test_predictions_are_drawn_from_two_verdicts_up(
    report_data: Callable[..., ReportData], found: Predicted
) -> None:
    assert predictions.exhibits(found) == []
    data = report_data(who="lab/a")
    (one,) = data.comparisons
    both = predicted([one, dataclasses.replace(one, who="lab/b")], data.specs)
    (drawn,) = predictions.exhibits(both)
    assert "lab/b 100.0 %, base rate 100.0 %; all 100.0 %" in drawn.drawing.label
    assert [row[0] for row in drawn.rows] == ["lab/a", "lab/b", "all"]
    assert both is not None
    assert "<svg" in predictions.predictions_body(both)


def test_the_curve_stands_on_the_page() -> None:
    records = list(_records())
    data = ReportData(comparisons=compare(records, {}), records=records)
    assert "The peak is inside: think:low is shown" in page(data)


def test_predictions_as_json_hold_what_they_stand_on(found: Predicted) -> None:
    plain = json.loads(json.dumps(predictions.to_json(found), allow_nan=False))["predictions"]
    assert plain["overall"]["share"] == 1
    assert plain["tested"][0]["prediction"]["hurts_people"] is True
    assert plain["tested"][0]["expected"] == "hurts"
