"""The parts of one run: which folders they are, whether they fit, and which shards are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.shards import Shard, ending_of, read_shard
from misstep.runner import manifest
from misstep.runner.logged import logs
from misstep.runner.manifest import Manifest

_SAME = (
    "family",
    "family_version",
    "model",
    "model_args",
    "seed",
    "options",
    "temperature",
    "max_tokens",
    "scale",
    "limit",
    "repeat",
    "reader",
    "log_images",
    "prices",
)
"""Fields of the manifest that all parts of one run have in common."""


@dataclass(frozen=True)
class Part:
    """A run folder with what its manifest says."""

    folder: Path
    manifest: Manifest

    @property
    def shard(self) -> Shard | None:
        """None for a run that was asked as a whole."""
        return None if self.manifest.shard is None else read_shard(self.manifest.shard)

    @property
    def is_finished(self) -> bool:
        return self.manifest.state == "finished"

    @cached_property
    def logs(self) -> list[Path]:
        """Those that were closed, oldest first; the journal has what others would hold."""
        files = self.folder.glob("*" + logs.ENDING)
        return logs.by_age(file for file in files if not logs.is_unfinished(file))


def open_parts(runs: Iterable[Path]) -> list[Part]:
    """The run folders at or beneath these places, by their shards; each once."""
    folders: dict[Path, Path] = {}
    for run in runs:
        if not run.exists():
            raise BadInput(f"RUN: {run} does not exist")
        if not run.is_dir():
            raise BadInput(f"RUN: {run} is a file; the folders of runs are merged")
        found = [path.parent for path in logs.visible(run, manifest.NAME)]
        if not found:
            raise BadInput(f"RUN: {run} holds no run ({manifest.NAME})")
        folders |= {folder.resolve(): folder for folder in found}
    parts = [Part(folder, manifest.read(folder)) for folder in folders.values()]
    return sorted(parts, key=lambda part: part.shard.number if part.shard else 0)


def check_fit(parts: Sequence[Part]) -> None:
    """BadInput, naming field and values, where the folders are no parts of one run."""
    if len(parts) < 2:
        raise BadInput(f"RUN: {parts[0].folder} is the only run there; nothing to merge it with")
    first = parts[0]
    for part in parts:
        _check_kind(part)
    _check_arms(parts)
    for part in parts[1:]:
        for field in _SAME:
            _check_same(field, first, part)
        if _of(first) != _of(part):
            _refuse("shard", first, part, first.manifest.shard, part.manifest.shard)


def together(parts: Sequence[Part]) -> list[Part]:
    """The parts as those of a run of all their arms, which stand in the order of the parts."""
    arms = _arms_of(parts)
    own = {name: one for part in parts for name, one in part.manifest.own_arms.items()}
    return [
        replace(part, manifest=replace(part.manifest, arms=arms, own_arms=own)) for part in parts
    ]


def _arms_of(parts: Sequence[Part]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(arm for part in parts for arm in part.manifest.arms))


def missing(parts: Sequence[Part]) -> tuple[Shard, ...]:
    """The shards that none of these folders holds, or not in every arm of the others."""
    sharded = [part for part in parts if part.shard is not None]
    there = {(part.shard, arm) for part in sharded for arm in part.manifest.arms}
    of = sharded[0].shard.of if sharded and sharded[0].shard else 0
    every = (Shard(number, of) for number in range(1, of + 1))
    arms = _arms_of(sharded)
    return tuple(one for one in every if any((one, arm) not in there for arm in arms))


def notes(files: Iterable[Path]) -> list[str]:
    """A line for each run of which these logs hold some shards and not all, or unfinished ones."""
    runs: dict[str, list[Part]] = {}
    for folder in dict.fromkeys(file.parent for file in files):
        ending = ending_of(folder.name)
        if (folder / manifest.NAME).exists():
            part = Part(folder, manifest.read(folder))
            if part.shard is not None and ending is not None:
                # By the name alone: shards of several machines may lie in several places.
                runs.setdefault(f"{ending.run}/{part.shard.of}", []).append(part)
            elif part.manifest.merged and not part.is_finished:
                runs.setdefault(str(folder), []).append(part)
    return [line for parts in runs.values() for line in _lacking(parts)]


def said(shards: Sequence[Shard]) -> str:
    """`shard 2/4 is missing`, or several."""
    word, verb = ("shard", "is") if len(shards) == 1 else ("shards", "are")
    return f"{word} {', '.join(map(str, shards))} {verb} missing"


def _lacking(parts: Sequence[Part]) -> Iterator[str]:
    asked = parts[0].manifest
    run = f"{asked.family} on {asked.model}"
    if lost := missing(parts):
        yield f"{run}: {said(lost)}; what follows is of the others"
    unfinished = [str(part.shard) for part in parts if part.shard and not part.is_finished]
    if unfinished:
        yield f"{run}: unfinished: {', '.join(unfinished)}; its own command goes on with each shard"
    if asked.merged:
        yield f"{run}: merged from {', '.join(asked.merged)}, and unfinished"


def _of(part: Part) -> int | None:
    return None if part.shard is None else part.shard.of


def _check_kind(part: Part) -> None:
    if part.manifest.own:
        raise BadInput(f"RUN: {part.folder} is a run of misstep ab, which has no parts")
    if part.manifest.is_sequential:
        raise BadInput(f"RUN: {part.folder}: is_sequential is true: its looks went group by group")
    if part.manifest.merged and not part.is_finished:
        raise BadInput(
            f"RUN: {part.folder} was merged from {', '.join(part.manifest.merged)} alone; merge "
            "all shards anew, or go on with it by the run's own command"
        )


def _check_arms(parts: Sequence[Part]) -> None:
    """Parts may hold some arms of the run each, in one order, and of one definition."""
    order = _arms_of(parts)
    for part in parts[1:]:
        first, own = parts[0], part.manifest.arms
        if own != tuple(arm for arm in order if arm in own):
            _refuse("arms", first, part, first.manifest.arms, own)
        for name, definition in part.manifest.own_arms.items():
            before = first.manifest.own_arms.get(name, definition)
            if before != definition:
                _refuse(f"own_arms.{name}", first, part, before, definition)


def _check_same(field: str, first: Part, other: Part) -> None:
    one, two = getattr(first.manifest, field), getattr(other.manifest, field)
    if one == two:
        return
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        key = next(key for key in {**one, **two} if one.get(key) != two.get(key))
        field, one, two = f"{field}.{key}", one.get(key), two.get(key)
    _refuse(field, first, other, one, two)


def _refuse(field: str, first: Part, other: Part, one: object, two: object) -> None:
    raise BadInput(
        f"RUN: no parts of one run: {field} is {_shown(one)} in {first.folder} and "
        f"{_shown(two)} in {other.folder}"
    )


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
