"""What an embedded model is started with: read from its name and arguments, checked at the door."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.models import store
from misstep.models.threads import idle_cores

PROVIDER = "embedded"
_SLOTS = 1
# A vote over five thoughts of 800 tokens fits, with its answer.
_CONTEXT = 8192
_MOST_THREADS = 8
_MAGIC = b"GGUF"
_ARGUMENTS = ("slots", "n_ctx", "threads", "mmproj")


@dataclass(frozen=True)
class Settings:
    """One way of loading one file; equal settings share a process.

    `n_ctx` is the context of each slot, in tokens. `mmproj` is the projector of a vision model.
    """

    path: Path
    mmproj: Path | None
    slots: int
    n_ctx: int
    threads: int


def read_settings(model_name: str, args: Mapping[str, object]) -> Settings:
    """The settings; BadInput in one line for whatever keeps the model from being loaded."""
    name = model_name.removeprefix(f"{PROVIDER}/")
    for argument in args:
        if argument not in _ARGUMENTS:
            known = ", ".join(_ARGUMENTS)
            raise BadInput(f"{PROVIDER}/{name}: unknown argument {argument!r}; known: {known}")
    if importlib.util.find_spec("xllamacpp") is None:
        raise BadInput(f'{PROVIDER}/{name}: needs xllamacpp; run: pip install "misstep[embedded]"')
    mmproj = args.get("mmproj")
    return Settings(
        path=_weights(name),
        mmproj=None if mmproj is None else _gguf(Path(str(mmproj)), "mmproj"),
        slots=_number(args, "slots", _SLOTS, most=64),
        n_ctx=_number(args, "n_ctx", _CONTEXT, most=1 << 24),
        threads=_threads(args),
    )


def _weights(name: str) -> Path:
    if name.endswith(".gguf") or "/" in name:
        return _gguf(Path(name), f"{PROVIDER}/{name}")
    if name not in store.CATALOGUE:
        known = ", ".join(store.CATALOGUE)
        raise BadInput(
            f"{PROVIDER}/{name}: unknown model; known: {known}, or a path to a .gguf file"
        )
    path = store.cached(name)
    if path is None:
        raise BadInput(f"{PROVIDER}/{name}: not fetched yet; run: misstep models get {name}")
    return _gguf(path, f"{PROVIDER}/{name}")


def _gguf(path: Path, field: str) -> Path:
    found = path.expanduser()
    if not found.is_file():
        raise BadInput(f"{field}: no such file: {found}")
    try:
        with found.open("rb") as data:
            magic = data.read(len(_MAGIC))
    except OSError as error:
        raise BadInput(f"{field}: {found}: {error.strerror}") from error
    if magic != _MAGIC:
        raise BadInput(f"{field}: {found} is no GGUF file (it begins with {magic!r})")
    return found.resolve()


def _number(args: Mapping[str, object], name: str, default: int, *, most: int) -> int:
    text = str(args.get(name, default))
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise BadInput(f"{PROVIDER}: {name}={text!r} is no whole number above 0")
    if int(text) > most:
        raise BadInput(f"{PROVIDER}: {name}={text} is above {most}")
    return int(text)


def _threads(args: Mapping[str, object]) -> int:
    if args.get("threads", "auto") == "auto":
        return min(_MOST_THREADS, idle_cores())
    return _number(args, "threads", 1, most=256)
