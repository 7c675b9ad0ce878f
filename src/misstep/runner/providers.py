"""Opening a model by its usual name; what is missing is said in one line before anything runs."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

# The runner's error for a missing key or package is not among its public names.
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import Model, get_model

from misstep.core.errors import BadInput
from misstep.core.family import Family
from misstep.core.hiding import is_secret_argument, secrets_in
from misstep.models import embedded
from misstep.models.settings import Settings
from misstep.runner import solvers
from misstep.runner.calls.failing import one_line

ModelArgs = Mapping[str, Any]  # Any: whatever the provider takes


def open_model(name: str, args: ModelArgs, family: Family[Any]) -> Model:  # Any: any payload
    """A model object of its own, not shared with anybody."""
    provider, _, rest = name.partition("/")
    if not rest:
        raise BadInput(f"--model: {name!r} should be PROVIDER/MODEL, as in openai/gpt-4o")
    _check_open(args)
    if provider == "embedded":
        args = _with_room(args, family)
        _check_embedded(rest, args)
    if provider == "ref":
        solvers.check_solver(family, rest)
    try:
        model = get_model(name, memoize=False, **dict(args))
    except (PrerequisiteError, ImportError, ValueError, TypeError) as error:
        message = str(getattr(error, "message", None) or error)
        raise BadInput(f"--model: {name}: {one_line(message)}") from None
    _check_server(name, str(getattr(model.api, "base_url", None) or ""))
    return model


def _check_open(args: ModelArgs) -> None:
    """Arguments are kept with the run and printed with it, which no key may be."""
    secrets = secrets_in(os.environ)
    for name, value in args.items():
        if is_secret_argument(name, value, secrets):
            raise BadInput(
                f"-M {name}: looks like a secret, and a run's folder keeps the model's arguments; "
                "put it in the environment variable of its provider (docs/security.md)"
            )


def _with_room(args: ModelArgs, family: Family[Any]) -> ModelArgs:  # Any: any payload
    """With the context that the family needs, where the user names none."""
    needed = family.spec.context
    return {"n_ctx": needed, **args} if needed else args


def check_sees(model: Model, family: Family[Any]) -> None:  # Any: any payload
    """BadInput for a model that is known to see nothing, where questions show pictures.

    That is known of embedded ones; the first question tells it of others.
    """
    settings = getattr(model.api, "settings", None)
    is_blind = isinstance(settings, Settings) and settings.mmproj is None
    if family.pictures is not None and is_blind:
        raise BadInput(
            f"--model: {model} sees no pictures, and the questions of {family.spec.name} show "
            "some; name a model that sees (--model PROVIDER/MODEL), or a .gguf and its projector "
            "(-M mmproj=FILE)"
        )


def _check_embedded(name: str, args: ModelArgs) -> None:
    try:
        embedded.check(name, args)
    except BadInput as error:
        raise BadInput(f"--model: {error}") from None


def _check_server(name: str, address: str) -> None:
    """A server of this machine that isn't there would be called again and again, unseen."""
    parts = urlsplit(address)
    if parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        return
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname, port), timeout=5).close()
    except OSError as error:
        reason = error.strerror or error
        raise BadInput(f"--model: {name}: no server answers at {address}: {reason}") from None
