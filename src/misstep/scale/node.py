"""What happens on a node: a cell of the grid is asked there, and all that comes of it is sent home.

The cell's run folder is a temporary one of the node. Replies and records are posted as they come,
so that of a node that is lost no reply is lost with it but those that were on their way.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ray.util

from misstep.core.errors import BadInput, MisstepError
from misstep.core.family import Family, Options
from misstep.core.pictures import Picture
from misstep.core.records import Record
from misstep.registry import family as room_of
from misstep.runner import manifest
from misstep.runner.failures import Incomplete
from misstep.runner.logged import logs
from misstep.runner.run import JOURNAL, Stopped, ask
from misstep.runner.shards.orders import End, Ended, Order, plan_of
from misstep.runner.task import AskedSample
from misstep.scale.desk import Parcel

_OFTEN = 0.1
"""Seconds between two looks at what is new."""
Kept = Mapping[str, tuple[bytes, ...]]
"""The contents of the pictures of each item, by its id."""


@dataclass(frozen=True)
class Errand:
    """A cell as it goes to a node.

    `named` are the family's options as records name them, which may hang on files that only the
    machine at home has. `known` are lines of the journal.
    """

    cell: str
    attempt: int
    order: Order
    named: Options
    known: bytes
    version: str


@dataclass(frozen=True)
class Done:
    """What came of a cell: how it ended, where, and the files of its run folder but the journal."""

    ended: Ended
    node: str
    files: Mapping[str, bytes]


def work(
    errand: Errand, samples: Sequence[AskedSample], kept: Kept | None, desk: Any
) -> Done:  # Any: an actor's handle
    """Ask the cell's samples. A task of Ray's, which runs in the main thread of its process."""
    node = _name()
    with TemporaryDirectory(prefix="misstep-") as place:
        folder = Path(place) / "run"
        folder.mkdir()
        known = Path(place) / "known.jsonl"
        known.write_bytes(errand.known)
        order = replace(errand.order, folder=folder, known=known)
        with _interruptible(), _posting(errand, folder / JOURNAL, node, desk) as records:
            ended = _asked(errand, order, samples, kept, records)
        names = [manifest.NAME, *(path.name for path in folder.glob("*" + logs.ENDING))]
        there = [folder / name for name in names if (folder / name).exists()]
        return Done(ended, node, {path.name: path.read_bytes() for path in there})


def _asked(
    errand: Errand,
    order: Order,
    samples: Sequence[AskedSample],
    kept: Kept | None,
    records: list[Record],
) -> Ended:
    try:
        _prepare(errand)
        room = as_at_home(room_of(order.family), errand.named, kept)
        ask(plan_of(order, room, samples), records.append)
        return Ended(End.FINISHED)
    except (Stopped, KeyboardInterrupt):
        return Ended(End.STOPPED)
    except Incomplete as incomplete:
        return Ended(End.LEFT, incomplete.because)
    except BadInput as error:
        return Ended(End.REFUSED, str(error))
    except MisstepError as error:
        return Ended(End.FAILED, str(error))


def _name() -> str:
    address = ray.util.get_node_ip_address()  # type: ignore[no-untyped-call]  # Ray says no types
    return f"{socket.gethostname()} ({address})"


def _prepare(errand: Errand) -> None:
    """The modules of the models' providers, found where home finds them, if that is here, too."""
    own = manifest.installed()["misstep"]
    if own != errand.version:
        raise BadInput(
            f"--on: {_name()} has misstep {own}, and this machine "
            f"{errand.version}; install one version on all"
        )
    sys.path.extend(place for place in errand.order.path if place not in sys.path)
    for module in errand.order.modules:
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            raise BadInput(f"--on: {_name()}: {error}") from None


def as_at_home(
    room: Family[Any], named: Options, kept: Kept | None
) -> Family[Any]:  # Any: any payload
    """The family, without a look at files that only the machine at home has."""
    room = replace(room, named=lambda _options: named)
    if kept is None or room.pictures is None:
        return room
    shown = room.pictures

    def pictures(item: Any) -> tuple[Picture, ...]:  # Any: an item of any payload
        contents = kept[item.id]
        return tuple(
            replace(picture, content=lambda content=content: content)  # type: ignore[misc]  # bound now
            for picture, content in zip(shown(item), contents, strict=True)
        )

    return replace(room, pictures=pictures)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Within it an interruption is Python's own, as the runner knows it. Ray blocks it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)


@contextmanager
def _posting(
    errand: Errand, journal: Path, node: str, desk: Any
) -> Iterator[list[Record]]:  # Any: as above
    """Posts the journal's new lines and the records in the list, now and then and at the end."""
    records: list[Record] = []
    is_over = threading.Event()
    post = _Post(errand, journal, node, desk, records)
    thread = threading.Thread(target=post.keep_on, args=(is_over,), daemon=True)
    thread.start()
    try:
        yield records
    finally:
        is_over.set()
        thread.join()
        post.send()


class _Post:
    """What was sent so far, and what is new since. One thread at a time uses it."""

    def __init__(
        self, errand: Errand, journal: Path, node: str, desk: Any, records: list[Record]
    ) -> None:  # Any: as above
        self._errand, self._journal, self._node, self._desk = errand, journal, node, desk
        self._records = records
        self._sent = 0
        self._read = 0

    def keep_on(self, is_over: threading.Event) -> None:
        """Until it is over, or the one at home wants the cell to stop."""
        self.send(is_first=True)
        while not is_over.wait(_OFTEN):
            if self.send():
                os.kill(os.getpid(), signal.SIGINT)
                return

    def send(self, *, is_first: bool = False) -> bool:
        """Whether the cell is wanted no more."""
        lines, records = self._new_lines(), self._records[self._sent :]
        parcel = Parcel(self._errand.cell, self._errand.attempt, self._node, lines, tuple(records))
        wants_end = bool(
            ray.get(self._desk.tell.remote(parcel if lines or records or is_first else None))
        )
        self._sent += len(records)
        self._read += len(lines)
        return wants_end

    def _new_lines(self) -> bytes:
        """Whole ones only."""
        if not self._journal.exists():
            return b""
        with self._journal.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        return new[: new.rfind(b"\n") + 1]
