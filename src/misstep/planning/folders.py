"""Domains as folders: domain.pddl, wording.toml and, if wanted, problem*.pddl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from misstep.planning.errors import PlanningError
from misstep.planning.generators import GENERATORS, Chance, random_problem
from misstep.planning.model import Domain, Problem
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.wording.defaults import (
    default_kind,
    type_names,
)
from misstep.planning.wording.loading import read_wording
from misstep.planning.wording.nouns import Kind, Wording
from misstep.planning.wording.writing import write_wording

DOMAIN_FILE = "domain.pddl"
WORDING_FILE = "wording.toml"
_SHIPPED = Path(__file__).parent / "domains"


@dataclass(frozen=True)
class DomainFolder:
    """`name` is the folder's; `problems` are its problem*.pddl, by file name."""

    name: str
    domain: Domain
    wording: Wording
    problems: Mapping[str, Problem]

    @property
    def generator(self) -> str | None:
        """The registered generator that the wording names, if it does."""
        name = self.wording.generator.get("name")
        return name if isinstance(name, str) else None


def shipped_names() -> tuple[str, ...]:
    return tuple(GENERATORS)


@lru_cache
def shipped(name: str) -> DomainFolder:
    """Raises PlanningError for a name that isn't shipped."""
    if name not in shipped_names():
        known = ", ".join(shipped_names())
        raise PlanningError(f"no domain {name!r} is shipped (there are: {known})")
    return load_folder(shipped_folder(name))


def shipped_folder(name: str) -> Path:
    """Where a shipped domain's files lie."""
    return _SHIPPED / name


def load_folder(folder: Path) -> DomainFolder:
    """Without a wording.toml, the words are made of the domain's names."""
    domain = read_domain(file_bytes(folder / DOMAIN_FILE), str(folder / DOMAIN_FILE))
    path = folder / WORDING_FILE
    text = _text(path) if path.is_file() else ""
    wording = read_wording(text, domain, str(path))
    problems = {
        file.name: read_problem(file_bytes(file), domain, str(file))
        for file in sorted(folder.glob("problem*.pddl"), key=_natural)
    }
    return DomainFolder(folder.name, domain, wording, problems)


def find_folders(parent: Path) -> tuple[Path, ...]:
    """The folders right below that hold a domain.pddl, by name."""
    if not parent.is_dir():
        raise PlanningError(f"{parent}: no such folder")
    return tuple(sorted(path.parent for path in parent.glob(f"*/{DOMAIN_FILE}")))


def draw_problem(
    folder: DomainFolder,
    chance: Chance,
    settings: Mapping[str, object] | None = None,
    name: str = "",
) -> Problem:
    """From the folder's generator, with its settings under the given ones; where there is none,
    one of its problem files. Raises PlanningError where there is neither."""
    if folder.generator is not None:
        own = {key: value for key, value in folder.wording.generator.items() if key != "name"}
        return random_problem(
            folder.generator, folder.domain, chance, {**own, **(settings or {})}, name
        )
    problems = list(folder.problems.values())
    if not problems:
        raise PlanningError(f"{folder.name}: neither a generator nor a problem*.pddl")
    return problems[chance.below(len(problems))]


def new_domain(text: str, file: str = DOMAIN_FILE) -> str:
    """A first wording.toml for a domain's PDDL, made of its names, to be mended by hand."""
    domain = read_domain(text, file)
    return write_wording(_first_wording(domain))


def file_bytes(path: Path) -> bytes:
    """Raises PlanningError where the file can't be opened."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise PlanningError(f"{path}: {error.strerror}") from error


def _first_wording(domain: Domain) -> Wording:
    filled = read_wording("", domain)
    kinds = {name: _first_kind(name) for name in type_names(domain)}
    return Wording(
        title=filled.title,
        introduction="",
        kinds=kinds,
        facts=filled.facts,
        actions=filled.actions,
        functions=filled.functions,
    )


def _first_kind(name: str) -> Kind:
    plain = default_kind(name)
    return Kind(name, plain.singular, plain.plural, say=f"{plain.singular} {{name}}")


def _natural(file: Path) -> tuple[int, str]:
    """problem2 before problem10."""
    return len(file.name), file.name


def _text(path: Path) -> str:
    try:
        return file_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise PlanningError(f"{path}: not UTF-8 at byte {error.start}") from error
