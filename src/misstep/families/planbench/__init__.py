"""PlanBench: plans and change, graded by simulating what a reply says."""

from misstep.core.family import Family
from misstep.families.planbench.cases import instances
from misstep.families.planbench.choices import LISTINGS
from misstep.families.planbench.generate import generate
from misstep.families.planbench.grading.essence import essence
from misstep.families.planbench.prompts import ballot, beginnings, parts, prompt
from misstep.families.planbench.prompts.answers import say
from misstep.families.planbench.prompts.feedback import feedback
from misstep.families.planbench.score import score
from misstep.families.planbench.solvers import SOLVER_ABOUT, SOLVERS
from misstep.families.planbench.spec import SPEC, PlanbenchPayload

FAMILY: Family[PlanbenchPayload] = Family(
    spec=SPEC,
    payload=PlanbenchPayload,
    generate=generate,
    prompt=prompt,
    score=score,
    solvers=SOLVERS,
    solver_about=SOLVER_ABOUT,
    beginnings=beginnings,
    ballot=ballot,
    parts=parts,
    essence=essence,
    feedback=feedback,
    say=say,
    instances=instances,
    listings=LISTINGS,
    is_spread=True,
)

__all__ = ["FAMILY"]
