"""A store elsewhere: what it refuses is one line, and no bucket is made that nobody asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from misstep.core.errors import BadInput, MisstepError
from misstep.scale.places import Away


class Buckets(MemoryFileSystem):  # type: ignore[misc]  # the library says no types
    """In memory, with addresses that begin with a bucket."""

    protocol = ("s3", "s3a")
    cachable = False


class Refusing(Buckets):
    """Its errors are nothing but exceptions, as those of S3's library."""

    def exists(self, path: str, **_: object) -> bool:
        raise Exception("Unable to\n locate credentials")


def buckets() -> Buckets:
    """With none in it; the library's own is one for all."""
    system = Buckets()
    system.store, system.pseudo_dirs = {}, [""]
    return system


def away(system: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch, place: Path) -> Away:
    monkeypatch.setenv("MISSTEP_CACHE", str(place))
    one = Away("s3://bucket/logs")
    vars(one)["_there"] = (system, "bucket/logs")
    return one


def test_a_mistyped_bucket_is_told_and_not_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    system = buckets()
    one = away(system, monkeypatch, tmp_path)
    with pytest.raises(
        BadInput, match=r"^--log-dir: s3://bucket/logs: there is no bucket bucket, or"
    ):
        one.fetch(one.home / "run")
    assert not system.exists("bucket")
    system.mkdir("bucket")
    one.fetch(one.home / "run")
    assert not system.exists("bucket/logs"), "nothing is made by looking"


def test_an_error_of_any_class_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = away(Refusing(), monkeypatch, tmp_path)
    with pytest.raises(MisstepError, match=r"^--log-dir: s3://bucket/logs: Unable to locate cred"):
        one.fetch(one.home / "run")


def test_a_folder_comes_back_as_it_was_sent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    system = buckets()
    system.mkdir("bucket")
    one = away(system, monkeypatch, tmp_path)
    run = one.home / "run"
    run.mkdir(parents=True)
    (run / "manifest.json").write_text("{}")
    (run / "log.eval").write_bytes(b"\x00log")
    one.send(run)
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path / "other"))
    one.fetch(one.home / "run")
    there = {path.name: path.read_bytes() for path in (one.home / "run").iterdir()}
    assert there == {"manifest.json": b"{}", "log.eval": b"\x00log"}
