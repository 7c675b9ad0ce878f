"""`python -m misstep.planning validate DOMAIN PROBLEM PLAN`, where the library is all there is."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from misstep.planning import (
    PlanningError,
    read_plan_file,
    read_problem,
    validate,
    validation_row,
)
from misstep.planning.finding import open_domain
from misstep.planning.folders import file_bytes


def main() -> int:
    """Prints what `misstep plan validate --json` prints; 2 for bad input, said in one line."""
    parser = argparse.ArgumentParser(prog="python -m misstep.planning", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="validate")
    command = commands.add_parser("validate", help="run a plan; the verdict is printed as JSON")
    command.add_argument("domain", metavar="DOMAIN", help="a .pddl file, a folder or a known name")
    command.add_argument("problem", metavar="PROBLEM")
    command.add_argument("plan", metavar="PLAN")
    asked = parser.parse_args()
    try:
        row = _validated(asked.domain, asked.problem, asked.plan)
    except PlanningError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{json.dumps({'schema': 1, **row}, indent=2)}\n")
    return 0


def _validated(domain: str, problem: str, plan: str) -> dict[str, object]:
    asked = read_problem(file_bytes(Path(problem)), open_domain(domain).domain, problem)
    text = file_bytes(Path(plan)).decode(errors="replace")
    return validation_row(validate(asked, read_plan_file(text, plan)))


if __name__ == "__main__":
    sys.exit(main())
