"""PlanBench as people meet it (6.2): a plan in one's own words, then picked from a list."""

from misstep.families.planbench.spec import SPEC, PlanbenchPayload
from misstep.study.trials.nouns import Trial
from misstep.study.trials.planbench.answering import solve
from misstep.study.trials.planbench.feedback import feedback
from misstep.study.trials.planbench.judging import judge
from misstep.study.trials.planbench.phases import screen
from misstep.study.trials.planbench.words import ARMS, CHECKS, DEFAULTS, instructions

TRIAL: Trial[PlanbenchPayload] = Trial(
    family=SPEC.name,
    arms=ARMS,
    instructions=instructions,
    checks=CHECKS,
    screen=screen,
    judge=judge,
    feedback=feedback,
    solve=solve,
    defaults=DEFAULTS,
)

__all__ = ["TRIAL"]
