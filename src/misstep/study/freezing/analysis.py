"""The planned analysis: what `misstep compare` will do with the records, found by a rehearsal.

The comparison is made of records of the planned trials with answers drawn at random, and only what
doesn't hang on them is taken from it: which arms, by which measure, margin and test.
"""

from __future__ import annotations

from collections.abc import Iterator

from misstep.analyse import compare, notes
from misstep.analyse.comparison import Comparison
from misstep.analyse.verdict import ALPHA
from misstep.core.measures import Measure
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.core.seeds import stream
from misstep.registry import family, specs
from misstep.study.course.drawing import item_of, planned
from misstep.study.course.judging import counterpart
from misstep.study.course.nouns import Planned, Study
from misstep.study.freezing.variants import variant_of
from misstep.study.screens import Json

_MOST_REHEARSED = 200
"""People; who meets what repeats long before."""


def analysis(study: Study) -> dict[str, Json]:
    records = list(_rehearsed(study))
    compared = compare(records, specs())
    contrasts: dict[str, Json] = {name_of(one): _contrast(one) for one in compared}
    return {
        "command": "misstep compare RECORDS.parquet, records as misstep study export writes them",
        "contrasts": contrasts,
        "not_compared": list(notes(records, specs())),
        "alpha": ALPHA,
        "p": "two-sided",
        "correction": f"Holm over all contrasts ({len(contrasts)}); p and equivalence each apart",
        "equivalence": "two one-sided tests at each contrast's margin",
        "no_answer": "counts as the worst value; a second line leaves it out of both arms",
    }


def name_of(one: Comparison) -> str:
    variant = f" ({one.variant})" if one.variant else ""
    return f"{one.family}{variant}: {one.arm} against {one.baseline}"


def _contrast(one: Comparison) -> Json:
    measure = one.measure
    return {
        "measure": measure.name,
        "unit": measure.unit,
        "better": "more" if measure.is_more_better else "fewer",
        "margin": one.equivalence.margin,
        "test": one.test,
        "predicted": family(one.family).spec.prediction.direction,
    }


def _rehearsed(study: Study) -> Iterator[Record]:
    for slot in range(min(study.people, _MOST_REHEARSED)):
        for number, trial in enumerate(planned(study, slot)):
            chance = stream("freeze", 1, slot, number)
            yield _record(study, slot, trial, is_right=chance.below(2) == 0)


def _record(study: Study, slot: int, trial: Planned, *, is_right: bool) -> Record:
    item, asked = item_of(study, trial), study.blocks[trial.block]
    measure: Measure = family(trial.family).spec.measure
    return Record(
        family=trial.family,
        version=item.version,
        who=f"person/{slot}",
        item=item.id,
        group=item.group,
        arm=counterpart(trial.family, trial.arm),
        repetition=1,
        outcome=Outcome.CORRECT if is_right else Outcome.WRONG,
        value=measure.best if is_right else measure.worst,
        truth=item.truth,
        variant=variant_of(asked),
        first_arm=counterpart(trial.family, asked.arms[0]) if len(asked.arms) > 1 else None,
    )
