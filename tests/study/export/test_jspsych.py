"""jsPsych's rows: an array, as its own data().json() gives it, with whose row it is."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

from misstep.study.export.jspsych import lines, write
from misstep.study.export.parts import Choice, chosen, parts
from study_people import Held


def test_each_answer_is_a_row_with_jspsychs_own_columns_first(held: Held, tmp_path: Path) -> None:
    out = tmp_path / "raw" / "rows.json"
    found = list(chosen(held.study, parts(held.study, held.store), Choice()))
    count = write(found, out, Choice())
    rows = json.loads(out.read_text(encoding="utf-8"))
    assert len(rows) == count == sum(len(one.kept) for one in found) > 20
    own = [row for row in rows if row["participant"] == held.who["whole"]]
    assert [row["key"] for row in own][:4] == [
        "consent", "welcome", "instructions/0/direct", "trial/0/0",
    ]  # fmt: skip
    assert [row["trial_index"] for row in own] == list(range(len(own)))
    assert set(own[0]) == {"rt", "response", "trial_index", "participant", "key"}
    assert "PROLIFIC" not in out.read_text(encoding="utf-8")


def test_nobodys_rows_are_held_before_they_are_written(held: Held) -> None:
    found = parts(held.study, held.store)
    written = "".join(islice(lines(found, Choice()), 3))
    assert '"consent"' in written
    assert next(found).who.public == held.who["another"]  # the second: only the first was read


def test_no_rows_are_an_empty_array() -> None:
    assert json.loads("".join(lines((), Choice()))) == []


def test_ids_are_in_it_where_they_are_asked_for(held: Held) -> None:
    choice = Choice(ids=True)
    text = "".join(lines(chosen(held.study, parts(held.study, held.store), choice), choice))
    assert {row["recruited_person"] for row in json.loads(text)} == {"PROLIFIC-1", "PROLIFIC-2", ""}
