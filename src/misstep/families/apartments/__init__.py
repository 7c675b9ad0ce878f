"""Apartments: aggregating many features for a choice (Mind Your Step, §4.4 and F)."""

from misstep.core.family import Family
from misstep.families.apartments.generate import generate
from misstep.families.apartments.prompts import beginnings, parts, prompt
from misstep.families.apartments.score import score
from misstep.families.apartments.settings import named
from misstep.families.apartments.solvers import REFERENCES
from misstep.families.apartments.spec import SPEC, ApartmentsPayload

FAMILY: Family[ApartmentsPayload] = Family(
    spec=SPEC,
    payload=ApartmentsPayload,
    generate=generate,
    prompt=prompt,
    score=score,
    solvers={name: reference.solve for name, reference in REFERENCES.items()},
    solver_about={name: reference.about for name, reference in REFERENCES.items()},
    beginnings=beginnings,
    parts=parts,
    named=named,
)

__all__ = ["FAMILY"]
