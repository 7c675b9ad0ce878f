"""Client libraries that no model of a run uses stay unloaded.

Before a sample, the runner clears what the libraries of two providers keep for it, and loads them
for that wherever they are installed: seconds, and tens of megabytes, in every process, for a model
that has nothing to do with them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

_RUNNERS = "inspect_ai.model._assistant_internal"
_IS_INSTALLED = {"anthropic": "_HAS_ANTHROPIC", "openai": "_HAS_OPENAI"}
"""For each library, the runner's note of whether it is installed."""


@contextmanager
def left_unloaded() -> Iterator[None]:
    """A library that nothing has loaded keeps nothing: within, it counts as not installed."""
    module = import_module(_RUNNERS)
    usual = {name: getattr(module, name) for name in _IS_INSTALLED.values()}
    for library, name in _IS_INSTALLED.items():
        setattr(module, name, usual[name] and library in sys.modules)
    try:
        yield
    finally:
        for name, is_installed in usual.items():
            setattr(module, name, is_installed)
