"""A task of the runner by its name (`inspect_evals/gsm8k`) or its file (`my_task.py@task`)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from inspect import Parameter, signature
from pathlib import Path

from inspect_ai import Task

# What the runner's own command finds tasks with; not among its public names.
from inspect_ai._eval.loader import load_tasks
from inspect_ai._util.registry import registry_find, registry_info, registry_lookup

from misstep.core.errors import BadInput, MisstepError

_DEFINED = re.compile(r"^@task\b[^\n]*\n(?:@[^\n]*\n)*(?:async )?def (\w+)", re.MULTILINE)


def is_file(name: str) -> bool:
    """Whether the name is that of a Python file, with or without a task in it."""
    return name.partition("@")[0].endswith(".py")


def find_task(name: str, args: Mapping[str, object]) -> Task:
    """The one task of that name, made with these arguments; BadInput names near misses."""
    if is_file(name):
        name = _in_file(name)
    elif registry_lookup("task", name) is None:
        raise BadInput(_unknown(name))
    else:
        _check_args(name, args)
    found = _load(name, args)
    (task,) = found
    if task.sample_source is not None:
        raise BadInput(f"TASK: {name}: makes its samples while it runs, which can't be paired")
    return task


def _load(name: str, args: Mapping[str, object]) -> Sequence[Task]:
    try:
        return load_tasks([name], dict(args))
    except MisstepError:
        raise
    except (Exception, SystemExit) as error:  # somebody else's task: what it raises is one line
        message = str(getattr(error, "message", None) or error)
        said = " ".join(f"{type(error).__name__}: {message}".split())[:300]
        raise BadInput(f"TASK: {name}: {said}") from None


def _in_file(name: str) -> str:
    """FILE@TASK, also where the name says only the file, and there is one task in it."""
    file, _, task = name.partition("@")
    path = Path(file)
    if not path.is_file():
        near = _near(path.name, [one.name for one in path.parent.glob("*.py")])
        raise BadInput(f"TASK: {file}: no such file{near}")
    known = _DEFINED.findall(path.read_text(encoding="utf-8", errors="replace"))
    if not known:
        raise BadInput(f"TASK: {file}: defines no task (@task)")
    if task and task not in known:
        near = _near(task, known) or f"; it has {', '.join(known)}"
        raise BadInput(f"TASK: {file} has no task {task!r}{near}")
    if not task and len(known) > 1:
        names = ", ".join(known)
        raise BadInput(f"TASK: {file} holds {len(known)} tasks ({names}); name one: FILE.py@TASK")
    return f"{file}@{task or known[0]}"


def _unknown(name: str) -> str:
    tasks = registry_find(lambda info: info.type == "task")
    known = [registry_info(task).name for task in tasks]
    near = _near(name, known) or _near(
        name.rpartition("/")[2], [one.rpartition("/")[2] for one in known]
    )
    package = name.partition("/")[0] if "/" in name else ""
    missing = package and not any(one.startswith(f"{package}/") for one in known)
    hint = f"; no installed package {package!r} has tasks" if missing and not near else near
    return (
        f"TASK: {name!r} is no task that is installed, and no file of rows (.csv, .jsonl, "
        f".parquet) or FILE.py@TASK{hint}"
    )


def _check_args(name: str, args: Mapping[str, object]) -> None:
    task = registry_lookup("task", name)
    assert callable(task)  # noqa: S101 (what is registered as a task makes one)
    parameters = signature(task).parameters.values()
    if any(one.kind is Parameter.VAR_KEYWORD for one in parameters):
        return
    known = [one.name for one in parameters]
    for arg in args:
        if arg not in known:
            near = _near(arg, known) or f"; it takes {', '.join(known) or 'none'}"
            raise BadInput(f"-T {arg}: {name} takes no such argument{near}")


def _near(name: str, known: Sequence[str]) -> str:
    found = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {found[0]!r}?" if found else ""
