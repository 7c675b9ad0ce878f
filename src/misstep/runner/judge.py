"""Replies of one question → its score, for every strategy. Pure, so old logs can be regraded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from misstep.core.answers import VOCABULARIES, ReadingState, Vocabulary, read
from misstep.core.arms import Arm, Strategy
from misstep.core.family import Family
from misstep.core.items import Item
from misstep.core.judging import opening
from misstep.core.outcomes import Outcome, Reply, Score

P = TypeVar("P")
SECOND = "read by a second model"
_NUMBERED = re.compile(r"[\W_]*(?:thought|number|no)[\W_]*([0-9]{1,2})[\W_]*", re.IGNORECASE)


def judge(
    family: Family[P],
    item: Item[P],
    arm: Arm,
    replies: Sequence[Reply],
    second: Reply | None = None,
) -> Score:
    """The score of the question's replies, in the order in which they were asked for.

    `second` is what a second model read in a single reply; it counts only where the family's own
    rules read nothing, and the score's reason says so.
    """
    judged = _by_rules(family, item, arm, replies)
    if second is None or not needs_second(family, judged, arm):
        return judged
    reread = family.score(item, second)
    return replace(reread, reason=SECOND, span=None) if reread.outcome.is_answered else judged


def needs_second(family: Family[P], judged: Score, arm: Arm) -> bool:
    """A second model can only choose among answers, and only reads single replies."""
    is_choice = bool(family.spec.vocabulary.answers) and arm.strategy is Strategy.SINGLE
    return is_choice and judged.outcome is Outcome.UNPARSED


def _by_rules(family: Family[P], item: Item[P], arm: Arm, replies: Sequence[Reply]) -> Score:
    if arm.strategy is Strategy.VOTE:
        scores = [_score(family, item, arm, reply) for reply in replies]
        own = family.essence
        return majority(scores, None if own is None else lambda answer: own(item, answer))
    if arm.strategy is Strategy.TREE:
        return _best_thought(family, item, replies[: arm.draws], replies[arm.draws :])
    if arm.strategy is Strategy.FEEDBACK:
        return _after_feedback(family, item, replies)
    return _score(family, item, arm, replies[0])


def _score(family: Family[P], item: Item[P], arm: Arm, reply: Reply) -> Score:
    """By the reply's first sentence, where the arm asks for the answer first and one is there."""
    if arm.answers_first:
        first = family.score(item, opening(reply))
        if first.outcome.is_answered:
            return first
    return family.score(item, reply)


def best_thought(thoughts: int, ballots: Sequence[Reply]) -> int | None:
    """The index of the thought with most votes; of equal ones the first. None without a vote."""
    numbers = Vocabulary("thoughts", tuple(str(number + 1) for number in range(thoughts)))
    vocabulary = VOCABULARIES["one_to_five"] if thoughts == 5 else numbers
    readings = (read(_bare(ballot.text), vocabulary, ballot.stop_reason) for ballot in ballots)
    votes = Counter(
        int(reading.answer) - 1
        for reading in readings
        if reading.state is ReadingState.ANSWERED and reading.answer is not None
    )
    return min(votes, key=lambda thought: (-votes[thought], thought)) if votes else None


def _bare(text: str) -> str:
    """A vote of one number and the word before it ("Thought 2.") as the number; else as it is."""
    match = _NUMBERED.fullmatch(text)
    return match[1] if match else text


def majority(scores: Sequence[Score], essence: Callable[[str], str] | None = None) -> Score:
    """The score of the answer that most replies give; of answers given equally often the one that
    was given first, which is a fair draw, as the replies come in no order.

    `essence` is the same text for answers that count as the same; None: only equal ones do.
    """
    given = [score for score in scores if score.outcome.is_answered and score.answer is not None]
    if not given:
        return replace(scores[0], span=None)
    same = [score.answer if essence is None else essence(score.answer or "") for score in given]
    votes = Counter(same)
    # The first of equal ones: most_common keeps the order in which they were met.
    ((most, _),) = votes.most_common(1)
    return replace(given[same.index(most)], span=None)


def _after_feedback(family: Family[P], item: Item[P], replies: Sequence[Reply]) -> Score:
    """The last reply's score, with the number of rounds that it took."""
    last = family.score(item, replies[-1])
    return replace(last, span=None, details={**last.details, "rounds": len(replies) - 1})


def _best_thought(
    family: Family[P], item: Item[P], thoughts: Sequence[Reply], ballots: Sequence[Reply]
) -> Score:
    best = best_thought(len(thoughts), ballots)
    if best is None:
        return Score(Outcome.UNPARSED, None, reason="no_vote")
    return replace(family.score(item, thoughts[best]), span=None)
