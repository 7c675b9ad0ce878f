"""A case: a problem with what is shown of it and an answer that is right, all as text.

The form of an answer, by test:

- a plan: its steps, "(stack a b)"; or NO_PLAN alone where none exists;
- plan-verification: the verdict ("valid", "goal_not_reached" or "precondition_failed"), the number
  of the failing action from 1 ("" where none fails), then the unmet goals or preconditions;
- plan-execution: the facts that can change and hold at the end; with question=changes: "yes" and
  the changes, "+(on a b)" and "-(holding a)", or "no" and the last action's unmet preconditions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from misstep.core.family import Instances
from misstep.core.items import Item
from misstep.families.planbench.spec import PlanbenchPayload

_FACT = re.compile(r"\([^()]*\)")

Texts = tuple[str | tuple[str, ...], ...]


@dataclass(frozen=True)
class Case:
    """The fields are those of `PlanbenchPayload`."""

    problem: str
    answer: tuple[str, ...]
    shown: tuple[str, ...] = ()
    before: str = ""
    executed: int = 0
    optimum: int | None = None

    @property
    def texts(self) -> Texts:
        """As a payload keeps an example: it survives JSON."""
        optimum = "" if self.optimum is None else str(self.optimum)
        executed = str(self.executed)
        return (self.problem, self.answer, self.shown, self.before, executed, optimum)


def case_of(payload: PlanbenchPayload) -> Case:
    """What is asked."""
    return Case(
        payload.problem,
        payload.answer,
        payload.shown,
        payload.before,
        payload.executed,
        payload.optimum,
    )


def examples_of(payload: PlanbenchPayload) -> tuple[Case, ...]:
    return tuple(_case(texts) for texts in payload.examples)


def _case(texts: Texts) -> Case:
    problem, answer, shown, before, executed, optimum = texts
    return Case(
        str(problem),
        tuple(answer),
        tuple(shown),
        str(before),
        int(str(executed)),
        int(str(optimum)) if optimum else None,
    )


def instances(item: Item[PlanbenchPayload]) -> Instances:
    """What is asked; shown are the examples, and in replanning the problems before the event."""
    shown = [item.payload.before]
    for example in examples_of(item.payload):
        shown += [example.problem, example.before]
    return Instances(_facts(item.payload.problem), tuple(_facts(text) for text in shown if text))


def _facts(problem: str) -> tuple[str, ...]:
    """Equal for the same facts and goals in any order. Texts that differ in more than that may
    also be equal, as what joins the goals is dropped: they are then on the same side, no more."""
    lines = (sorted(_FACT.findall(line)) for line in problem.splitlines())
    return tuple(sorted(" ".join(line) for line in lines if line))
