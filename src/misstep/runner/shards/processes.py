"""The processes of a crew: started, listened to, interrupted; one that dies is noticed."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from inspect_ai.dataset import Sample

from misstep.core.records import Record
from misstep.runner.calls.patience import say
from misstep.runner.shards import hands
from misstep.runner.shards.hands import Hand
from misstep.runner.shards.orders import End, Ended, Order

_AT_ONCE = 500


@dataclass(frozen=True)
class Worker:
    """A process at work on an order."""

    number: int
    order: Order
    hand: Hand

    def interrupt(self) -> None:
        """As Ctrl-C does: it closes its log and ends."""
        with suppress(ProcessLookupError):
            self.hand.process.send_signal(signal.SIGINT)


@contextmanager
def started(
    ordered: Sequence[Order], samples: list[list[Sample]], ready: list[Hand]
) -> Iterator[list[Worker]]:
    """Workers under way, each with its samples; none is left at the end, whatever ends it.

    Those that are `ready` are taken from the list first, and the samples from theirs: they are the
    workers' then.
    """
    crew: list[Worker] = []
    try:
        for number, order in enumerate(ordered, 1):
            crew.append(Worker(number, order, ready.pop() if ready else hands.start()))
        while ready:
            ready.pop().dismiss()  # there are fewer groups than workers
        for worker in crew:
            # One that has died meanwhile is noticed when it is listened to.
            with suppress(BrokenPipeError, ConnectionResetError):
                _instruct(worker, samples.pop(0))
        yield crew
    finally:
        for worker in crew:
            worker.hand.dismiss()


def _instruct(worker: Worker, samples: list[Sample]) -> None:
    """Some at a time, so that not all of them stand in memory twice."""
    pipe = worker.hand.pipe
    pipe.send(worker.order)
    for begin in range(0, len(samples), _AT_ONCE):
        pipe.send(samples[begin : begin + _AT_ONCE])
    pipe.send([])


def listen(
    crew: Sequence[Worker], hear: Callable[[Record], None], note_end: Callable[[int], None]
) -> dict[int, Ended]:
    """How each worker ended, when all have; the records are heard as they come, and who has ended.

    Ctrl-C, and a worker whose provider fails, stop the others; a second Ctrl-C ends them at once.
    """
    open_pipes = {worker.hand.pipe: worker for worker in crew}
    ends: dict[int, Ended] = {}
    is_stopped = False
    while open_pipes:
        try:
            for pipe in wait(list(open_pipes)):
                assert isinstance(pipe, Connection)  # noqa: S101 (nothing else is waited for)
                worker = open_pipes[pipe]
                said = _hear(worker)
                if isinstance(said, list):
                    for record in said:
                        hear(record)
                    continue
                if isinstance(said, str):
                    # One speaks for all: what they wait for is the same model.
                    if worker.number == min(one.number for one in open_pipes.values()):
                        say(said)
                    continue
                if is_stopped and said.end is End.SPENT:
                    # Calls that Ctrl-C cut off count at their worst, which may be all there was.
                    said = Ended(End.STOPPED)
                ends[worker.number] = said
                del open_pipes[pipe]
                note_end(worker.number)
                if said.end in (End.FAILED, End.REFUSED):
                    _interrupt(open_pipes.values())
        except KeyboardInterrupt:
            if is_stopped:
                raise
            is_stopped = True
            _interrupt(open_pipes.values())
    return ends


def _interrupt(workers: Iterable[Worker]) -> None:
    for worker in workers:
        worker.interrupt()


def _hear(worker: Worker) -> list[Record] | str | Ended:
    """What a worker says next: records, what it waits for, or how it ended."""
    try:
        said = worker.hand.pipe.recv()
    except (EOFError, ConnectionResetError):
        return _dead(worker)
    assert isinstance(said, (list, str, Ended))  # noqa: S101 (it says nothing else)
    return said


def _dead(worker: Worker) -> Ended:
    """It has gone without a last word."""
    code = worker.hand.process.wait()
    if code == -signal.SIGINT:
        return Ended(End.STOPPED)
    if code < 0:
        return Ended(End.KILLED, f"was killed ({signal.Signals(-code).name})")
    return Ended(End.KILLED, f"ended by itself: {worker.hand.last_words()}")
