"""The built page: its script and style by the names under which they are served."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from misstep.core.errors import MisstepError

MANIFEST = "manifest.json"
LICENCES = "LICENSES.txt"
_TYPES = {"js": "text/javascript", "css": "text/css", "txt": "text/plain"}


@dataclass(frozen=True)
class Asset:
    """`media_type` is without its charset: all of them are UTF-8."""

    content: bytes
    media_type: str


@dataclass(frozen=True)
class Assets:
    """What may be served under /assets/, and nothing else; names change with their contents.

    `script` and `style` are names in `files`, which also has the licences of what is bundled.
    """

    script: str
    style: str
    files: Mapping[str, Asset]


def assets() -> Assets:
    """The built page, read anew on each call; MisstepError where it was not built."""
    return _built("script")


def static_assets() -> Assets:
    """Likewise the page of a study without a server, which is never served under /assets/."""
    return _built("static")


def _built(entry: str) -> Assets:
    built = files("misstep.study.pages") / "built"
    try:
        manifest = json.loads((built / MANIFEST).read_text(encoding="utf-8"))
        script, style = str(manifest[entry]), str(manifest["style"])
        found = {name: (built / name).read_bytes() for name in (script, style, LICENCES)}
    except (FileNotFoundError, NotADirectoryError, KeyError):
        raise MisstepError(
            "the participant's page is not built: run `make pages`, which needs npm"
        ) from None
    return Assets(script, style, {name: _asset(name, one) for name, one in found.items()})


def _asset(name: str, content: bytes) -> Asset:
    return Asset(content, _TYPES[name.rpartition(".")[2]])
