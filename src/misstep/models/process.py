"""The parent's end of the child process: starts it, finds it dead, ends it."""

from __future__ import annotations

import atexit
import dataclasses
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, cast

from misstep.core.errors import BadInput
from misstep.models.server import Start
from misstep.models.settings import Settings

_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 (a private folder is made in it)

_LAST_SECONDS = 1.0


class Child:
    """One running model server. Ends with `stop`, with this process, or by a crash."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.key = secrets.token_hex(16)
        self.snapshots = _snapshot_folder()
        self.address = ""
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by stop)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "misstep.models.server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
        )
        atexit.register(self.stop)
        self._send(self._start())

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def wait_ready(self) -> None:
        """Blocks until the model is loaded; BadInput in one line if it can't be."""
        line = cast("IO[bytes]", self._process.stdout).readline()  # a pipe, as asked for
        if not line:
            reason = self.death()
            self.stop()
            raise BadInput(f"{self.settings.path}: the model could not be loaded: {reason}")
        self.address = json.loads(line)["address"]

    def death(self) -> str:
        """How the process ended: its last words, and the signal that ended it.

        A closed connection is seen before the end of the process; it has a second to end.
        """
        try:
            code = self._process.wait(timeout=_LAST_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed the connection"
        cause = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").split("\n")
        words = [line.strip() for line in lines if line.strip()]
        return f"{words[-1]} ({cause})" if words else cause

    def stop(self) -> None:
        atexit.unregister(self.stop)
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            if stream is not None:
                stream.close()
        shutil.rmtree(self.snapshots, ignore_errors=True)

    def _start(self) -> Start:
        settings = self.settings
        return Start(
            path=str(settings.path),
            mmproj=None if settings.mmproj is None else str(settings.mmproj),
            slots=settings.slots,
            n_ctx=settings.n_ctx,
            threads=settings.threads,
            snapshots=str(self.snapshots),
            key=self.key,
            follow_thread=threading.current_thread() is threading.main_thread(),
        )

    def _send(self, start: Start) -> None:
        stdin = cast("IO[bytes]", self._process.stdin)  # a pipe, as asked for
        stdin.write(json.dumps(dataclasses.asdict(start)).encode() + b"\n")
        stdin.flush()


def _snapshot_folder() -> Path:
    in_memory = _MEMORY_FOLDER.is_dir() and os.access(_MEMORY_FOLDER, os.W_OK)
    parent = _MEMORY_FOLDER if in_memory else None
    return Path(tempfile.mkdtemp(prefix="misstep-", dir=parent))
