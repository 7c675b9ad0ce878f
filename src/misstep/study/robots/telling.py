"""What a simulation says at its end: who came through, times, arms, bonuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from misstep.study.course.judging import bonus, judged
from misstep.study.course.nouns import Ending, Planned, Study
from misstep.study.course.way import finished
from misstep.study.robots.running import Result, Walked
from misstep.study.trials.nouns import Judged

NONE = "-"


@dataclass(frozen=True)
class Arm:
    """`value` is the mean measure of the `answered` of `trials`, None of none."""

    family: str
    arm: str
    solver: str
    people: int
    trials: int
    answered: int
    value: float | None


def endings(result: Result) -> Mapping[str, int]:
    """How many ways ended how, those who completed first."""
    counted = Counter(one.way.ending for one in result.walked)
    first = Ending.COMPLETE.value
    return {first: counted.pop(first, 0), **dict(sorted(counted.items()))}


def arms(study: Study, result: Result) -> list[Arm]:
    """By the family's own score, for each arm of the study and each ability in it."""
    tried: dict[tuple[int, str, str], list[tuple[int, Judged]]] = {}
    for one in result.walked:
        for planned, own in finished(study, one.slot, one.given):
            place = (planned.block, planned.arm, _solver(study, one, planned))
            tried.setdefault(place, []).append((one.robot.number, judged(study, planned, own)))
    order = {
        (number, arm): at
        for number, block in enumerate(study.blocks)
        for at, arm in enumerate(block.arms)
    }
    places = sorted(tried, key=lambda place: (place[0], order[place[:2]], place[2]))
    return [_arm(study, place, tried[place]) for place in places]


def bonuses(study: Study, result: Result) -> tuple[int, float] | None:
    """How many earned one, and how much in all; None where the study has none."""
    if study.bonus is None:
        return None
    complete = [one for one in result.walked if one.way.ending == Ending.COMPLETE.value]
    earned = [bonus(study, one.slot, one.given) or 0.0 for one in complete]
    return sum(one > 0 for one in earned), sum(earned)


def lines(study: Study, result: Result, lost: int | None) -> Iterator[str]:
    """The table, at most 80 columns wide where names are short; `lost` is None where nobody could
    look into the database."""
    yield f"{'people':<10}{len(result.walked)}: {_said(endings(result))}"
    sent = sum(len(one.way.onces) for one in result.walked)
    kept = "the database was not looked into" if lost is None else f"{lost} lost"
    yield f"{'answers':<10}{sent} confirmed, {kept}"
    if result.took:
        yield (
            f"{'replies':<10}median {median(result.took):.0f} ms, "
            f"99 % within {percentile(result.took, 0.99):.0f} ms"
        )
    paid = bonuses(study, result)
    if paid is not None and study.bonus is not None:
        yield f"{'bonus':<10}{paid[1]:.2f} {study.bonus.currency}, earned by {paid[0]}"
    found = arms(study, result)
    if found:
        yield ""
        yield from _table(found)


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that this share of all don't pass."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)]


def _said(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items())


def _solver(study: Study, one: Walked, planned: Planned) -> str:
    return one.robot.solver or study.blocks[planned.block].solver


def _arm(study: Study, place: tuple[int, str, str], tried: Sequence[tuple[int, Judged]]) -> Arm:
    block, arm, solver = place
    scores = [one.score for _, one in tried]
    values = [score.value for score in scores if score.outcome.is_answered]
    found = [value for value in values if value is not None]
    return Arm(
        family=study.blocks[block].family,
        arm=arm,
        solver=solver,
        people=len({number for number, _ in tried}),
        trials=len(tried),
        answered=sum(score.outcome.is_answered for score in scores),
        value=fmean(found) if found else None,
    )


def _table(found: Sequence[Arm]) -> Iterator[str]:
    rows = [("family", "arm", "ability", "people", "trials", "answered", "mean")]
    rows += [
        (
            *(one.family, one.arm, one.solver),
            *(str(one.people), str(one.trials), str(one.answered)),
            NONE if one.value is None else f"{one.value:.3f}",
        )
        for one in found
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  ".join(
            cell.ljust(width) if column < 3 else cell.rjust(width)
            for column, (cell, width) in enumerate(cells)
        ).rstrip()
