"""A study's own server in a process of its own, as `misstep study serve` starts it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from misstep.core.errors import BadInput, MisstepError

_READY = "for participants: "
_FAULT = "misstep: "
"""Before what the server says when it can't start."""
_KNOWN = ("Ctrl-C stops\n",)
"""What the server says to who started it by hand."""
_LAST = 15


@contextmanager
def served(words: Sequence[str], database: str) -> Iterator[str]:
    """The address of its page; `words` name the study, as for `misstep study serve`. It is ended
    with the block, with all requests under way answered."""
    process = start(words, database)
    try:
        yield address_of(process)
    finally:
        process.terminate()
        try:
            process.wait(_LAST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def start(words: Sequence[str], database: str, port: int = 0) -> subprocess.Popen[str]:
    """The process; port 0: any free one."""
    command = [sys.executable, "-m", "misstep", "study", "serve", *words]
    command += ["--port", str(port), "--database", database]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def address_of(process: subprocess.Popen[str]) -> str:
    """As soon as it can be asked. Where it can't start, the server's words: BadInput where they are
    about what it was given."""
    assert process.stderr is not None  # noqa: S101 (start() asks for it)
    said = ""
    for line in process.stderr:
        if line.startswith(_READY):
            threading.Thread(target=_drain, args=(process.stderr,), name="misstep-server").start()
            return line.removeprefix(_READY).strip()
        said = line.strip() or said
    process.stderr.close()
    code = process.wait()
    fault = said.removeprefix(_FAULT) or f"it ended with {code}"
    if code == BadInput.exit_code:
        raise BadInput(fault)
    raise MisstepError(f"the study's server did not start: {fault}")


def _drain(lines: IO[str]) -> None:
    """What the server says later: a pipe that nobody reads would stop it."""
    with lines:
        for line in lines:
            if line not in _KNOWN:
                sys.stderr.write(line)
