"""What the original took from replies, in PDDL: plans, facts and verdicts as it stored them."""

from __future__ import annotations

import re

from misstep.planning.model import Step
from misstep.planning.published.results import StoredResult, StoredVerdict
from misstep.planning.published.verification import FAILS, INVALID, MISSES, VALID, PlanVerdict
from misstep.planning.reading.lexicon import Lexicon
from misstep.planning.reading.steps import read_steps

_STEP = re.compile(r"\(([^()]*)\)")
_MARK = re.compile(r"\[PLAN END\]", re.IGNORECASE)


def stored_steps(text: str, lexicon: Lexicon) -> tuple[Step, ...]:
    """A stored plan, its objects by their names in PDDL where they can be known."""
    steps = [found.lower().split() for found in _STEP.findall(text)]
    return tuple(
        (step[0], *(lexicon.object_named(name) or name for name in step[1:]))
        for step in steps
        if step
    )


def reference_steps(result: StoredResult, lexicon: Lexicon) -> tuple[Step, ...]:
    """The stored reference plan; some are stored in the prompts' words."""
    text = "\n".join(line.partition(";")[0] for line in result.reference.splitlines())
    if "(" in text:
        return stored_steps(text, lexicon)
    lines = _MARK.split(text)[0].splitlines()
    return tuple(step for line in lines for step in read_steps(line, lexicon, due=True).steps)


def stored_fact(text: str, lexicon: Lexicon) -> str:
    """ "on_a_b" and "at_airplane_1_location_0_0" as "(on a b)" and "(at a1 l0-0)"; parts that no
    object is called by stay as they are."""
    predicate, *parts = text.lower().split("_")
    objects: list[str] = []
    while parts:
        names = ((n, lexicon.object_named("_".join(parts[:n]))) for n in range(1, len(parts) + 1))
        taken, name = next(((n, found) for n, found in names if found), (1, parts[0]))
        objects.append(name)
        parts = parts[taken:]
    return f"({' '.join((predicate, *objects))})"


def predicate_of(fact: str) -> str:
    """ "on" of "(on a b)"."""
    return fact.strip("()").partition(" ")[0]


def stored_facts(texts: tuple[str, ...], lexicon: Lexicon) -> tuple[str, ...]:
    return tuple(stored_fact(text, lexicon) for text in texts)


def stored_verdict(stored: StoredVerdict, lexicon: Lexicon) -> PlanVerdict | None:
    """None where the original found no verdict in the reply."""
    if stored.is_valid is None:
        return None
    if stored.is_valid:
        return PlanVerdict(VALID)
    if stored.action is not None:
        step = next(iter(stored_steps(stored.action, lexicon)), None)
        return PlanVerdict(FAILS, None, step, stored_facts(stored.preconditions or (), lexicon))
    if stored.goals is not None:
        return PlanVerdict(MISSES, facts=stored_facts(stored.goals, lexicon))
    return PlanVerdict(INVALID)
