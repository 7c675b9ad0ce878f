"""An arm: a way of asking. A name may carry thinking or a strategy: `think:low`, `tot:3`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from misstep.core.errors import BadInput

NO_THINKING = "none"
LEVELS = ("low", "medium", "high")
"""Levels of thinking, the least first."""

MOST_THINKING = 1_000_000
MOST_VOTES = 99
MOST_THOUGHTS = 20
PREFIX = "think:"
TREE_OF_THOUGHT, SELF_CONSISTENCY = "tot", "self-consistency"
REASONING = "cot"
"""The arm of a family whose words both of them draw with."""

DRAWS = 5
"""Thoughts, and votes, of `tot` (Mind Your Step, A.3); replies of `self-consistency`: as many, and
an odd number, so that two answers don't tie where every reply has one."""

_VOTES = re.compile(r"(?P<base>.+)\+vote(?P<votes>[1-9][0-9]?)")
_TOKENS = re.compile(r"[1-9][0-9]{0,6}")
_DRAWN = re.compile(rf"(?P<kind>{TREE_OF_THOUGHT}|{SELF_CONSISTENCY})(?::(?P<n>[1-9][0-9]?))?")


class Strategy(StrEnum):
    """How many calls an answer takes, and what they are."""

    SINGLE = "single"
    VOTE = "vote"
    TREE = "tree"
    FEEDBACK = "feedback"


@dataclass(frozen=True)
class Wording:
    """Words of the user's own around a family's: a message of the system, text before and after
    the question, an instruction in the place of the family's own; or a template of the whole."""

    system: str | None = None
    before: str | None = None
    after: str | None = None
    instruction: str | None = None
    template: str | None = None


@dataclass(frozen=True)
class Arm:
    """A way of asking.

    `prompt` names the wording that the family's `prompts.py` gives it. `draws` is the number of
    replies voted over (VOTE), of thoughts and of votes (TREE), or of rounds of feedback (FEEDBACK).
    `thinking` is what the model is told about its own thinking: "none", a level, a number of tokens
    as text, or None for nothing. `temperature` and `max_tokens` are the arm's own, where the run's
    don't hold; `wording` are words around the family's. With `answers_first` the answer is asked
    for before all else, so a reply's first sentence counts where it holds one (`judging.opening`).
    """

    name: str
    about: str
    prompt: str
    strategy: Strategy = Strategy.SINGLE
    draws: int = 1
    is_default: bool = False
    thinking: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    wording: Wording | None = None
    answers_first: bool = False


def resolve(
    names: Iterable[str], known: tuple[Arm, ...], option: str = "--arms"
) -> tuple[Arm, ...]:
    """The arms that the names stand for, in their order; the first one is the baseline.

    `known` are the family's arms, its baseline first, and any of the user's own after them.
    """
    arms: list[Arm] = []
    for name in names:
        arm = _resolve(name, known, option)
        if arm in arms:
            raise BadInput(f"{option}: {name!r} is named twice")
        arms.append(arm)
    if not arms:
        raise BadInput(f"{option}: names no arm; known: {', '.join(arm.name for arm in known)}")
    return tuple(arms)


def is_thinking(text: str) -> bool:
    """Whether the text says how much to think: none, a level, or a number of tokens."""
    if text == NO_THINKING or text in LEVELS:
        return True
    return bool(_TOKENS.fullmatch(text)) and int(text) <= MOST_THINKING


def voted(base: Arm, votes: int, name: str) -> Arm:
    """The arm asked several times, the majority's answer counting."""
    about = f"{base.about}; {votes} replies, the majority's answer"
    return replace(
        base, name=name, about=about, strategy=Strategy.VOTE, draws=votes, is_default=False
    )


def treed(base: Arm, draws: int, name: str) -> Arm:
    """The arm asked for several thoughts, the one with most of as many votes counting."""
    about = f"{base.about}; {draws} thoughts, the best by {draws} votes"
    return replace(
        base, name=name, about=about, strategy=Strategy.TREE, draws=draws, is_default=False
    )


def general(known: tuple[Arm, ...]) -> tuple[Arm, ...]:
    """What every family understands beside its own arms, by the names without a number of one's
    own; `known` are the family's arms."""
    thinking = (NO_THINKING, *LEVELS)
    names = [*(PREFIX + level for level in thinking), TREE_OF_THOUGHT, SELF_CONSISTENCY]
    own = {arm.name for arm in known}
    found = (_single(name, known) for name in names if name not in own)
    return tuple(arm for arm in found if arm is not None)


def _resolve(name: str, known: tuple[Arm, ...], option: str) -> Arm:
    found = _single(name, known)
    if found is not None:
        return found
    match = _VOTES.fullmatch(name)
    base = _single(match["base"], known) if match else None
    if match and base and base.strategy is Strategy.SINGLE and int(match["votes"]) > 1:
        return voted(base, int(match["votes"]), name)
    raise BadInput(
        f"{option}: unknown arm {name!r}; known: {', '.join(arm.name for arm in known)}, "
        f"think:none, think:low, think:medium, think:high, think:TOKENS (1 to {MOST_THINKING}), "
        f"tot:N (2 to {MOST_THOUGHTS}), self-consistency:N (2 to {MOST_VOTES}), "
        f"and any single-reply arm with +voteN (2 to {MOST_VOTES}), as in cot+vote5"
    )


def _single(name: str, known: tuple[Arm, ...]) -> Arm | None:
    """The arm of a name without +voteN."""
    for arm in known:
        if arm.name == name:
            return arm
    thinking = name.removeprefix(PREFIX)
    if known and thinking != name and is_thinking(thinking):
        return Arm(name, _about(thinking, known[0].name), known[0].prompt, thinking=thinking)
    match = _DRAWN.fullmatch(name)
    if match is None:
        return None
    draws = DRAWS if match["n"] is None else int(match["n"])
    made = _tree if match["kind"] == TREE_OF_THOUGHT else _consistent
    return made(name, draws, known)


def _tree(name: str, draws: int, known: tuple[Arm, ...]) -> Arm | None:
    """The family's own tree with that many draws; elsewhere one whose thoughts are replies of
    `cot`."""
    if not 2 <= draws <= MOST_THOUGHTS:
        return None
    for arm in known:
        if arm.name == TREE_OF_THOUGHT and arm.strategy is Strategy.TREE:
            about = f"as {arm.name}, with {draws} thoughts and {draws} votes"
            return replace(arm, name=name, about=about, draws=draws, is_default=False)
    base = _reasoning(known)
    return treed(replace(base, about=f"as {base.name}"), draws, name) if base else None


def _consistent(name: str, draws: int, known: tuple[Arm, ...]) -> Arm | None:
    base = _reasoning(known)
    if base is None or draws < 2:
        return None
    return voted(replace(base, about=f"as {base.name}"), draws, name)


def _reasoning(known: tuple[Arm, ...]) -> Arm | None:
    singles = (arm for arm in known if arm.strategy is Strategy.SINGLE)
    return next((arm for arm in singles if arm.name == REASONING), None)


def _about(thinking: str, baseline: str) -> str:
    if thinking == NO_THINKING:
        return f"the words of {baseline}, the model told not to think"
    amount = thinking if thinking in LEVELS else f"up to {int(thinking):,} tokens"
    return f"the words of {baseline}, the model told to think: {amount}"
