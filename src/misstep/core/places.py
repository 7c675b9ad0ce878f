"""Where on this machine things are kept from one command to the next."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """MISSTEP_CACHE, else `misstep` in XDG_CACHE_HOME or the platform's cache of the user. Nothing
    is made there."""
    if own := os.environ.get("MISSTEP_CACHE"):
        return Path(own).expanduser()
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        return Path(xdg) / "misstep"
    # `os.path`: a user without a home is no error here.
    home = Path(os.path.expanduser("~"))  # noqa: PTH111
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else home / "AppData/Local") / "misstep/misstep/Cache"
    if sys.platform == "darwin":
        return home / "Library/Caches/misstep"
    return home / ".cache/misstep"
