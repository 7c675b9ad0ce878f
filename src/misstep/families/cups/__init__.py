"""Cups: to which mark must a glass be filled to pour at the same tilt? (Mind Your Step, §4.4)"""

from misstep.core.family import Family
from misstep.families.cups.drawing import pictures
from misstep.families.cups.generate import generate, instances
from misstep.families.cups.prompts import prompt
from misstep.families.cups.score import score
from misstep.families.cups.solvers import ABOUT, SOLVERS
from misstep.families.cups.spec import SPEC, CupsPayload

FAMILY: Family[CupsPayload] = Family(
    spec=SPEC,
    payload=CupsPayload,
    generate=generate,
    prompt=prompt,
    score=score,
    solvers=SOLVERS,
    solver_about=ABOUT,
    pictures=pictures,
    instances=instances,
)

__all__ = ["FAMILY"]
