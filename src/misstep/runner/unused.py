"""Client libraries that no model of a run uses stay unloaded.

Before a sample, the runner clears what the libraries of two providers keep for it, and loads them
for that wherever they are installed: seconds, and tens of megabytes, in every process, for a model
that has nothing to do with them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module

_PLACE = "inspect_ai.model._assistant_internal"
_NOTES = {"anthropic": "_HAS_ANTHROPIC", "openai": "_HAS_OPENAI"}
"""For each library, the name of the runner's note on whether it is installed."""


@dataclass(frozen=True)
class _Loaded:
    """True as soon as something has loaded the library: until then it keeps nothing."""

    library: str

    def __bool__(self) -> bool:
        return self.library in sys.modules


@contextmanager
def left_unloaded() -> Iterator[None]:
    """Within, a library that nothing has loaded counts as not installed.

    The notes are the runner's own: where another version of it has none, all is as it would be.
    """
    place: dict[str, object] = {}
    with suppress(ImportError):
        place = vars(import_module(_PLACE))
    usual = {name: place[name] for name in _NOTES.values() if name in place}
    place.update({name: _Loaded(library) for library, name in _NOTES.items() if usual.get(name)})
    try:
        yield
    finally:
        place.update(usual)
