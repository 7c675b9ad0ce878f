"""One participant deleted wholly."""

from __future__ import annotations

import time

from misstep.core.errors import BadInput
from misstep.study.store import people
from misstep.study.store.opening import Store


def forget(store: Store, public: str) -> None:
    """All that is kept of the person, in SQLite's journal too; BadInput where there is nobody."""
    now = time.time_ns() // 1_000_000
    if not store.write(lambda on: people.remove(on, store.number, public, now)).result():
        raise BadInput(f"PARTICIPANT: {public[:40]!r} is nobody in this study")
    store.wipe()
