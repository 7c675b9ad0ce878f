"""The table of docs/licences.md: what is installed with misstep, and under which licence.

`make licences`, or `python tools/licences.py [--check]`. Names come from requirements.lock,
licences from the metadata of what is installed; those of the participant's page from its own
package-lock.json. --check changes nothing and exits with 1 where the
page is stale.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from sysconfig import get_paths

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "licences.md"
LOCK = ROOT / "requirements.lock"
NPM_LOCK = ROOT / "src" / "misstep" / "study" / "pages" / "package-lock.json"
BEGIN, END = "<!-- begin: made by tools/licences.py -->", "<!-- end -->"
BEGIN_NPM = "<!-- begin: of npm, made by tools/licences.py -->"
DEFAULT, DEV = "default", "dev"

ELSEWHERE = {
    "colorama": "BSD-3-Clause",  # Windows
    "httpx2-jsfetch": "BSD-3-Clause",  # a browser
    "tzdata": "Apache-2.0",  # Windows
}
"""What is installed on other systems only, as its own package states it."""

_SHORT = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "APACHE": "Apache-2.0",
    "BSD": "BSD",
    "BSD License": "BSD",
    "BSD 2-Clause License": "BSD-2-Clause",
    "2-clause BSD": "BSD-2-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "Boost Software License": "BSL-1.0",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
_NO_NAMES = ("UNKNOWN", "Dual License")
_LONGEST = 40
"""Letters of a licence's name; a field that is longer holds the licence itself."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing")
    old = PAGE.read_text(encoding="utf-8")
    new = page(old)
    if parser.parse_args().check:
        print(
            "docs/licences.md is " + ("as it should be" if new == old else "stale: make licences")
        )
        return int(new != old)
    PAGE.write_text(new, encoding="utf-8")
    return 0


def page(old: str) -> str:
    """The page with its tables made anew."""
    return _with(_with(old, BEGIN, table()), BEGIN_NPM, npm_table())


def _with(old: str, begin: str, made: str) -> str:
    head, _, rest = old.partition(begin)
    _, _, tail = rest.partition(END)
    return f"{head}{begin}\n{made}{END}{tail}"


def table() -> str:
    ways = ways_in(LOCK.read_text(encoding="utf-8"))
    lines = ["| package | licence | installed with |", "|---|---|---|"]
    lines += [f"| {name} | {licence_of(name)} | {', '.join(ways[name])} |" for name in sorted(ways)]
    return "\n".join(lines) + "\n"


def npm_table() -> str:
    """What the participant's page is made of and by; programs for single systems are left out, as
    each is a part of the package that asks for it."""
    packages = json.loads(NPM_LOCK.read_text(encoding="utf-8"))["packages"]
    lines = ["| package | version | licence | for |", "|---|---|---|---|"]
    for path, one in sorted(packages.items()):
        name = path.rpartition("node_modules/")[2]
        if name and not one.get("optional"):
            use = "building the page" if one.get("dev") else "the page"
            lines.append(f"| {name} | {one['version']} | {one['license'].strip('()')} | {use} |")
    return "\n".join(lines) + "\n"


def ways_in(lock: str) -> dict[str, list[str]]:
    """Each package of the lock file with what brings it: `default`, extras, and else `dev`."""
    children = _children(lock)
    reached = {way: _reach(names, children) for way, names in declared().items()}
    found: dict[str, list[str]] = {}
    for name in locked(lock):
        all_ways = [way for way, names in reached.items() if name in names]
        found[name] = [DEFAULT] if DEFAULT in all_ways else [one for one in all_ways if one != DEV]
        found[name] = found[name] or all_ways
    return found


def locked(lock: str) -> list[str]:
    """The packages of a lock file, each once."""
    return list(dict.fromkeys(re.findall(r"^([a-z0-9-]+)==", lock, re.MULTILINE)))


def declared() -> dict[str, list[str]]:
    """The packages that pyproject.toml names itself, by way."""
    plain = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = plain["project"]
    ways = {DEFAULT: project["dependencies"], **project["optional-dependencies"]}
    ways[DEV] = plain["dependency-groups"]["dev"]
    del ways["all"]
    return {way: [_name(one) for one in stated] for way, stated in ways.items()}


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return re.sub(r"[._]+", "-", found[0]).lower()


def _children(lock: str) -> dict[str, set[str]]:
    """For each package those that stand in the lock file because of it."""
    children: dict[str, set[str]] = {}
    name, is_via = "", False
    for line in lock.splitlines():
        if (begun := re.match(r"([a-z0-9-]+)==", line)) is not None:
            name, is_via = begun[1], False
        elif (via := re.match(r" +# via(?: (\S+))?", line)) is not None:
            is_via = True
            children.setdefault(via[1] or "", set()).add(name)
        elif is_via and (more := re.match(r" +#   (\S+)", line)) is not None:
            children.setdefault(more[1], set()).add(name)
    return children


def _reach(names: Iterable[str], children: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += children.get(name, ())
    return seen


def licence_of(name: str) -> str:
    """By the package's own word, in the short form of SPDX where it gives one.

    Only what is installed counts, not what Ray carries along once it is imported.
    """
    installed = next(iter(distributions(name=name, path=[get_paths()["purelib"]])), None)
    if installed is None:
        if name not in ELSEWHERE:
            sys.exit(f"{name}: is not installed; `make setup` installs all that is locked")
        return ELSEWHERE[name]
    if exact := _field(installed, "License-Expression"):
        return exact
    for said in _said(installed):
        if said and len(said) <= _LONGEST and said not in _NO_NAMES and "\n" not in said:
            return _SHORT.get(said, said)
    sys.exit(f"{name}: states no licence")


def _field(installed: Distribution, name: str) -> str:
    return str(installed.metadata[name]) if name in installed.metadata else ""


def _said(installed: Distribution) -> Iterator[str]:
    """What a package says of its licence without SPDX's words, the most exact first."""
    yield _field(installed, "License")
    classes = installed.metadata.get_all("Classifier") or ()
    listed = [one.split(" :: ") for one in classes]
    named = sorted({_SHORT.get(one[-1], one[-1]) for one in listed if one[0] == "License"})
    yield " OR ".join(named)
    for path in installed.files or ():
        if path.name.upper().startswith("LICENSE"):
            text = path.read_text()
            yield "Apache-2.0" if "Apache License" in text and "Version 2.0" in text else ""
            yield "MIT" if "Permission is hereby granted, free of charge" in text else ""


if __name__ == "__main__":
    sys.exit(main())
