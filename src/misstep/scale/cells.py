"""The grid of a run: family × model × arm × shard, a task of Ray's for each cell, and its size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misstep.core.shards import Shard
from misstep.runner.run import Plan, Request
from misstep.runner.shards.orders import shares
from misstep.runner.task import AskedSample
from misstep.scale.asking import Terms, is_embedded, is_local
from misstep.scale.cluster import Machines

ROUNDS = 4
"""Cells for each task that runs at once, so that none waits long for the last, and a machine that
is lost takes little with it."""
FEWEST = 24
"""Samples of a cell, where there are enough: with fewer its start would cost more than its work."""


@dataclass(frozen=True)
class Size:
    """What a task takes of its node."""

    num_cpus: float
    num_gpus: float


@dataclass(frozen=True)
class Cell:
    """A share of the run of that place: the groups of a shard, in these arms."""

    run: int
    shard: Shard
    arms: tuple[str, ...]
    is_of_arm: bool

    @property
    def name(self) -> str:
        """A folder's name, too."""
        arm = f"-arm-{self.arms[0].replace(':', '-')}" if self.is_of_arm else ""
        return f"{self.shard.number}-of-{self.shard.of}{arm}"

    def __str__(self) -> str:
        return f"shard {self.shard}" + (f" of {self.arms[0]}" if self.is_of_arm else "")


def size_of(plan: Plan, terms: Terms, machines: Machines) -> Size:
    """As the terms say; else a card for a local model, a whole node for an embedded one."""
    cpus = min(machines.cpus) if is_embedded(plan) and terms.num_cpus is None else terms.num_cpus
    gpus = float(is_local(plan)) if terms.num_gpus is None else terms.num_gpus
    return Size(1.0 if cpus is None else cpus, gpus)


def goes_by_arm(plan: Plan) -> bool:
    """Whether the arms of a shard are cells of their own.

    A sample is one item in one arm, and asks nothing of other arms, conversations and trees of
    thought neither: each has its own. So arms go apart, but where the model runs on the node: the
    arms of an item begin with the same words, which it evaluates once where it is asked both.
    """
    return len(plan.manifest.arms) > 1 and not (is_local(plan) or is_embedded(plan))


def shards_of(plan: Plan, terms: Terms, machines: Machines, runs: int) -> int:
    """How many shards: as the terms say, or by the tasks that the machines take at once."""
    if terms.shards is not None:
        return min(terms.shards, plan.groups)
    size = size_of(plan, terms, machines)
    at_once = max(1, machines.at_once(size.num_cpus, size.num_gpus))
    # A local model is loaded by every task, which takes longer than the last waits.
    rounds = 1 if is_local(plan) or is_embedded(plan) else ROUNDS
    apart = len(plan.manifest.arms) if goes_by_arm(plan) else 1
    wanted = -(-at_once * rounds // (apart * runs))
    return max(1, min(wanted, plan.groups, plan.samples // (apart * FEWEST)))


def cells_of(run: int, plan: Plan, request: Request, shards: int) -> list[Cell]:
    """Shard by shard; in the order in which they are put together."""
    by_arm = goes_by_arm(plan)
    asked = [(arm,) for arm in plan.manifest.arms] if by_arm else [plan.manifest.arms]
    return [
        Cell(run, shard, arms, by_arm) for shard in shares(request.shard, shards) for arms in asked
    ]


def samples_of(plan: Plan, cells: Sequence[Cell]) -> dict[Cell, list[AskedSample]]:
    """Each cell's samples, in the order of the run."""
    places: dict[object, int] = {}
    by_place: Mapping[tuple[int, str], Cell] = _by_place(cells)
    shards = len(dict.fromkeys(cell.shard for cell in cells))
    found: dict[Cell, list[AskedSample]] = {cell: [] for cell in cells}
    for sample in plan.task.dataset:
        fields = sample.metadata or {}
        place = places.setdefault(fields["group"], len(places)) % shards
        found[by_place[place, str(fields["arm"])]].append(sample)
    return found


def _by_place(cells: Sequence[Cell]) -> dict[tuple[int, str], Cell]:
    shards = list(dict.fromkeys(cell.shard for cell in cells))
    return {(shards.index(cell.shard), arm): cell for cell in cells for arm in cell.arms}
