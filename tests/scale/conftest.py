"""A cluster of two nodes, shared by the tests that need one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from two_nodes import TwoNodes


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoNodes]:
    with warnings.catch_warnings():
        # Ray leaves the files of its logs, and its processes, to the garbage collector.
        warnings.simplefilter("ignore", ResourceWarning)
        nodes = TwoNodes()
        yield nodes
        nodes.close()


@pytest.fixture
def nodes(started: TwoNodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TwoNodes:
    """Both there, and a cache of the test's own."""
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path / "cache"))
    started.add_second()
    return started
