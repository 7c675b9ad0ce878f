"""Why our verdict and the stored one differ, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from misstep.planning.model import Problem, Step, step_text
from misstep.planning.validation import validate

_SHOWN = 4
_WIDEST = 60


def difference(
    problem: Problem,
    plan: Sequence[Step] | None,
    stored: Sequence[Step],
    verdict: str,
    elsewhere: str = "",
) -> str:
    """`verdict` is what we say of the reply, as a sentence's end ("the plan is valid"), and
    `elsewhere` what else the stored verdict is on."""
    same = plan is not None and tuple(plan) == tuple(stored)
    if elsewhere:
        extraction = "" if same else f"{_extraction(plan, stored)}; "
        return f"{extraction}{elsewhere}; {verdict}"
    if same or (plan is None and not stored and not _already_holds(problem)):
        return f"stored verdict wrong: {verdict}"
    return f"{_extraction(plan, stored)}; {verdict}{_of_stored(problem, plan, stored)}"


def _already_holds(problem: Problem) -> bool:
    return validate(problem, ()).is_valid


def _extraction(plan: Sequence[Step] | None, stored: Sequence[Step]) -> str:
    if not stored:
        return "stored extraction is empty"
    if plan is None:
        return f"stored extraction has {_count(len(stored))}, the reply proposes none"
    if plan and len(stored) > len(plan) and _is_repeated(plan, stored):
        return "stored extraction has the plan more than once"
    dropped = _left_over(plan, stored)
    if dropped is not None:
        return f"stored extraction dropped {_steps(plan, dropped)}"
    added = _left_over(stored, plan)
    if added is not None:
        return f"stored extraction added {_steps(stored, added)}"
    at = next(
        (at for at, (a, b) in enumerate(zip(plan, stored, strict=False)) if a != b),
        min(len(plan), len(stored)),
    )
    return f"stored extraction differs from step {at + 1} on"


def _of_stored(problem: Problem, plan: Sequence[Step] | None, stored: Sequence[Step]) -> str:
    if not stored and _already_holds(problem):
        return "; the goal already holds, so that no plan at all counted as one"
    if plan is None or not stored:
        return ""
    found = validate(problem, stored)
    return f"; the stored plan is {'valid' if found.is_valid else found.verdict.value}"


def _is_repeated(plan: Sequence[Step], stored: Sequence[Step]) -> bool:
    times, rest = divmod(len(stored), len(plan))
    return rest == 0 and tuple(plan) * times == tuple(stored)


def _left_over(longer: Sequence[Step], shorter: Sequence[Step]) -> list[int] | None:
    """The places in `longer` that must go for `shorter` to be left; None where that can't be."""
    gone, at = [], 0
    for place, step in enumerate(longer):
        if at < len(shorter) and step == shorter[at]:
            at += 1
        else:
            gone.append(place)
    return gone if at == len(shorter) else None


def _steps(plan: Sequence[Step], places: Sequence[int]) -> str:
    """Counted from 1, as people count."""
    shown = [f"{place + 1} {step_text(plan[place])[:_WIDEST]}" for place in places[:_SHOWN]]
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"step{'s' * (len(places) > 1)} {', '.join(shown)}{more}"


def _count(number: int) -> str:
    return f"{number} step{'s' * (number != 1)}"
