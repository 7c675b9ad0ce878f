"""A PostgreSQL of one's own in a scratch folder, on a Unix socket; stopped and started at will."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

_PLACES = "/usr/lib/postgresql/*/bin"
_USER = "postgres"
_SETTINGS = (
    "-c listen_addresses= -c fsync=on -c shared_buffers=16MB -c max_connections=20 "
    "-c recovery_init_sync_method=syncfs"
)


@dataclass(frozen=True)
class Postgres:
    """`url` is of its one database."""

    binaries: Path
    home: Path
    url: str

    def start(self) -> None:
        options = f"{_SETTINGS} -c unix_socket_directories={self.home}"
        self._control("start", "-o", options, "-l", str(self.home / "log"))

    def stop(self, how: str = "fast") -> None:
        """`immediate`: as if it had crashed."""
        self._control("stop", "-m", how)

    def made(self, name: str) -> str:
        """The URL of an empty schema, which is to whoever connects a database of its own."""
        with psycopg.connect(self.url) as connection:
            connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(name)))
        return f"{self.url}&options=-csearch_path%3D{name}"

    def _control(self, *words: str) -> None:
        _run([str(self.binaries / "pg_ctl"), "-D", str(self.home / "data"), "-w", *words])


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Runs until the block ends; the test is skipped where there is no PostgreSQL.

    Its folder lies directly under the system's own, as a socket's path must be short.
    """
    binaries = _binaries()
    home = Path(tempfile.mkdtemp(prefix="misstep-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(home, _USER)
        _run([str(binaries / "initdb"), "-D", str(home / "data"), "-U", _USER, "-A", "trust", "-N"])
        url = f"postgresql://{_USER}@/postgres?host={home}"
        server = Postgres(binaries, home, url)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(home)


def _binaries() -> Path:
    on_path = shutil.which("initdb")
    found = (
        [Path(on_path).resolve().parent] if on_path else sorted(Path("/").glob(_PLACES.lstrip("/")))
    )
    if not found:
        pytest.skip("PostgreSQL's programs (initdb, pg_ctl) are not installed")
    if os.geteuid() == 0 and _USER not in {one.pw_name for one in pwd.getpwall()}:
        pytest.skip("PostgreSQL doesn't run as root, and there is no user `postgres`")
    return found[-1]


def _run(words: list[str]) -> None:
    """As a user that PostgreSQL runs as; its output goes to no pipe that it could keep open."""
    user = {"user": _USER, "group": _USER, "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(words, cwd="/", stdout=subprocess.DEVNULL, timeout=60, **user)  # type: ignore[call-overload]  # three fixed names
    assert done.returncode == 0, words
