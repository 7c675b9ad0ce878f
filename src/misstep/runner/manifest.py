"""The manifest of a run folder: what was asked, of whom, with what; schema 1, in docs/runs.md."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.faults import NO_FAULTS, Faults
from misstep.core.options import OptionValue
from misstep.core.seeds import digest
from misstep.core.shards import read_shard

SCHEMA = 1
NAME = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """One family asked of one model with one seed; more items, arms and repetitions may follow.

    `state` is running, finished or stopped and belongs to the latest request: `scale`, `limit`,
    `arms`, `repeat`. `own_arms` are the definitions of those of the user's own among them,
    `arms_file` is where they were read. `own` says where a task of the user's own came from and how
    it is scored, which changes no reply. `shard` ("2/4") says which part of a run the folder holds,
    `merged` which shards were put together in it; both are empty of a run asked as a whole.
    """

    family: str
    family_version: int
    model: str
    model_args: Mapping[str, str | int | float | bool]
    seed: int
    options: Mapping[str, OptionValue]
    temperature: float | None
    max_tokens: int | None
    scale: str
    limit: int | None
    arms: tuple[str, ...]
    repeat: int
    reader: str | None = None
    arms_file: str | None = None
    own_arms: Mapping[str, Mapping[str, str | int | float]] = field(default_factory=dict)
    is_sequential: bool = False
    shard: str | None = None
    merged: tuple[str, ...] = ()
    log_images: bool = True
    own: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, Mapping[str, str | float]] = field(default_factory=dict)
    state: str = "running"
    asked: int = 0
    asked_again: int = 0
    faults: Faults = NO_FAULTS
    versions: Mapping[str, str] = field(default_factory=dict)
    schema: int = SCHEMA

    @property
    def folder_name(self) -> str:
        """Named by everything that makes a reply the same reply, so that a run goes on in it."""
        model = re.sub(r"[^A-Za-z0-9.]+", "-", self.model).strip("-")[-60:]
        parts = (self.family_version, self.model, json.dumps(dict(self.model_args), sort_keys=True))
        options = json.dumps(dict(self.options), sort_keys=True)
        settings = (options, str(self.temperature), str(self.max_tokens))
        own = (json.dumps(dict(self.own_arms), sort_keys=True),) if self.own_arms else ()
        short = digest(self.family, *parts, self.seed, *settings, *own).hex()[:8]
        # A colon, as in the name of a task of the user's own, is no letter of every file system.
        shard = read_shard(self.shard).ending if self.shard else ""
        return f"{self.family.replace(':', '-')}-{model}-{short}{shard}"


def installed() -> dict[str, str]:
    """The versions of what a run stands on."""
    names = ("misstep", "inspect_ai", "xllamacpp")
    versions = {"python": platform.python_version()}
    for name in names:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


def write(folder: Path, manifest: Manifest) -> None:
    """Put the manifest in place whole or not at all."""
    text = json.dumps(asdict(manifest), indent=2, ensure_ascii=False) + "\n"
    half = folder / (NAME + ".partial")
    half.write_text(text, encoding="utf-8")
    half.replace(folder / NAME)


def merged_in(folder: Path) -> tuple[str, ...]:
    """The shards of which the run there was put together, as far as it was."""
    return read(folder).merged if (folder / NAME).exists() else ()


def faults_in(folder: Path) -> Faults:
    """What went wrong in earlier processes of the run there."""
    return read(folder).faults if (folder / NAME).exists() else NO_FAULTS


def read(folder: Path) -> Manifest:
    """The manifest of a run folder; BadInput where it is damaged or of another schema."""
    path = folder / NAME
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        merged = tuple(plain.get("merged", ()))
        faults = Faults(**plain.get("faults", {}))
        listed = {"arms": tuple(plain["arms"]), "merged": merged}
        manifest = Manifest(**{**plain, **listed, "faults": faults})
    except KeyError as error:
        raise BadInput(f"{path}: no manifest of a run: {error} is missing") from None
    except (ValueError, TypeError) as error:
        raise BadInput(f"{path}: no manifest of a run: {error}") from None
    if manifest.schema != SCHEMA:
        raise BadInput(f"{path}: schema is {manifest.schema}, this version reads {SCHEMA}")
    return manifest
