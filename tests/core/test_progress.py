"""Progress reaches whoever listens, only while it listens; the choice of items reports it."""

from __future__ import annotations

import sys

import pytest

from misstep import registry
from misstep.core.family import select
from misstep.core.options import read_options
from misstep.core.places import cache_folder
from misstep.core.progress import report, reporting


def test_only_the_innermost_listener_hears_and_only_within() -> None:
    outer: list[int] = []
    inner: list[int] = []
    report(0, 9, "")
    with reporting(lambda done, _total, _what: outer.append(done)):
        report(1, 9, "")
        with reporting(lambda done, _total, _what: inner.append(done)):
            report(2, 9, "")
        report(3, 9, "")
    report(4, 9, "")
    assert (outer, inner) == ([1, 3], [2])


@pytest.mark.parametrize(("limit", "total"), [(None, 20), (5, 5)])
def test_choosing_items_counts_from_nothing_to_all(limit: int | None, total: int) -> None:
    room = registry.family("planbench")
    heard: list[tuple[int, int]] = []
    with reporting(lambda done, of, _what: heard.append((done, of))):
        list(select(room, "quick", limit, 0, read_options(room.spec.options, {}, "planbench")))
    assert list(dict.fromkeys(heard)) == [(done, total) for done in range(total + 1)]


def test_a_world_that_runs_out_ends_its_progress_too() -> None:
    room = registry.family("planbench")
    options = read_options(room.spec.options, {"size": "2", "examples": "0"}, "planbench")
    heard: list[tuple[int, int]] = []
    with reporting(lambda done, of, _what: heard.append((done, of))):
        items = list(select(room, "paper", None, 0, options))
    assert len(items) < 500
    assert heard[-1] == (len(items), len(items))


def test_the_cache_is_where_the_platform_puts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MISSTEP_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    platformdirs = pytest.importorskip("platformdirs")
    assert cache_folder() == platformdirs.user_cache_path("misstep")
    if sys.platform not in ("win32", "darwin"):
        monkeypatch.setenv("HOME", "/somewhere")
        assert str(cache_folder()) == "/somewhere/.cache/misstep"
