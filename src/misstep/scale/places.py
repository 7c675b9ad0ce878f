"""Runs whose folder is somewhere else: S3 and whatever else fsspec knows, with a copy at home.

Home works on its copy, in the user's cache, and sends what is finished. What another machine has
sent meanwhile is fetched first.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import fsspec

from misstep.core.errors import BadInput, MisstepError
from misstep.core.places import cache_folder
from misstep.core.seeds import digest
from misstep.runner import manifest
from misstep.runner.journal import owned
from misstep.runner.logged import logs
from misstep.runner.run import JOURNAL
from misstep.runner.shards import journals

_OF_BUCKETS = frozenset(("s3", "s3a", "gs", "gcs", "az", "abfs"))
"""Protocols of stores whose addresses begin with a bucket."""


@dataclass(frozen=True)
class Away:
    """A folder of runs somewhere else, by its address."""

    address: str

    @property
    def home(self) -> Path:
        """The folder of the copies, as `log_dir`."""
        return cache_folder() / "runs" / digest(self.address.rstrip("/")).hex()[:12]

    @cached_property
    def _there(self) -> tuple[Any, str]:  # Any: a file system of fsspec's, which says no types
        try:
            system, root = fsspec.core.url_to_fs(self.address)
        except (ValueError, ImportError, OSError) as error:
            raise BadInput(f"--log-dir: {self.address}: {error}") from None
        return system, str(root).rstrip("/")

    def _place(self, path: Path) -> str:
        return f"{self._there[1]}/{path.relative_to(self.home).as_posix()}"

    def fetch(self, run: Path) -> None:
        """What is there of the run and not here; of the journals, all replies of both."""
        with self._told():
            self._check_bucket()
            system, place = self._there[0], self._place(run)
            if not system.exists(place):
                return
            for file in sorted(system.find(place)):
                here = run / str(file).rpartition(f"{place}/")[2]
                if here.name == JOURNAL:
                    self._fetch_journal(str(file), here)
                elif not here.exists():
                    here.parent.mkdir(parents=True, exist_ok=True)
                    system.get_file(str(file), str(here))

    def _check_bucket(self) -> None:
        """BadInput where there is none: folders are made as needed, but a bucket costs its owner
        money, and its name may have been mistyped."""
        system, root = self._there
        known = [system.protocol] if isinstance(system.protocol, str) else system.protocol
        bucket = root.partition("/")[0]
        if not _OF_BUCKETS.isdisjoint(known) and not system.exists(bucket):
            raise BadInput(
                f"--log-dir: {self.address}: there is no bucket {bucket}, or no credentials open it"
            )

    def _fetch_journal(self, file: str, here: Path) -> None:
        here.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as place, owned(here):
            fetched = Path(place) / JOURNAL
            self._there[0].get_file(file, str(fetched))
            journals.join([fetched], here)

    def send(self, folder: Path) -> None:
        """The files of a folder, its manifest last, as it says what the others are."""
        files = [path for path in folder.iterdir() if path.is_file()]
        with self._told():
            for path in sorted(files, key=lambda path: (path.name == manifest.NAME, path.name)):
                self._there[0].makedirs(self._place(folder), exist_ok=True)
                self._there[0].put_file(str(path), self._place(path))

    def tidy(self, run: Path, *hidden: str) -> None:
        """Take away what is no longer at home: logs that were joined anew, and hidden folders."""
        with self._told():
            system, place = self._there[0], self._place(run)
            for file in system.glob(f"{place}/*{logs.ENDING}"):
                if not (run / str(file).rpartition("/")[2]).exists():
                    system.rm_file(str(file))
            for name in hidden:
                if not (run / name).exists() and system.exists(f"{place}/{name}"):
                    system.rm(f"{place}/{name}", recursive=True)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Within it, what the store refuses is said in one line. Its errors share no class: those
        of S3's library, for one, are plain exceptions."""
        try:
            yield
        except MisstepError:
            raise
        except Exception as error:
            said = " ".join(str(error).split())[:200] or type(error).__name__
            raise MisstepError(f"--log-dir: {self.address}: {said}") from None


def away(log_dir: str | Path) -> Away | None:
    """None for a folder of this machine."""
    return Away(str(log_dir)) if "://" in str(log_dir) else None
