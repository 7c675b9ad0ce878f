"""The check of a run's first answers, before the rest is paid for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from misstep.cli.options import console, print_json
from misstep.core.errors import MisstepError

if TYPE_CHECKING:
    from misstep.analyse.claims import Claims
    from misstep.report.claims import Checked, How
    from misstep.runner.run import Plan

PREFLIGHT = click.option(
    "--preflight",
    "how",
    type=click.Choice(["auto", "yes", "no", "only"]),
    default="auto",
    show_default=True,
    help="Check of the first answers; only: stop after it.",
)
STRICT = click.option(
    "--strict-arms",
    "is_strict",
    is_flag=True,
    help="Stop where an arm isn't what it claims (exit 1).",
)


def preflight(
    plans: Sequence[Plan], how: str, *, is_strict: bool, as_json: bool
) -> list[Plan] | None:
    """The plans after their first questions; None where nothing is to be asked after them."""
    from misstep.report import claims as report

    with _waiting():
        done = [_checked(plan, report.How(how)) for plan in plans]
    claims = _together([one.claims for one in done if one.claims is not None])
    is_only = how == report.How.ONLY
    if is_only and as_json:
        print_json({"schema": 1, **report.to_json(claims)})
    else:
        report.show(claims, console(stderr=as_json), report.FIRST)
    if is_strict:
        report.refuse(claims, "--strict-arms")
    if is_only:
        _say(f"preflight only; the replies are kept in {_folders(plans)}", as_json)
        return None
    if claims.findings:
        _ask_whether(plans, as_json)
    return [one.plan for one in done]


@contextmanager
def _waiting() -> Iterator[None]:
    """A sign of life, where a terminal shows it."""
    if not sys.stderr.isatty():
        yield
        return
    with console(stderr=True).status("asking the first questions"):
        yield


def _checked(plan: Plan, how: How) -> Checked:
    from misstep.report.claims import checked
    from misstep.runner.run import Stopped

    try:
        return checked(plan, how)
    except Stopped as stopped:
        raise MisstepError(f"{stopped}; the same command goes on from there") from None


def _together(claims: Sequence[Claims]) -> Claims:
    from misstep.analyse.claims import Claims

    arms = tuple(arm for one in claims for arm in one.arms)
    return Claims(arms, tuple(found for one in claims for found in one.findings))


def _ask_whether(plans: Sequence[Plan], as_json: bool) -> None:
    """A person is asked; a script goes on with a warning."""
    if as_json or not is_interactive():
        _say("! going on all the same; --strict-arms would stop here", as_json)
        return
    if not click.confirm("Go on with the run?", default=True):
        raise MisstepError(
            f"stopped after the preflight; its replies are kept in {_folders(plans)}; "
            "the same command with --preflight no goes on from there"
        )


def is_interactive() -> bool:
    """Whether somebody sits there who can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _folders(plans: Sequence[Plan]) -> str:
    return ", ".join(dict.fromkeys(str(plan.folder) for plan in plans))


def _say(text: str, as_json: bool) -> None:
    click.echo(text, err=as_json)
