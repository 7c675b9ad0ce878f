"""A scorer of the user's own: a function in a Python file, `score.py@function`."""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from pathlib import Path
from types import ModuleType

from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from misstep.core.errors import BadInput, MisstepError
from misstep.core.outcomes import Score
from misstep.core.questions import Json
from misstep.runner.own.cases import Case, Judge
from misstep.runner.own.foreign import RAISED, scored, unscored
from misstep.runner.own.replies import reply_to

Value = bool | float | None
Function = Callable[[str, Json, Mapping[str, Json]], Value | Awaitable[Value]]


def python_scorer(spec: str) -> Judge:
    """`function(reply, answer, row)` gives true or false, a number from 0 to 1, or None.

    BadInput where the file can't be loaded, or has no such function of three arguments.
    """
    function = _function(spec)

    async def judge(case: Case, state: TaskState, target: Target) -> Score:
        try:
            found = function(*deepcopy((reply_to(state.output).text, case.answer, dict(case.row))))
            value = await found if isinstance(found, Awaitable) else found
        except MisstepError:
            raise
        except (
            Exception,
            SystemExit,
        ) as error:  # the user's own code: what it raises is its outcome
            return unscored(RAISED, error)
        return scored(value, None, f"{spec}: item {case.id!r}")

    return judge


def _function(spec: str) -> Function:
    file, _, name = spec.rpartition("@")
    path = Path(file)
    if not path.is_file():
        raise BadInput(f"--scorer: {file}: no such file")
    module = _module(path)
    found = getattr(module, name, None)
    if not callable(found):
        known = [one for one, value in vars(module).items() if inspect.isfunction(value)]
        near = difflib.get_close_matches(name, known, n=1) or known[:6]
        raise BadInput(f"--scorer: {file} has no function {name!r}; it has {', '.join(near)}")
    try:
        inspect.signature(found).bind("reply", "answer", {})
    except TypeError as error:
        raise BadInput(f"--scorer: {spec}: should take (reply, answer, row): {error}") from None
    function: Function = found
    return function


def _module(path: Path) -> ModuleType:
    name = f"misstep_scorer_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    made = importlib.util.spec_from_file_location(name, path)
    if made is None or made.loader is None:
        raise BadInput(f"--scorer: {path}: is no Python file")
    module = importlib.util.module_from_spec(made)
    sys.modules[name] = module
    try:
        made.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # the user's own file: what it raises is one line
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise BadInput(f"--scorer: {path}: {said}") from None
    return module
