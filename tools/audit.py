"""`make audit`: known vulnerabilities of everything in requirements.lock, by pip-audit.

Needs the network, where the database is, and pip-audit, which is no dependency of ours: in an
environment of its own, or installed beside. Without it nothing is audited, and the exit code is 2.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

LOCK = Path(__file__).parent.parent / "requirements.lock"
OPTIONS = ("--require-hashes", "--disable-pip", "--requirement", str(LOCK))


def main() -> int:
    command = _command()
    if command is None:
        print(
            "NOT AUDITED: pip-audit is not installed; `pip install pip-audit` in an environment of "
            "its own (or pipx), which the PATH shows, and run this again where there is a network",
            file=sys.stderr,
        )
        return 2
    done = subprocess.run([*command, *OPTIONS], check=False)
    if done.returncode:
        print("pip-audit found something, or could not reach its database", file=sys.stderr)
    return done.returncode


def _command() -> list[str] | None:
    if find_spec("pip_audit") is not None:
        return [sys.executable, "-m", "pip_audit"]
    found = shutil.which("pip-audit")
    return None if found is None else [found]


if __name__ == "__main__":
    sys.exit(main())
