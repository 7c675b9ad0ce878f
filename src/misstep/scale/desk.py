"""The desk: an actor on the head node, where nodes leave what is new, and home takes it up."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from misstep.core.records import Record


@dataclass(frozen=True)
class Parcel:
    """News of one attempt at a cell: lines of its journal, and records."""

    cell: str
    attempt: int
    node: str
    lines: bytes
    records: tuple[Record, ...]


class Desk:
    """In memory: a parcel that was told stays until it is taken."""

    def __init__(self) -> None:
        self._parcels: list[Parcel] = []
        self._is_new = asyncio.Event()
        self._is_over = False

    async def tell(self, parcel: Parcel | None) -> bool:
        """Whether the work is wanted no more."""
        if parcel is not None:
            self._parcels.append(parcel)
            self._is_new.set()
        return self._is_over

    async def take(self, patience: float) -> list[Parcel]:
        """What has come; waits that many seconds for something."""
        try:
            await asyncio.wait_for(self._is_new.wait(), patience)
        except TimeoutError:
            return []
        self._is_new.clear()
        taken, self._parcels = self._parcels, []
        return taken

    async def close(self) -> None:
        """Tell everybody to stop."""
        self._is_over = True
