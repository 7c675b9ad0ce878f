"""Who the robots are: each one's ability and manner, in exact shares, mixed by the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from typing import TypeVar

from misstep.core.errors import BadInput
from misstep.core.seeds import Chance, stream
from misstep.registry import family
from misstep.study.course.nouns import Study
from misstep.study.trials.every import trial
from misstep.study.trials.planbench.answering import ABILITIES

T = TypeVar("T")
_VERSION = 1
_NEARLY = 1e-9


class Manner(StrEnum):
    """How a robot behaves. STAYS goes to the end; LEAVES presses the button that says so, VANISHES
    closes the page, both at some trial; FAILS every try of the first check; REFUSES to consent."""

    STAYS = "stays"
    LEAVES = "leaves"
    VANISHES = "vanishes"
    FAILS = "fails"
    REFUSES = "refuses"


@dataclass(frozen=True)
class Robot:
    """`solver` is what it answers by ("": the block's own), `goes_at` the share of trials after
    which it is gone where its manner is to go."""

    number: int
    name: str
    solver: str
    manner: Manner
    goes_at: float
    seed: int

    def chance(self, *path: str | int) -> Chance:
        """This robot's own."""
        return stream("robots", _VERSION, self.seed, self.number, *path)


def crowd(
    people: int,
    seed: int,
    abilities: Mapping[str, float],
    manners: Mapping[Manner, float],
) -> tuple[Robot, ...]:
    """Counts are the shares' to the nearest robot, the same for every seed, which says who is
    which. Robots that no share names answer by the block's solver, and stay."""
    chance = stream("robots", _VERSION, seed, "crowd")
    solvers = chance.shuffled(_counted("--ability", people, abilities, ""))
    ways = chance.shuffled(_counted("--leave, --vanish …", people, manners, Manner.STAYS))
    return tuple(
        Robot(number, f"robot-{seed}-{number + 1}", solver, way, chance.uniform(), seed)
        for number, (solver, way) in enumerate(zip(solvers, ways, strict=True))
    )


def check_solvers(study: Study, solvers: Sequence[str]) -> None:
    """BadInput for one that a family of the study hasn't."""
    for name in dict.fromkeys(block.family for block in study.blocks):
        own = [*family(name).solvers, *(ABILITIES if name == "planbench" else ())]
        for solver in solvers:
            if solver not in own:
                raise BadInput(f"--ability: {name} has no {solver!r}; known: {', '.join(own)}")


def has_check(study: Study) -> bool:
    """Whether the study can screen somebody out."""
    return study.tries > 0 and any(trial(block.family).checks for block in study.blocks)


def _counted(option: str, people: int, shares: Mapping[T, float], rest: T) -> list[T]:
    """Largest remainders: exact where the shares are."""
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise BadInput(f"{option}: {name}={share:g} is no share from 0 to 1")
    left = 1 - fsum(shares.values())
    if left < -_NEARLY:
        raise BadInput(f"{option}: the shares sum to {1 - left:g}, over 1")
    wanted = {**shares, rest: shares.get(rest, 0.0) + max(0.0, left)}
    counts = {name: int(share * people + _NEARLY) for name, share in wanted.items()}
    short = people - sum(counts.values())
    remains = sorted(wanted, key=lambda name: counts[name] - wanted[name] * people)
    more = set(remains[:short])
    return [name for name in wanted for _ in range(counts[name] + (name in more))]
