"""Verdicts for continuous integration: an exit code, a line for each comparison, JUnit's XML."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from misstep.cli.comparing import Asked, asking, compare_runs
from misstep.cli.options import JSON, PLACE, print_json
from misstep.core.errors import BadInput


@click.command()
@asking
@click.option(
    "--fail-on",
    default="hurts",
    show_default=True,
    metavar="WORD,…",
    help="hurts, helps, no-difference, undecided, not-noninferior (with --margin), not-compared.",
)
@click.option(
    "--margin",
    "--non-inferiority",
    "margin",
    type=float,
    metavar="M",
    help="Is the arm at most M (points, or passes) worse? For not-noninferior.",
)
@click.option("--arm", metavar="A", help="Check this arm only. [default: all]")
@click.option("--junit", type=PLACE, metavar="F", help="Write the checks as JUnit's XML, too.")
@JSON
def check(
    runs: tuple[Path, ...],
    fail_on: str,
    margin: float | None,
    arm: str | None,
    junit: Path | None,
    as_json: bool,
    **asked: Any,  # Any: the options that lead to comparisons, as `Asked` has them
) -> None:
    """Fail where a verdict is one of those named. Exit code 1 then, 2 for bad input, else 0.

    \b
    misstep check logs --fail-on hurts
    misstep check logs --fail-on hurts,not-noninferior --margin 3 --arm cot --junit checks.xml
    misstep check baseline.eval candidate.eval --fail-on hurts,undecided
    """
    from misstep.analyse.checks import judge, read_fail_on
    from misstep.report import checking

    words = read_fail_on(fail_on, margin)
    if margin is not None and not margin > 0:
        raise BadInput(f"--margin: {margin:g} is not above 0")
    made = compare_runs(runs, Asked(**asked, non_inferiority=margin))
    checked = checking.Checked(judge(made.comparisons, words, arm), words, made.notes())
    if junit is not None:
        checking.write_junit(checked, junit)
    if as_json:
        print_json(checking.to_json(checked))
    else:
        for line in checking.lines(checked):
            click.echo(line)
    if not checked.is_passed:
        sys.exit(1)
