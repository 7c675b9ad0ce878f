"""One participant deleted wholly."""

from __future__ import annotations

import time

from misstep.core.errors import BadInput
from misstep.study.store import people
from misstep.study.store.opening import Store


def check_there(store: Store, public: str) -> None:
    """BadInput where there is nobody of this id."""
    if store.read(lambda on: people.by_public(on, store.number, public)) is None:
        raise _nobody(public)


def forget(store: Store, public: str) -> None:
    """All that is kept of the person, in SQLite's journal too; BadInput where there is nobody."""
    now = time.time_ns() // 1_000_000
    if not store.write(lambda on: people.remove(on, store.number, public, now)).result():
        raise _nobody(public)
    store.wipe()


def _nobody(public: str) -> BadInput:
    return BadInput(f"PARTICIPANT: {public[:40]!r} is nobody in this study")
