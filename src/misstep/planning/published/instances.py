"""Where a published domain keeps its PDDL: by its configuration, else by the usual folders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from misstep.planning.errors import PlanningError
from misstep.planning.model import Domain, Problem
from misstep.planning.parsing import read_domain, read_problem

# The repository's folders that have instances.
_PARTS = ("plan-bench", "llm_planning_analysis", "data")
# Only the plain lines at the top level of a configuration are needed, so no YAML is read.
_SETTING = re.compile(
    r"^(instance_dir|generalized_instance_dir|domain|domain_file|instances_template):[ \t]*"
    r"([^\s#'\"{}]+(?:\{\}[^\s#'\"]*)?)",
    re.MULTILINE,
)
_NAME = re.compile(r"[\w-]{1,40}")
_COMMENT = re.compile(r";[^\n]*")


def instance_file(root: Path, domain: str, instance: str, *, is_general: bool) -> Path | None:
    """The instance's PDDL in `root` or, where it isn't there, in a folder beside it.

    `is_general`: from the instances of the generalization task.
    """
    if not _NAME.fullmatch(instance):
        return None
    for base in _bases(root):
        settings = _settings(base, domain)
        for folder in _folders(domain, settings, is_general=is_general):
            template = settings.get("instances_template", "instance-{}.pddl")
            path = base / "instances" / folder / template.replace("{}", instance)
            if path.is_file():
                return path
    return None


def domain_file(root: Path, domain: str) -> Path | None:
    for base in _bases(root):
        given = _settings(base, domain).get("domain_file", f"{_stem(domain)}/generated_domain.pddl")
        path = base / "instances" / given
        if path.is_file():
            return path
    return None


def domain_in(path: Path) -> Domain:
    """Raises PddlError, and PlanningError where the file can't be read."""
    return _domain(_bytes(path), str(path))


@lru_cache(maxsize=64)
def _domain(text: bytes, file: str) -> Domain:
    return read_domain(text, file)


def problem_in(path: Path, domain: Domain) -> Problem:
    """Raises PddlError, and PlanningError where the file has no problem."""
    text = _bytes(path).decode("utf-8-sig", errors="replace")
    return read_problem(first_definition(text, str(path)), domain, str(path))


def first_definition(text: str, where: str) -> str:
    """From "(define" to the parenthesis that closes it: some published problems have one too many.

    What comes before stays as blank lines, so that places in errors are the file's.
    """
    bare = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    start = re.search(r"\(\s*define\b", bare, re.IGNORECASE)
    if start is None:
        raise PlanningError(f"{where}: no PDDL definition")
    depth = 0
    for found in re.compile(r"[()]").finditer(bare, start.start()):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            before = re.sub(r"[^\n]", " ", bare[: start.start()])
            return before + bare[start.start() : found.end()]
    return bare


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise PlanningError(f"{path}: {error.strerror}") from None


def _bases(root: Path) -> list[Path]:
    beside = (root.parent / name for name in _PARTS)
    return [root, *(path for path in beside if path != root)]


def _settings(base: Path, domain: str) -> Mapping[str, str]:
    path = base / "configs" / f"{domain}.yaml"
    if not path.is_file():
        return {}
    return dict(_SETTING.findall(path.read_bytes().decode("utf-8", errors="replace")))


def _folders(domain: str, settings: Mapping[str, str], *, is_general: bool) -> list[str]:
    if is_general:
        return [settings.get("generalized_instance_dir", f"{_stem(domain)}/generated")]
    given = settings.get("instance_dir") or settings.get("domain")
    size = "_3" if domain.endswith("_3") else ""
    return [given] if given else [f"{_stem(domain)}/generated_basic{size}"]


def _stem(domain: str) -> str:
    """The folder of a domain without a configuration: mystery_blocksworld_3 is in
    blocksworld/mystery."""
    name = domain.removesuffix("_3")
    return f"{name.removeprefix('mystery_')}/mystery" if name.startswith("mystery_") else name
