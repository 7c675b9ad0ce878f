"""Several processes of this machine, each asking its share of a run, put together at the end."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from misstep.core.errors import BadInput, MisstepError
from misstep.core.records import Record
from misstep.runner import manifest
from misstep.runner.failures import BudgetReached, Incomplete
from misstep.runner.journal import in_flight, lines_of, owned
from misstep.runner.logged import logs
from misstep.runner.manifest import Manifest
from misstep.runner.paying.ledger import Share, shared
from misstep.runner.run import (
    JOURNAL,
    Plan,
    Request,
    Run,
    Stopped,
    make_folder,
    remove_unfinished,
)
from misstep.runner.shards import archives, journals
from misstep.runner.shards.hands import MOST_WORKERS, Hand
from misstep.runner.shards.merging import merged_manifest
from misstep.runner.shards.orders import End, Ended, Order, orders, samples_of, shares
from misstep.runner.shards.parts import Part
from misstep.runner.shards.processes import listen, started

_OWN = re.compile(r"; \d+ of \d+ answers are kept")
"""What a worker says of its own folder, which is gone when it is read."""
_LEDGER = "paid.jsonl"
"""In the workers' folder: what they pay from the run's purse."""
Listener = Callable[[Record], None]
_LOADED = ("embedded", "hf", "nnterp", "transformer_lens")
"""Providers that hold the model's weights in the process."""
_SERVING = ("vllm", "sglang", "llama-cpp-python")
"""Providers that start a server of their own, unless one is named."""


def check(made: Plan, workers: int) -> None:
    """BadInput for a run that several processes can't share."""
    if not 1 <= workers <= MOST_WORKERS:
        raise BadInput(f"--workers: {workers} is not between 1 and {MOST_WORKERS}")
    if workers == 1:
        return
    asked = made.manifest
    provider = asked.model.partition("/")[0]
    if provider in _LOADED:
        raise BadInput(
            f"--workers: {asked.model} runs inside the process, on every core there is; "
            "leave out --workers"
        )
    server = f"{provider.upper().replace('-', '_')}_BASE_URL"
    if provider in _SERVING and "base_url" not in asked.model_args and server not in os.environ:
        raise BadInput(
            f"--workers: {asked.model} would start a server in each worker; start one, and name "
            "it with -M base_url=ADDRESS"
        )
    if asked.is_sequential:
        raise BadInput(
            "--workers: --sequential looks at every group of the run in turn, and a worker has a "
            "share of them; leave out one of the two"
        )


def carry_out(
    made: Plan,
    request: Request,
    workers: int,
    listener: Listener | None = None,
    ready: list[Hand] | None = None,
) -> Run:
    """As `run.carry_out`, by so many processes; never more than there are groups.

    Those that are `ready` (`hands.waiting`) are taken from the list first. Raises `Stopped` after
    Ctrl-C, and MisstepError where a worker failed or was killed; what was answered is kept in
    either case.
    """
    count = min(workers, made.groups)
    make_folder(made.folder)
    try:
        journals.absorb(made.folder, JOURNAL)
        with owned(made.folder / JOURNAL):
            done = _work(made, request, _orders(made, request, count), listener, ready or [])
    except OSError as error:
        raise MisstepError(f"{made.folder}: cannot write: {error.strerror or error}") from None
    return replace(done, records=tuple(logs.read_records(logs.log_files([made.folder]))))


def _work(
    made: Plan,
    request: Request,
    ordered: Sequence[Order],
    listener: Listener | None,
    ready: list[Hand],
) -> Run:
    remove_unfinished(made.folder)
    begun = replace(
        made.manifest,
        asked_again=max(made.manifest.asked_again, in_flight(made.folder / JOURNAL)),
        faults=manifest.faults_in(made.folder),
        versions=manifest.installed(),
        merged=manifest.merged_in(made.folder),
    )
    manifest.write(made.folder, begun)
    heard = 0

    def hear(record: Record) -> None:
        nonlocal heard
        heard += 1
        if listener is not None:
            listener(record)

    samples = samples_of(made, ordered)
    made.let_go()
    with (
        _paying(made, request) as note_end,
        started(ordered, samples, ready) as crew,
    ):
        ends = listen(crew, hear, note_end)
    is_whole = all(one.end is End.FINISHED for one in ends.values())
    ended = _put_together(begun, made.folder, ordered, is_whole=is_whole)
    if not is_whole:
        raise _reason(made, ends, heard)
    return Run(made.folder, ended, ())


def _orders(made: Plan, request: Request, count: int) -> list[Order]:
    """One for each worker, in a folder of its own beneath the run's."""
    place = made.folder / journals.WORKERS
    folders = {
        shard: place / f"{number}-of-{count}"
        for number, shard in enumerate(shares(request.shard, count), 1)
    }
    for folder in folders.values():
        folder.mkdir(parents=True)
    ordered = orders(request, made, folders, made.folder / JOURNAL)
    if request.till is None:
        return ordered
    return [
        replace(one, share=Share(place / _LEDGER, number)) for number, one in enumerate(ordered, 1)
    ]


@contextmanager
def _paying(made: Plan, request: Request) -> Iterator[Callable[[int], None]]:
    """Within it the workers share the run's purse, if there is one, which is told who has ended."""
    if request.till is None:
        yield lambda _number: None
        return
    ledger = made.folder / journals.WORKERS / _LEDGER
    with shared(request.till.purse, ledger) as purse:
        yield purse.gone


def _put_together(
    begun: Manifest, folder: Path, ordered: Sequence[Order], *, is_whole: bool
) -> Manifest:
    """All that the workers have, in the run's folder. Their folders go when it is there."""
    there = [one.folder for one in ordered if (one.folder / manifest.NAME).exists()]
    parts = [Part(place, manifest.read(place)) for place in there]
    kept = [one.folder / JOURNAL for one in ordered if (one.folder / JOURNAL).exists()]
    journals.join(kept, folder / JOURNAL)
    ended = replace(begun, state="finished" if is_whole else "stopped")
    if parts:
        archives.join(parts, folder, is_whole=is_whole)
        both = merged_manifest(parts, is_whole=is_whole)
        faults = begun.faults.plus(both.faults)
        ended = replace(ended, asked=begun.asked + both.asked, faults=faults)
    manifest.write(folder, ended)
    shutil.rmtree(folder / journals.WORKERS)
    return ended


def _reason(made: Plan, ends: Mapping[int, Ended], heard: int) -> MisstepError:
    """Why the run isn't whole: a provider's refusal before a worker's death, and that before the
    end of the budget, or a Ctrl-C."""
    kept = f"{heard} of {made.samples} answers are kept in {made.folder}"
    for end in (End.REFUSED, End.FAILED):
        for one in ends.values():
            if one.end is end:
                kind = BadInput if end is End.REFUSED else MisstepError
                reason = _OWN.split(one.said)[0]
                return kind(f"{reason}; {kept}; the same command goes on from there")
    for number, one in sorted(ends.items()):
        if one.end is End.KILLED:
            return MisstepError(
                f"worker {number} of {len(ends)} {one.said}; {kept}; the same command goes on "
                "from there"
            )
    if any(one.end is End.SPENT for one in ends.values()):
        purse = next(iter(made.accounts.values())).till.purse
        return BudgetReached(made, purse, heard)
    if any(one.end is End.STOPPED for one in ends.values()):
        return Stopped(made.folder, heard, made.samples, _replies(made))
    because = dict.fromkeys(one.said for one in ends.values() if one.end is End.LEFT)
    return Incomplete(made, heard, ", ".join(because))


def _replies(made: Plan) -> int:
    return sum("key" in line for line in lines_of(made.folder / JOURNAL))
