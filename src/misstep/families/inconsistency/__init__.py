"""Logical inconsistency: can both statements be true? (Mind Your Step, §4.4)."""

from misstep.core.family import Family
from misstep.families.inconsistency.generate import generate
from misstep.families.inconsistency.prompts import beginnings, parts, prompt
from misstep.families.inconsistency.score import score
from misstep.families.inconsistency.settings import named
from misstep.families.inconsistency.solvers import SOLVER_ABOUT, SOLVERS
from misstep.families.inconsistency.spec import SPEC, InconsistencyPayload

FAMILY: Family[InconsistencyPayload] = Family(
    spec=SPEC,
    payload=InconsistencyPayload,
    generate=generate,
    prompt=prompt,
    score=score,
    solvers=SOLVERS,
    solver_about=SOLVER_ABOUT,
    beginnings=beginnings,
    parts=parts,
    named=named,
)

__all__ = ["FAMILY"]
