"""What a run's earlier commands paid: a budget is of the whole run, however often it is begun."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from itertools import chain

from inspect_ai.model import ModelOutput

from misstep.runner.journal import lines_of, name_of
from misstep.runner.run import JOURNAL, Plan
from misstep.runner.shards import journals


def count_earlier(plans: Iterable[Plan]) -> None:
    """Put on each plan's purse what its folder holds already, at today's prices.

    A call that was in flight when a process was killed has no price there.
    """
    for plan in plans:
        for account in plan.accounts.values():
            purse = account.till.purse
            if math.isfinite(purse.budget):
                purse.inherit(_spent(plan))
                break


def _spent(plan: Plan) -> float:
    """Also by workers whose run was killed, of whose replies the run's journal knows nothing."""
    lines = chain.from_iterable(map(lines_of, journals.all_of(plan.folder, JOURNAL)))
    costs = {name_of(line["key"]): _cost(plan, line) for line in lines if "key" in line}
    return math.fsum(costs.values())


def _cost(plan: Plan, line: dict[str, str]) -> float:
    """Nothing is known of a reply whose provider doesn't say what it used."""
    account = plan.accounts.get(json.loads(line["key"])[0])
    if account is None:
        return 0.0
    return account.charge(ModelOutput.model_validate_json(line["reply"])) or 0.0
