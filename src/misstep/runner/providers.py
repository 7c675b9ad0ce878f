"""Opening a model by its usual name; what is missing is said in one line before anything runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# The runner's error for a missing key or package is not among its public names.
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import Model, get_model

from misstep.core.errors import BadInput
from misstep.core.family import Family
from misstep.models import embedded
from misstep.runner import solvers

ModelArgs = Mapping[str, Any]  # Any: whatever the provider takes


def open_model(name: str, args: ModelArgs, family: Family[Any]) -> Model:  # Any: any payload
    """A model object of its own, not shared with anybody."""
    provider, _, rest = name.partition("/")
    if not rest:
        raise BadInput(f"--model: {name!r} should be PROVIDER/MODEL, as in openai/gpt-4o")
    if provider == "embedded":
        _check_embedded(rest, args)
    if provider == "ref":
        solvers.check_solver(family, rest)
    try:
        return get_model(name, memoize=False, **dict(args))
    except (PrerequisiteError, ImportError, ValueError, TypeError) as error:
        raise BadInput(f"--model: {name}: {_one_line(error)}") from None


def _check_embedded(name: str, args: ModelArgs) -> None:
    try:
        embedded.check(name, args)
    except BadInput as error:
        raise BadInput(f"--model: {error}") from None


def _one_line(error: BaseException) -> str:
    """The message without its markup, its line breaks and its word of alarm."""
    text = str(getattr(error, "message", None) or error)
    text = re.sub(r"\[/?[a-z ]*\]", "", text)
    return re.sub(r"\s+", " ", text).strip().removeprefix("ERROR: ")
