"""One small experiment with every outcome, as a report's data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from misstep.analyse import compare
from misstep.core.answers.vocabulary import VOCABULARIES
from misstep.core.arms import Arm
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.outcomes import Outcome
from misstep.core.records import Record, Transcript
from misstep.report.page.choosing import choose, key_of
from misstep.report.page.data import Reading
from misstep.report.page.files import ReportData, RunFacts

_LETTERS = {outcome.value[0]: outcome for outcome in Outcome}
_SPEC = Spec(
    name="grammar",
    title="Artificial grammar",
    version=1,
    source="",
    measures="",
    arms=(Arm("direct", "", "direct"), Arm("cot", "", "cot")),
    options=(),
    factors=("half", "same"),
    scales={"quick": Scale(2)},
    vocabulary=VOCABULARIES["yes_no"],
    chance=0.5,
    margin=3.0,
    prediction=Prediction(True, True, "hurts", ""),
)


@pytest.fixture
def report_data() -> Callable[..., ReportData]:
    """`report_data(reply=...)`: 8 groups of two; `direct` and `cot` are letters of outcomes."""

    def make(
        reply: str = "ANSWER: Yes",
        direct: str = "cc cc cc cc cc cc cc cw",
        cot: str = "cw cu cw ce cw tw rw cw",
        who: str = "embedded/tiny",
    ) -> ReportData:
        records = _records(who, "direct", direct) + _records(who, "cot", cot)
        references = [
            dataclasses.replace(record, who="ref/length", score=float(len(record.item)))
            for record in records
            if record.arm == "direct"
        ]
        told = {
            key_of(record): Transcript(record, f"Is {record.item} one?", reply)
            for record in records
        }
        choice = choose(records)
        return ReportData(
            comparisons=compare(records, {"grammar": _SPEC}),
            records=records,
            references=references,
            transcripts=[told[key] for key in choice.examples],
            readings=[Reading(told[key], (8, 11)) for key in (*choice.readings, *choice.unparsed)],
            facts=[RunFacts("Run one", (("seed", "0"), ("misstep", "0.1.0")))],
            specs={"grammar": _SPEC},
        )

    return make


def _records(who: str, arm: str, groups: str) -> list[Record]:
    found = []
    for group, letters in enumerate(groups.split()):
        for place, letter in enumerate(letters):
            outcome, truth = _LETTERS[letter], ("Yes", "No")[place]
            found.append(
                Record(
                    family="grammar",
                    version=1,
                    who=who,
                    item=f"{group}/{place}",
                    group=f"g{group}",
                    arm=arm,
                    repetition=0,
                    outcome=outcome,
                    value=float(letter == "c") if outcome.is_answered else None,
                    answer={"c": truth, "w": ("No", "Yes")[place]}.get(letter),
                    truth=truth,
                    factors={"half": "first" if group < 4 else "second", "same": 1},
                    output_tokens=2 if arm == "direct" else 250,
                    seconds=0.9,
                )
            )
    return found
