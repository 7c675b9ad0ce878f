"""Finds domains by name: the shipped ones, and those that stand in a user's own places."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from misstep.planning.errors import PlanningError
from misstep.planning.folders import (
    DomainFolder,
    file_bytes,
    find_folders,
    load_folder,
    shipped,
    shipped_folder,
    shipped_names,
)
from misstep.planning.parsing import read_domain
from misstep.planning.wording.loading import read_wording

PLACES = "MISSTEP_DOMAINS"
"""The environment variable with folders of domain folders, set apart as in PATH."""


@dataclass(frozen=True, slots=True)
class Known:
    """A domain that has a name. `clash` says in one line why the name can't be used: it stands for
    another domain too. It is empty where the name can be used."""

    name: str
    folder: Path
    is_shipped: bool
    clash: str = ""


def config_place() -> Path:
    """`misstep/domains` in XDG_CONFIG_HOME or in the platform's folder for settings of the user."""
    if xdg := os.environ.get("XDG_CONFIG_HOME"):
        return Path(xdg) / "misstep/domains"
    # `os.path`: a user without a home is no error here.
    home = Path(os.path.expanduser("~"))  # noqa: PTH111
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA")
        return (Path(roaming) if roaming else home / "AppData/Roaming") / "misstep/domains"
    if sys.platform == "darwin":
        return home / "Library/Application Support/misstep/domains"
    return home / ".config/misstep/domains"


def user_places() -> tuple[Path, ...]:
    """Folders of domain folders: those in MISSTEP_DOMAINS, then the user's own if it is there.

    Raises PlanningError for one in the variable that is no folder.
    """
    listed = os.environ.get(PLACES, "").split(os.pathsep)
    named = [Path(each).expanduser().resolve() for each in listed if each]
    for place in named:
        if not place.is_dir():
            raise PlanningError(f"{PLACES}: {place} is no folder")
    own = config_place().resolve()
    return tuple(dict.fromkeys([*named, *([own] if own.is_dir() else [])]))


def known_domains() -> tuple[Known, ...]:
    """The shipped domains, then the user's, place by place; each place's by name."""
    plain = [(name, shipped_folder(name)) for name in shipped_names()]
    plain += [(folder.name, folder) for place in user_places() for folder in find_folders(place)]
    return tuple(
        Known(name, folder, at < len(shipped_names()), _clash(name, folder, plain))
        for at, (name, folder) in enumerate(plain)
    )


def named_domain(name: str) -> DomainFolder | None:
    """Shipped or the user's; None for any other name. Raises PlanningError for a clash."""
    found = _known(name)
    if found is None:
        return None
    return shipped(name) if found.is_shipped else load_folder(found.folder)


def open_domain(place: str) -> DomainFolder:
    """From a folder, a shipped or user's domain's name, or a .pddl file, in this order.

    A file alone has the words that its names make. Raises PlanningError.
    """
    path = Path(place)
    if path.is_dir():
        return load_folder(path)
    if not path.is_file():
        if (found := named_domain(place)) is not None:
            return found
        raise PlanningError(f"{place} is no file, no folder and none of {', '.join(known_names())}")
    domain = read_domain(file_bytes(path), place)
    return DomainFolder(path.stem, domain, read_wording("", domain), {})


def folder_of(place: str) -> Path:
    """The folder itself, or that of a shipped or user's domain of this name.

    Raises PlanningError for a clash, and for what is neither.
    """
    if Path(place).is_dir():
        return Path(place)
    found = _known(place)
    if found is None:
        raise PlanningError(f"{place} is no folder and none of {', '.join(known_names())}")
    return found.folder


def known_names() -> tuple[str, ...]:
    """Each once."""
    return tuple(dict.fromkeys(known.name for known in known_domains()))


def _known(name: str) -> Known | None:
    found = next((known for known in known_domains() if known.name == name), None)
    if found is not None and found.clash:
        raise PlanningError(found.clash)
    return found


def _clash(name: str, folder: Path, others: list[tuple[str, Path]]) -> str:
    same = [other for known, other in others if known == name and other != folder]
    if not same:
        return ""
    if name in shipped_names():
        own = next(path for path in [folder, *same] if path != shipped_folder(name))
        return f"domain {name!r} is shipped, and stands in {own} too: rename that folder"
    return f"domain {name!r} stands in {folder} and in {same[0]}: rename one of them"
