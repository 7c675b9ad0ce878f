"""The models that run in this process: one child for each settings, its slots and snapshots."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import anyio.to_thread
import httpx

from misstep.core.errors import MisstepError
from misstep.models.llama import TOO_LONG, Llama, LlamaError, connected
from misstep.models.process import Child
from misstep.models.settings import Settings
from misstep.models.snapshots import Cut, Snapshots


@dataclass(frozen=True)
class Slot:
    """A slot of the server that one request has to itself."""

    number: int
    llama: Llama
    snapshots: Snapshots

    async def begin(self, tokens: Sequence[int], cuts: Sequence[Cut]) -> int:
        """Brings the slot to the state after the last cut; the number of tokens computed.

        Every beginning is computed in the same pieces, whatever was asked before, so the state
        is the same to the bit whether it was restored or computed now.
        """
        held = await self._restore_longest(cuts)
        evaluated = 0
        for number in range(held, len(cuts)):
            cut = cuts[number]
            piece = tokens[: cut.length]
            evaluated += await self.llama.evaluate(self.number, piece, goes_on=number > 0)
            await self._save(cut)
        return evaluated

    async def _restore_longest(self, cuts: Sequence[Cut]) -> int:
        for number in range(len(cuts), 0, -1):
            cut = cuts[number - 1]
            if self.snapshots.has(cut) and await self._restore(cut):
                return number
        return 0

    async def _restore(self, cut: Cut) -> bool:
        try:
            await self.llama.restore(self.number, self.snapshots.file(cut))
        except LlamaError:  # somebody emptied the folder; it is computed again
            self.snapshots.lost(cut)
            return False
        self.snapshots.used(cut)
        return True

    async def _save(self, cut: Cut) -> None:
        try:
            size = await self.llama.save(self.number, self.snapshots.file(cut))
        except LlamaError:  # no room for a snapshot; the slot's state is right all the same
            return
        self.snapshots.saved(cut, size)


class Running:
    """A model by its settings. Started at first use, started again after a crash."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._child: Child | None = None
        self._snapshots: Snapshots | None = None
        self._starting = anyio.Lock()
        self._free = anyio.Semaphore(settings.slots)
        self._slots = list(range(settings.slots))

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[Slot]:
        async with self._free:
            number = self._slots.pop()
            try:
                child, snapshots = await self._ready()
                async with _deaths_told(child), connected(child.address, child.key) as llama:
                    yield Slot(number, llama, snapshots)
            finally:
                self._slots.append(number)

    @asynccontextmanager
    async def ask(self) -> AsyncIterator[Llama]:
        """For questions that need no slot, such as counting tokens."""
        child, _ = await self._ready()
        async with _deaths_told(child), connected(child.address, child.key) as llama:
            yield llama

    def stop(self) -> None:
        if self._child is not None:
            self._child.stop()
        self._child = None

    async def _ready(self) -> tuple[Child, Snapshots]:
        async with self._starting:
            if self._child is None or not self._child.is_alive or self._snapshots is None:
                self.stop()
                child = await _started(self.settings)
                self._child, self._snapshots = child, Snapshots(child.snapshots)
            return self._child, self._snapshots


async def _started(settings: Settings) -> Child:
    child = Child(settings)
    is_ready = False
    try:
        await anyio.to_thread.run_sync(child.wait_ready, abandon_on_cancel=True)
        is_ready = True
    finally:
        if not is_ready:
            child.stop()
    return child


@asynccontextmanager
async def _deaths_told(child: Child) -> AsyncIterator[None]:
    try:
        yield
    except httpx.TransportError as error:
        reason = child.death()
        raise MisstepError(f"{child.settings.path}: the model server stopped: {reason}") from error


_running: dict[Settings, Running] = {}
_users: dict[Settings, int] = {}
_guard = threading.Lock()


def enter(settings: Settings) -> Running:
    """The one running model of these settings; each `enter` is matched by a `leave`."""
    with _guard:
        _users[settings] = _users.get(settings, 0) + 1
        return _running.setdefault(settings, Running(settings))


def leave(settings: Settings) -> None:
    """The last one to leave ends the child; all are ended when this process ends."""
    with _guard:
        _users[settings] -= 1
        if not _users[settings]:
            _running.pop(settings).stop()


def is_too_long(error: LlamaError) -> bool:
    return error.kind == TOO_LONG
