"""Passes over a list: right answers pass by pass, and errors that follow the lure."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice

from misstep.analyse import compare
from misstep.analyse.comparison import Comparison, Learning, Solving
from misstep.analyse.plain import to_json
from misstep.registry import family, specs
from misstep.report.figures.drawing import inline
from misstep.report.figures.profiles import right_figure
from misstep.report.lines import lines
from misstep.runner.solvers import reference_records

VEHICLES = family("vehicles")


def learned() -> Comparison:
    """A model that learns by heart when asked directly and by rule when it reasons."""
    items = [group[0] for group in islice(VEHICLES.generate(0, {}), 12)]
    arms = {"ref/memoriser-80": "direct", "ref/rulex-10": "cot"}
    records = [
        replace(record, who="lab/model", arm=arms[record.who])
        for record in reference_records(VEHICLES, items)
        if record.who in arms
    ]
    (found,) = compare(records, specs())
    return found


def test_a_comparison_of_passes_says_what_was_right_in_each() -> None:
    (plain,) = json.loads(json.dumps(to_json([learned()]), allow_nan=False))["comparisons"]
    direct, cot = plain["learning"]["baseline"], plain["learning"]["arm"]
    assert (direct["pass_size"], len(direct["right"])) == (10, 15)
    assert direct["right"][-1] == 10
    assert 7 <= cot["right"][4] <= 9.5
    assert cot["lure_share"] > 0.7 > direct["lure_share"]
    assert plain["best_constant"] is None
    assert plain["verdict"] == "hurts"


def test_its_lines_say_it_in_words() -> None:
    one = replace(
        learned(),
        learning=Learning(
            Solving(1.0, (0.5, 1.0), (5.25, 10.0), 10, 40, 0.225),
            Solving(0.5, (0.0, 0.5), (6.0, 9.44), 10, 0, None),
            None,
        ),
    )
    said = lines(one)
    assert (
        "right of 10 in the first and the last pass: direct 5.2 and 10.0, cot 6.0 and 9.4" in said
    )
    assert "errors that follow the lure: direct 22.5 % of 40, cot made none" in said


def test_records_that_say_nothing_of_passes_add_no_line() -> None:
    bare = Learning(Solving(1.0, (1.0,)), Solving(1.0, (1.0,)), None)
    said = " ".join(lines(replace(learned(), learning=bare)))
    assert "right of" not in said
    assert "lure" not in said


def test_right_answers_are_drawn_up_to_a_whole_pass_and_a_pass_unmade_is_left_out() -> None:
    learning = Learning(
        Solving(1.0, (0.5, 1.0, 1.0), (5.0, 10.0, 10.0), 10),
        Solving(0.0, (0.0, 0.0, 0.0), (6.0, 8.0, None), 10),
        None,
    )
    svg = inline(right_figure(learning, "direct", "cot"))
    assert "direct: 5.0, 10.0, 10.0; cot: 6.0, 8.0, –" in svg
    assert "pass 2: 8.00 right" in svg
    assert "pass 3: 10.00 right" in svg
    assert svg.count("right</title>") == 5
