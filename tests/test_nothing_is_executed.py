"""Nothing that misstep reads, a log, items, a study, is ever unpickled or executed."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from misstep.families.faces.portraits.body import assets

SOURCE = Path(__file__).parent.parent / "src"
MODULES = {
    "cPickle", "cloudpickle", "code", "codeop", "dill", "imp", "joblib", "jsonpickle", "marshal",
    "pickle", "runpy", "shelve", "torch", "yaml",
}  # fmt: skip
CALLS = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "subprocess.getoutput"}
OURS = {
    "misstep/registry.py",
    "misstep/scale/node.py",
    "misstep/cli/running/working.py",
    "misstep/runner/unused.py",
    "misstep/study/trials/every.py",
    "misstep/families/faces/solvers/references.py",
}
"""Import modules by name: those of the registry, of the runner, of a run's own provider; never of a
file."""
THE_USERS_OWN = {"misstep/runner/own/python_scorer.py"}
"""Runs the file that the user names as scorer on the command line, which is what it is for."""
PIPES = {
    "misstep/cli/running/working.py",
    "misstep/runner/shards/hands.py",
    "misstep/runner/shards/processes.py",
}
"""A run and the workers that it has started speak over a pipe, in Python's own format."""


@cache
def sources() -> list[tuple[str, list[ast.AST]]]:
    """Each file with all that stands in it."""
    return [
        (path.relative_to(SOURCE).as_posix(), list(ast.walk(ast.parse(path.read_text("utf-8")))))
        for path in sorted(SOURCE.rglob("*.py"))
    ]


@cache
def calls() -> list[tuple[str, str, ast.Call]]:
    """With the file and the name of what is called."""
    return [
        (name, ast.unparse(node.func), node)
        for name, nodes in sources()
        for node in nodes
        if isinstance(node, ast.Call)
    ]


def given(call: ast.Call, name: str) -> str | None:
    return next((ast.unparse(one.value) for one in call.keywords if one.arg == name), None)


def test_no_module_that_executes_what_it_reads_is_imported() -> None:
    for name, nodes in sources():
        for node in nodes:
            if isinstance(node, ast.Import):
                parts = {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                parts = {(node.module or "").split(".")[0]}
            else:
                continue
            assert not parts & MODULES, f"{name}:{node.lineno}"


def test_nothing_is_executed_or_given_to_a_shell() -> None:
    for name, called, node in calls():
        assert called not in CALLS, f"{name}:{node.lineno}: {called}"
        assert given(node, "shell") is None, f"{name}:{node.lineno}: shell"


def test_modules_are_imported_by_name_in_known_places_only() -> None:
    doors = ("import_module", "spec_from_file_location", "exec_module", "SourceFileLoader")
    found = {name for name, called, _ in calls() if called.split(".")[-1] in doors}
    assert found - OURS == THE_USERS_OWN


def test_only_a_run_and_its_own_workers_speak_in_pythons_own_format() -> None:
    for name, nodes in sources():
        uses = any(
            isinstance(node, ast.ImportFrom) and (node.module or "").startswith("multiprocessing")
            for node in nodes
        )
        assert not uses or name in PIPES or "/faces/" in name, name


def test_every_array_is_loaded_without_pickles() -> None:
    loads = [
        (name, node)
        for name, called, node in calls()
        if called in ("np.load", "numpy.load", "np.fromfile", "np.lib.format.read_array")
    ]
    assert loads, "the search finds nothing"
    for name, node in loads:
        assert given(node, "allow_pickle") == "False", f"{name}:{node.lineno}"


def test_no_table_is_read_by_a_reader_that_unpickles() -> None:
    unsafe = ("read_pickle", "deserialize", "from_pickle", "read_excel")
    for name, called, node in calls():
        assert called.split(".")[-1] not in unsafe, f"{name}:{node.lineno}: {called}"


class Planted:
    """Leaves a trace where it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return (pytest.fail, ("something planted was executed",))


def test_arrays_with_a_pickle_planted_in_them_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "assets").mkdir()
    np.savez(tmp_path / "assets" / "head.npz", points=np.array([Planted()], dtype=object))
    monkeypatch.setattr(assets, "files", lambda _package: tmp_path)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        assets.head.__wrapped__()
