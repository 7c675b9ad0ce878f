"""An arm: a way of asking. Its name may carry a strategy, as in `cot+vote5`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from misstep.core.errors import BadInput

_VOTES = re.compile(r"(?P<base>.+)\+vote(?P<votes>[1-9][0-9]?)")


class Strategy(StrEnum):
    """How many calls an answer takes, and what they are."""

    SINGLE = "single"
    VOTE = "vote"
    TREE = "tree"
    FEEDBACK = "feedback"


@dataclass(frozen=True)
class Arm:
    """A way of asking.

    `prompt` names the wording that the family's `prompts.py` gives it. `draws` is the number of
    replies voted over (VOTE), of thoughts and of votes (TREE), or of rounds of feedback (FEEDBACK).
    """

    name: str
    about: str
    prompt: str
    strategy: Strategy = Strategy.SINGLE
    draws: int = 1
    is_default: bool = False


def resolve(
    names: Iterable[str], known: tuple[Arm, ...], option: str = "--arms"
) -> tuple[Arm, ...]:
    """The arms that the names stand for, in their order; the first one is the baseline."""
    arms: list[Arm] = []
    for name in names:
        arm = _resolve(name, known, option)
        if arm in arms:
            raise BadInput(f"{option}: {name!r} is named twice")
        arms.append(arm)
    if not arms:
        raise BadInput(f"{option}: names no arm; known: {', '.join(arm.name for arm in known)}")
    return tuple(arms)


def _resolve(name: str, known: tuple[Arm, ...], option: str) -> Arm:
    by_name = {arm.name: arm for arm in known}
    if name in by_name:
        return by_name[name]
    match = _VOTES.fullmatch(name)
    base = by_name.get(match["base"]) if match else None
    if match and base and base.strategy is Strategy.SINGLE and int(match["votes"]) > 1:
        votes = int(match["votes"])
        about = f"{base.about}; {votes} replies, the majority's answer"
        return Arm(name, about, base.prompt, Strategy.VOTE, votes)
    raise BadInput(
        f"{option}: unknown arm {name!r}; known: {', '.join(by_name)}, "
        "and any single-reply arm with +voteN (2 to 99), as in cot+vote5"
    )
