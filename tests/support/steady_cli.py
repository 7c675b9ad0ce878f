"""The command line in a process that knows the provider `steady`: `steady_cli.py WORD...`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    import_module("steady")
    from misstep.cli import main

    main()
