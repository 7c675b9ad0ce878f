"""What a person's answers come to: records like a model's, and the bonus."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from misstep.core.options import read_options
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.registry import family
from misstep.study.course.drawing import item_of
from misstep.study.course.nouns import Block, Planned, Study
from misstep.study.course.way import finished
from misstep.study.trials.every import trial
from misstep.study.trials.nouns import Given, Judged

PERSON = "person/"


def judged(study: Study, planned: Planned, given: Sequence[Given]) -> Judged:
    """By the family's own score."""
    return trial(planned.family).judge(item_of(study, planned), planned.arm, given)


def record(study: Study, who: str, planned: Planned, given: Sequence[Given]) -> Record:
    """As a model's is. The arm is the one of models that asks alike, where there is one."""
    item, found = item_of(study, planned), judged(study, planned, given)
    asked = study.blocks[planned.block]
    is_conversation = family(planned.family).conversation is not None
    score = found.score
    return Record(
        family=planned.family,
        version=item.version,
        who=f"{PERSON}{who}",
        item=item.id,
        group=item.group,
        arm=counterpart(planned.family, planned.arm),
        repetition=1,
        outcome=score.outcome,
        value=score.value,
        answer=score.answer,
        reason=score.reason,
        truth=None if is_conversation else item.truth,
        lure=None if is_conversation else item.lure,
        factors=item.factors,
        details={**score.details, **found.details},
        seconds=_seconds(given),
        variant=_variant(asked),
        first_arm=counterpart(planned.family, asked.arms[0]) if len(asked.arms) > 1 else None,
    )


def counterpart(name: str, arm: str) -> str:
    """The name under which records of a human arm stand."""
    found = next(one for one in trial(name).arms if one.name == arm)
    return found.counterpart or found.name


def bonus(study: Study, slot: int, given: Sequence[Given]) -> float | None:
    """What the person earned beside the pay; None where the study has no bonus.

    A plan that reaches the goal earns `each` also where only a shortest one counts as right.
    """
    rule = study.bonus
    if rule is None:
        return None
    earned = 0.0
    for planned, own in finished(study, slot, given):
        found = judged(study, planned, own)
        if found.score.outcome is Outcome.CORRECT or found.details.get("plan_valid") is True:
            earned += rule.each
            earned += rule.optimal if found.details.get("plan_optimal") is True else 0.0
    return earned if rule.most is None else min(earned, rule.most)


def _seconds(given: Sequence[Given]) -> float | None:
    """On all the screens of the trial; None where one of them isn't known."""
    times = [one.rt_ms for one in given if one.rt_ms is not None]
    return round(sum(times) / 1000, 3) if len(times) == len(given) else None


@lru_cache(maxsize=64)
def _variant_of(study_options: tuple[tuple[str, object], ...], name: str) -> str:
    room = family(name)
    return room.variant(read_options(room.spec.options, dict(study_options), name))


def _variant(asked: Block) -> str:
    return _variant_of(tuple(sorted(asked.options.items())), asked.family)
