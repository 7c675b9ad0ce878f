"""What of an answer is graded: answers that differ in nothing else count as one in a vote."""

from __future__ import annotations

import re

from misstep.core.items import Item
from misstep.families.planbench.grading.facts import unchanging
from misstep.families.planbench.spec import PlanbenchPayload

_FACT = re.compile(r"[+-]?\((?:[^()]|\([^()]*\))*\)")


def essence(item: Item[PlanbenchPayload], answer: str) -> str:
    """Of a verdict on a plan its class; of a state its facts that can change, in no order; of a
    verdict on an action the verdict and its facts likewise; a plan as it is."""
    payload = item.payload
    if payload.test == "plan-verification":
        return answer.split(" ")[0]
    if payload.test != "plan-execution":
        return answer
    facts = set(_FACT.findall(answer))
    if payload.question == "changes":
        return " ".join([answer.split(" ")[0], *sorted(facts)])
    return " ".join(sorted(facts - unchanging(payload)))
