"""Scaffold a new family: `python tools/new_family.py NAME [--root DIR]`.

Makes the room, its line in the registry, its oracle test, and its digest, so that the tests that
every room must pass pass at once. What is made works; replace it piece by piece.
"""

from __future__ import annotations

import argparse
import json
import keyword
import re
import subprocess
import sys
from pathlib import Path
from string import Template

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE / "scaffold"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--root", type=Path, default=HERE.parent)
    args = parser.parse_args()
    room = args.root / "src/misstep/families" / args.name
    if not re.fullmatch(r"[a-z][a-z0-9_]*", args.name) or keyword.iskeyword(args.name):
        parser.error(f"NAME: {args.name!r} must be a lower-case Python name")
    if room.exists():
        parser.error(f"NAME: there is a family {args.name!r} already, in {room}")
    write_room(args.root, args.name)
    add_registry_line(args.root, args.name)
    store_digest(args.root, args.name)
    print(
        f"made {room}, its line in registry.py, its test and its digest; now read CONTRIBUTING.md"
    )


def write_room(root: Path, name: str) -> None:
    words = {"name": name, "title": name.replace("_", " ").capitalize()}
    room, tests = root / "src/misstep/families" / name, root / "tests/families" / name
    for folder in (room, tests):
        folder.mkdir(parents=True)
    for template in sorted(TEMPLATES.glob("*.txt")):
        made = Template(template.read_text(encoding="utf-8")).substitute(words)
        target = template.name.removesuffix(".txt").replace("test_room", f"test_{name}")
        place = tests if target.startswith("test_") else room
        (place / target).write_text(made, encoding="utf-8")


def add_registry_line(root: Path, name: str) -> None:
    path = root / "src/misstep/registry.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(")  # fmt: skip", f'    "{name}",\n)  # fmt: skip'), "utf-8")


def store_digest(root: Path, name: str) -> None:
    """The digest is of the new tree's items, so a process of its own computes it."""
    path = root / "tests/families/digests.json"
    digests = json.loads(path.read_text(encoding="utf-8"))
    command = [sys.executable, str(root / "tools/item_digest.py"), name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    digests[name] = json.loads(done.stdout)
    path.write_text(json.dumps(digests, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
