"""Shards, or one run on several machines, put into one run folder: whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from misstep.core.errors import BadInput, MisstepError
from misstep.core.faults import together as all_faults
from misstep.core.shards import Shard
from misstep.runner import manifest
from misstep.runner.journal import held
from misstep.runner.manifest import Manifest
from misstep.runner.run import JOURNAL
from misstep.runner.shards import archives, journals
from misstep.runner.shards.parts import Part, check_fit, missing, open_parts, together


@dataclass(frozen=True)
class Merged:
    """The folder of the run, how many parts went into it, and what is not there yet."""

    folder: Path
    manifest: Manifest
    parts: int
    missing: tuple[Shard, ...]
    unfinished: tuple[Path, ...]


def merge(runs: Iterable[Path], out: Path) -> Merged:
    """Make one run of its parts, in `out`, or in a folder of the run's own name there.

    That name is how the run's own command finds it. The folder appears when all of it is on disk;
    until then it is a hidden one, which no command reads. BadInput where the parts don't fit.
    """
    parts = open_parts(runs)
    check_fit(parts)
    lost = missing(parts)
    parts = together(parts)
    unfinished = tuple(part.folder for part in parts if not part.is_finished)
    is_whole = not (lost or unfinished)
    made = merged_manifest(parts, is_whole=is_whole)
    target = out if out.name == made.folder_name else out / made.folder_name
    if target.exists():
        raise BadInput(f"--out: {target} is there already")
    with ExitStack() as stack:
        for part in parts:
            if (part.folder / JOURNAL).exists():
                stack.enter_context(held(part.folder / JOURNAL))
        _put(parts, made, target, is_whole=is_whole)
    return Merged(target, made, len(parts), lost, unfinished)


def merged_manifest(parts: Sequence[Part], *, is_whole: bool) -> Manifest:
    """The first part's, of the whole run: with the parts' calls, and every version that asked."""
    asked = [part.manifest for part in parts]
    shards = (shard for one in asked for shard in ([one.shard] if one.shard else one.merged))
    return replace(
        asked[0],
        shard=None,
        merged=tuple(dict.fromkeys(shards)),
        state="finished" if is_whole else "stopped",
        asked=sum(one.asked for one in asked),
        asked_again=sum(one.asked_again for one in asked),
        faults=all_faults(one.faults for one in asked),
        versions=_versions(asked),
    )


def _versions(asked: Sequence[Manifest]) -> dict[str, str]:
    """Of several machines perhaps several: `3.11.7, 3.12.1`."""
    names = dict.fromkeys(name for one in asked for name in one.versions)
    found = {name: [one.versions.get(name, "none") for one in asked] for name in names}
    return {name: ", ".join(dict.fromkeys(versions)) for name, versions in found.items()}


def _put(parts: Sequence[Part], made: Manifest, target: Path, *, is_whole: bool) -> None:
    half = target.with_name(f".{target.name}.partial")
    try:
        # A kill may have left one.
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(parents=True)
        paths = [part.folder / JOURNAL for part in parts]
        journals.join([path for path in paths if path.exists()], half / JOURNAL)
        archives.join(parts, half, is_whole=is_whole)
        manifest.write(half, made)
        sync(half)
        half.rename(target)
        sync(target.parent)
    except OSError as error:
        raise MisstepError(f"{target}: cannot write: {error.strerror or error}") from None
    finally:
        shutil.rmtree(half, ignore_errors=True)


def sync(folder: Path) -> None:
    """Return when the folder's list of files would survive a loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
