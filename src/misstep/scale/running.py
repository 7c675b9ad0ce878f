"""Runs on many machines: `misstep run --on ray`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace

from misstep.core.errors import BadInput, MisstepError
from misstep.core.records import Record
from misstep.runner.failures import Incomplete
from misstep.runner.journal import lines_of
from misstep.runner.logged import logs
from misstep.runner.run import JOURNAL, Plan, Request, Run, Stopped
from misstep.runner.shards.orders import End
from misstep.scale.asking import Terms
from misstep.scale.cells import cells_of, samples_of, shards_of, size_of
from misstep.scale.cluster import Machines, joined
from misstep.scale.grid import Asked, Grid, reasons
from misstep.scale.keeping import grid_before, kept
from misstep.scale.places import Away

_OWN = re.compile(r"; \d+ of \d+ answers are kept")
"""What a node says of its own folder, which is gone when it is read."""
Listeners = Sequence[Callable[[Record], None]]
Told = Callable[[str], None]


def carry_out(
    pairs: Sequence[tuple[Plan, Request]], terms: Terms, listeners: Listeners, tell: Told
) -> list[Run | Incomplete]:
    """All runs at once, each heard by its listener; `tell` hears of the machines, in lines.

    Raises `Stopped` after Ctrl-C, and MisstepError where a cell failed; what was answered is kept
    in any case, and goes on by the same call. A run that gave questions up comes as the reason.
    """
    with joined(terms.on) as machines, ExitStack() as stack:
        asked = [
            _asked(place, pair, terms, machines, len(pairs), stack)
            for place, pair in enumerate(pairs)
        ]
        _tell_size(asked, machines, tell)
        grid = Grid(asked, machines, lambda run, record: listeners[run](record), tell)
        is_over = grid.carry_out()
        if grid.lost:
            tell(f"{grid.lost} of {grid.started} tasks were lost with their nodes, and done again")
        runs = [one.keeper.put_together(one.cells, is_whole=_is_whole(one)) for one in asked]
    if terms.log_dir is not None:
        tell(f"kept in {', '.join(f'{terms.log_dir}/{run.folder.name}' for run in runs)}")
    if not is_over and (reason := _reason(grid, asked)) is not None:
        raise reason
    return [_outcome(grid, place, run) for place, run in enumerate(runs)]


def carry_out_one(
    plan: Plan, request: Request, terms: Terms, listener: Callable[[Record], None] | None
) -> Run:
    """One run, as `runner.run.carry_out`; it is told of no machines."""
    (done,) = carry_out(
        [(plan, request)], terms, [listener or (lambda _record: None)], lambda _line: None
    )
    if isinstance(done, Incomplete):
        raise done
    return done


def _outcome(grid: Grid, place: int, run: Run) -> Run | Incomplete:
    one = grid.asked[place]
    if not _is_whole(one):
        return Incomplete(one.keeper.plan, grid.heard(place), reasons(grid, place)[End.LEFT])
    return replace(run, records=tuple(logs.read_records(logs.log_files([run.folder]))))


def _asked(
    place: int,
    pair: tuple[Plan, Request],
    terms: Terms,
    machines: Machines,
    runs: int,
    stack: ExitStack,
) -> Asked:
    plan, request = pair
    # Finished cells count only in the grid that they were of.
    before = grid_before(plan.folder) if terms.shards is None else None
    shards = min(before, plan.groups) if before else shards_of(plan, terms, machines, runs)
    cells = tuple(cells_of(place, plan, request, shards))
    keeper = stack.enter_context(kept(plan, samples_of(plan, cells), shards, away_of(terms)))
    return Asked(request, keeper, cells, size_of(plan, terms, machines))


def away_of(terms: Terms) -> Away | None:
    """Where the runs are kept, if that is no folder of this machine."""
    return None if terms.log_dir is None else Away(terms.log_dir)


def _tell_size(asked: Sequence[Asked], machines: Machines, tell: Told) -> None:
    cells = sum(len(one.cells) for one in asked)
    nodes = len(machines.cpus)
    tell(
        f"{cells} {'task' if cells == 1 else 'tasks'} on {nodes} "
        f"{'node' if nodes == 1 else 'nodes'} with {sum(machines.cpus):g} CPUs and "
        f"{sum(machines.gpus):g} GPUs"
    )
    for one in asked:
        size = one.size
        if machines.at_once(size.num_cpus, size.num_gpus):
            continue
        wanted = f"{size.num_cpus:g} CPUs and {size.num_gpus:g} GPUs"
        if machines.is_ours:
            raise BadInput(
                f"--on: a task on {one.keeper.begun.model} takes {wanted}, which this machine "
                "doesn't have; --num-cpus and --num-gpus say otherwise"
            )
        tell(f"! no node has {wanted}, which a task takes: waiting for one")


def _is_whole(one: Asked) -> bool:
    return one.keeper.finished >= set(one.cells)


def _reason(grid: Grid, asked: Sequence[Asked]) -> MisstepError | None:
    """Of all runs one reason: a refusal before a failure, that before a Ctrl-C. None where some
    only gave questions up."""
    for end in (End.REFUSED, End.FAILED):
        for run, one in enumerate(asked):
            said = reasons(grid, run).get(end)
            if said is not None:
                plan = one.keeper.plan
                kept_there = (
                    f"{grid.heard(run)} of {plan.samples} answers are kept in {plan.folder}"
                )
                kind = BadInput if end is End.REFUSED else MisstepError
                return kind(
                    f"{_OWN.split(said)[0]}; {kept_there}; the same command goes on from there"
                )
    stopped = [run for run in range(len(asked)) if End.STOPPED in reasons(grid, run)]
    if not stopped:
        return None
    plan = asked[stopped[0]].keeper.plan
    replies = sum("key" in line for line in lines_of(plan.folder / JOURNAL))
    return Stopped(plan.folder, grid.heard(stopped[0]), plan.samples, replies)
