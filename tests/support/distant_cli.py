"""The command line in a process that knows the provider `distant`: `distant_cli.py WORD...`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    import_module("distant")
    from misstep.cli import main

    main()
