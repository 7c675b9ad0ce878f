"""A run with a fixed sum of money, part by part: one plan, with a purse and a pace for each."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace

from inspect_ai import task_with
from inspect_ai.dataset import Sample

from misstep.core.errors import MisstepError
from misstep.core.looks import Look, Watcher, complete_groups
from misstep.core.pilots import LEAST_ITEMS, SHARE, pilot_groups
from misstep.core.records import Record
from misstep.runner.failures import BudgetReached
from misstep.runner.logged import logs
from misstep.runner.paying.purse import Purse
from misstep.runner.paying.till import Till
from misstep.runner.run import Plan, carry_out
from misstep.runner.stopping import Pace, Stopping

PART_ITEMS = 10


@dataclass(frozen=True)
class Done:
    """Where a part ended: the folder's records, how many groups of them are complete, the last
    look, and whether the money had ended."""

    records: tuple[Record, ...]
    looks: int
    look: Look | None
    is_out_of_money: bool

    @property
    def is_decided(self) -> bool:
        return self.look is not None and self.look.is_decided


def pilot_purse(budget: float) -> Purse:
    """The purse of the pilot, which pays for the check of the first answers, too."""
    return Purse(budget * SHARE)


def main_purse(budget: float, pilot: Purse) -> Purse:
    """What the pilot has left."""
    return Purse(max(0.0, budget - pilot.spent))


def pilot_of(plan: Plan, watcher: Watcher, purse: Purse) -> Plan:
    """The first groups of the plan."""
    return _part(plan, watcher, purse, pilot_groups(plan.groups, _size(plan)))


def rest_of(plan: Plan, watcher: Watcher, purse: Purse) -> Plan:
    """The whole plan, whose first groups the journal knows."""
    return _part(plan, watcher, purse, None)


def ask(plan: Plan, carry: Callable[[Plan], object] = carry_out) -> Done:
    """Carry the part out, and read its folder; other ends than that of the money are raised."""
    is_out = False
    try:
        carry(plan)
    except BudgetReached:
        is_out = True
    records = tuple(logs.finished_records(logs.log_files([plan.folder])))
    looks = sum(1 for _ in complete_groups(records, plan.manifest.arms))
    return Done(records, looks, _last_look(plan, records), is_out)


def too_little(plan: Plan, purse: Purse, items: int) -> MisstepError:
    """What to say where the pilot's share did not do for a plan."""
    known = LEAST_ITEMS * purse.spent / items if items else 0.0
    least = (purse.dearest + max(purse.dearest, known)) / SHARE
    return MisstepError(
        f"--budget: the pilot may take {purse.budget:.4g}, {SHARE:.0%} of the sum; it was "
        f"enough for {items} items in all arms, and a plan takes {LEAST_ITEMS} in two groups. A "
        f"call may cost {purse.dearest:.4g}: a sum of {least:.2g} would do, or a lower "
        "--max-tokens; "
        f"the replies are kept in {plan.folder}"
    )


def _part(plan: Plan, watcher: Watcher, purse: Purse, until: int | None) -> Plan:
    pace = Pace(max(1, round(PART_ITEMS / _size(plan))), until)
    looks = Stopping(plan.manifest.arms, watcher, pace)
    # The runner's function changes the task that it is given.
    task = task_with(copy(plan.task), early_stopping=looks)
    till = Till(purse)
    accounts = {name: replace(one, till=till) for name, one in plan.accounts.items()}
    samples = sum(until is None or _look(sample) <= until for sample in plan.task.dataset)
    return replace(plan, task=task, stopping=looks, accounts=accounts, samples=samples)


def _look(sample: Sample) -> int:
    look = (sample.metadata or {})["look"]
    assert isinstance(look, int)  # noqa: S101 (a run with a budget is always one of looks)
    return look


def _size(plan: Plan) -> float:
    """Items a group, on average."""
    items = {(sample.metadata or {})["id"] for sample in plan.task.dataset}
    return len(items) / plan.groups


def _last_look(plan: Plan, records: tuple[Record, ...]) -> Look | None:
    if plan.stopping is None:
        return None
    return plan.stopping.decided_by(records) or plan.stopping.last
