"""What a run and its workers say to each other, over a pipe of their own."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path

from inspect_ai.dataset import Sample

from misstep.core.errors import BadInput
from misstep.core.shards import Shard
from misstep.runner.blocks import shared_out
from misstep.runner.paying.ledger import Share, SharedPurse
from misstep.runner.paying.till import Till
from misstep.runner.run import Plan, Request, plan
from misstep.runner.task import AnyFamily

_OF_THIS_PROCESS = ("family", "watcher", "till", "shard")


@dataclass(frozen=True)
class Order:
    """A worker's share of a request. The family goes by its name, as functions don't travel.

    `modules` are those that make the models' providers known, found in `path`. `share` is of the
    run's purse, where it has one.
    """

    family: str
    settings: Mapping[str, object]
    shard: Shard
    folder: Path
    known: Path
    modules: tuple[str, ...]
    path: tuple[str, ...]
    share: Share | None = None


class End(StrEnum):
    """How a worker's share ended."""

    FINISHED = "finished"
    LEFT = "left"
    SPENT = "spent"
    STOPPED = "stopped"
    FAILED = "failed"
    REFUSED = "refused"
    KILLED = "killed"


@dataclass(frozen=True)
class Ended:
    """A worker's last word; `said` is the reason, where it failed, was killed, or left questions
    that it gave up."""

    end: End
    said: str = ""


def orders(
    request: Request,
    made: Plan,
    folders: Mapping[Shard, Path],
    known: Path,
    option: str = "--workers",
) -> list[Order]:
    """An order for each shard, to be carried out in its folder; `option` shares the run."""
    settings = {
        field.name: getattr(request, field.name)
        for field in fields(request)
        if field.name not in _OF_THIS_PROCESS
    }
    modules = _modules(made, option)
    return [
        Order(made.manifest.family, settings, shard, folder, known, modules, tuple(sys.path))
        for shard, folder in folders.items()
    ]


def samples_of(made: Plan, ordered: Sequence[Order]) -> list[list[Sample]]:
    """Each order's samples: made once, as the items of some families take minutes."""
    return shared_out(made.task.dataset, len(ordered))


def plan_of(order: Order, family: AnyFamily, samples: Sequence[Sample]) -> Plan:
    """The plan of the worker's share, in its own folder."""
    till = None if order.share is None else Till(SharedPurse(order.share))
    request = Request(family=family, shard=order.shard, till=till, **order.settings)  # type: ignore[arg-type]  # the fields of a request, as `orders` took them
    return replace(plan(request, samples), folder=order.folder, known=order.known)


def shares(whole: Shard | None, workers: int) -> Sequence[Shard]:
    """The shards of so many workers: of the run, or of a shard of it."""
    own = whole or Shard(1, 1)
    return [Shard(own.number + own.of * worker, own.of * workers) for worker in range(workers)]


def _modules(made: Plan, option: str) -> tuple[str, ...]:
    models = [made.model] if made.reader is None else [made.model, made.reader]
    modules = tuple(dict.fromkeys(type(model.api).__module__ for model in models))
    if "__main__" in modules:
        raise BadInput(
            f"{option}: {made.manifest.model}: its provider is defined in the script itself, "
            "which workers can't import; put it in a module"
        )
    return modules
