"""Records of replies whose answers are not known, and labels by somebody who knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misstep.analyse.labels.disagreements import Disagreement, disagreements
from misstep.core.labels import UNLABELLED, Judgement, Label
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

ARMS = ("direct", "cot")


def reply(
    item: str,
    arm: str,
    answer: str | None,
    *,
    group: str | None = None,
    repetition: int = 1,
    truth: str | None = None,
) -> Record:
    """A reply; `answer` None: it refuses. With a truth it is scored, else it waits for a label."""
    if answer is None:
        outcome, value = Outcome.REFUSED, None
    elif truth is None:
        outcome, value = Outcome.UNPARSED, None
    else:
        outcome = Outcome.CORRECT if answer == truth else Outcome.WRONG
        value = float(answer == truth)
    return Record(
        family="ab:task",
        version=1,
        who="model",
        item=item,
        group=group or item,
        arm=arm,
        repetition=repetition,
        outcome=outcome,
        value=value,
        answer=answer,
        reason=UNLABELLED if answer is not None and truth is None else None,
        truth=truth or "",
    )


def replies(
    answers: Sequence[tuple[str | None, str | None]], groups: Sequence[str] | None = None
) -> list[Record]:
    """Of both arms, item by item, none of them scored."""
    named = groups or [f"g{place}" for place in range(len(answers))]
    return [
        reply(f"q{place}", arm, pair[side], group=named[place])
        for side, arm in enumerate(ARMS)
        for place, pair in enumerate(answers)
    ]


def truly(one: Disagreement, truths: Mapping[str, str]) -> Judgement:
    first, second = (
        side.answer is not None and side.answer == truths[one.item]
        for side in (one.first, one.second)
    )
    if first and second:
        return Judgement.BOTH
    if first:
        return Judgement.FIRST
    return Judgement.SECOND if second else Judgement.NEITHER


def labels_by_truth(
    records: Sequence[Record], truths: Mapping[str, str], labeller: str = "anna"
) -> list[Label]:
    return [Label(one.item, one.id, labeller, truly(one, truths)) for one in disagreements(records)]
