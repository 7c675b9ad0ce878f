"""A purse that several processes share: each reckons it from one ledger, which all of them write.

A line of the ledger is something that happened to the purse. The state follows from the lines in
their order, the same in every process to the last bit, so that nothing but lines is ever written:
a process that is killed half-way leaves a torn line, which the next one cuts off.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO

from misstep.runner.journal import append
from misstep.runner.paying.purse import Purse, Reservation

_RUN = 0
_SUMS = tuple(one.name for one in fields(Purse) if not one.name.startswith("_"))
"""What a purse is, but for calls under way."""


@dataclass(frozen=True)
class Share:
    """Where the ledger is, and which of its processes this is: from 1; the run itself asks none."""

    ledger: Path
    process: int


class SharedPurse(Purse):
    """As the single purse, for calls of this process; every sum is that of all processes.

    They are served in turn: a process whose call doesn't fit stands in line, and until it is served
    no other's call is, so that cheap calls elsewhere don't slip past a dear one. What is read
    between two operations is as of the last one.
    """

    look_again = 0.02

    def __init__(self, share: Share) -> None:
        super().__init__()
        self._path, self._own = share.ledger, share.process
        self._forget()
        with self._turn():
            pass

    def reserve(self, worst: float) -> Reservation | None:
        with self._turn() as file:
            before = self.dearest, list(self._line)
            is_turn = self._line[:1] in ([], [self._own])
            if is_turn and (found := self._serve(self._own, worst)) is not None:
                self._write(file, "serve", self._own, worst)
                return found
            self._wait(self._own, worst * self.overrun)
            # A call that looks again and again leaves no line for each time.
            if before != (self.dearest, self._line):
                self._write(file, "wait", self._own, worst * self.overrun)
            return None

    def settle(self, reservation: Reservation, actual: float) -> None:
        self._do("settle", reservation.number, actual)

    def lose(self, reservation: Reservation) -> None:
        self._do("lose", reservation.number)

    def release(self, reservation: Reservation) -> None:
        self._do("release", reservation.number)

    def close(self, worst: float) -> None:
        """Unless something has happened since this process last looked: it may fit now."""
        seen = self._place
        with self._turn() as file:
            if self._place == seen and self._line[:1] == [self._own]:
                super().close(worst)
                self._write(file, "close", worst)

    def note(self, worst: float) -> None:
        if worst > self.dearest:
            self._do("note", worst)

    def leave(self) -> None:
        if self._own in self._line:
            self._do("leave", self._own)

    def gone(self, process: int) -> None:
        """It has ended, or was killed: what it had set aside may have been charged for."""
        self._do("gone", process)

    def end(self) -> None:
        """All processes have."""
        with self._turn():
            left = {process for process, _ in self._under_way.values()}
        for process in sorted(left):
            self.gone(process)

    def _do(self, *entry: object) -> None:
        with self._turn() as file:
            self._apply(list(entry))
            self._write(file, *entry)

    def _write(self, file: BinaryIO, *entry: object) -> None:
        """What has happened here, for the others."""
        self._place += _put(file, *entry)

    @contextmanager
    def _turn(self) -> Iterator[BinaryIO]:
        """Within it the ledger is this process's alone, and all of it is known."""
        with self._path.open("rb+", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                self._read(file)
                yield file
            except BaseException:
                # Only what the ledger holds has happened: on a full disk, at a Ctrl-C.
                self._forget()
                raise

    def _read(self, file: BinaryIO) -> None:
        """What others have written since."""
        end = os.fstat(file.fileno()).st_size
        text = os.pread(file.fileno(), end - self._place, self._place)
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            file.truncate(self._place + whole)
        for line in text[:whole].splitlines():
            self._apply(json.loads(line))
        self._place += whole

    def _forget(self) -> None:
        """Nothing is known, and all is read when it is next needed."""
        self._place = 0
        self._aside, self._next = {}, 0
        self._under_way: dict[int, tuple[int, Reservation]] = {}
        self._line: list[int] = []

    def _apply(self, entry: list[Any]) -> None:  # Any: JSON values
        match entry:
            case ["open", sums]:
                for name in _SUMS:
                    setattr(self, name, sums[name])
            case ["serve", process, worst]:
                self._serve(process, worst)
            case ["wait", process, worst]:
                self._wait(process, worst)
            case ["settle", number, actual]:
                super().settle(self._ended(number), actual)
            case ["lose", number]:
                super().lose(self._ended(number))
            case ["release", number]:
                super().release(self._ended(number))
            case ["close", worst]:
                super().close(worst)
            case ["note", worst]:
                super().note(worst)
            case ["leave", process]:
                self._stand_back(process)
            case ["gone", process]:
                self._bury(process)
            case _:
                raise AssertionError(f"{self._path}: no line of a ledger: {entry}")

    def _serve(self, process: int, worst: float) -> Reservation | None:
        found = super().reserve(worst)
        if found is not None:
            self._under_way[found.number] = (process, found)
            self._line = self._line[1:]
        return found

    def _wait(self, process: int, worst: float) -> None:
        super().note(worst)
        if process not in self._line:
            self._line.append(process)

    def _ended(self, number: int) -> Reservation:
        return self._under_way.pop(number)[1]

    def _bury(self, process: int) -> None:
        for number, (owner, reservation) in list(self._under_way.items()):
            if owner == process:
                super().lose(reservation)
                del self._under_way[number]
        self._stand_back(process)

    def _stand_back(self, process: int) -> None:
        self._line = [one for one in self._line if one != process]


@contextmanager
def shared(purse: Purse, ledger: Path) -> Iterator[SharedPurse]:
    """Within it processes pay from the purse by their shares in a new ledger; then it holds what is
    left. All of them have ended by then, and calls that they leave open count at their worst."""
    assert purse.is_idle  # noqa: S101 (the run asks nothing while its workers do)
    sums = {name: getattr(purse, name) for name in _SUMS}
    with ledger.open("xb", buffering=0) as file:
        _put(file, "open", sums)
    common = SharedPurse(Share(ledger, _RUN))
    try:
        yield common
    finally:
        try:
            common.end()
        finally:
            for name in _SUMS:
                setattr(purse, name, getattr(common, name))


def _put(file: BinaryIO, *entry: object) -> int:
    """How many bytes it took."""
    line = (json.dumps(entry) + "\n").encode()
    append(file, line)
    return len(line)
