"""The answer of `misstep ab`: printed, as JSON, as a page, as JUnit's XML, and as an exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli.options import PLACE, console, print_json
from misstep.core.errors import MisstepError

if TYPE_CHECKING:
    from misstep.analyse.worth.answer import Answer
    from misstep.core.records import Record
    from misstep.report.checking import Checked

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options
MARGIN = 3.0

_OPTIONS = (
    click.option(
        "--margin", type=float, default=MARGIN, show_default=True, metavar="M",
        help="Is an arm at most M points worse? For the cheapest arm that isn't worse.",
    ),
    click.option("--volume", type=float, metavar="N", help="Calls a month, to say what they cost."),
    click.option("--by", metavar="FACTOR", help="Each level of a factor by itself, too."),
    click.option(
        "--fail-on", metavar="WORD,…",
        help="Exit code 1 on: hurts, helps, no-difference, undecided, not-noninferior, "
        "not-compared.",
    ),
    click.option("--junit", type=PLACE, metavar="F", help="Write the checks as JUnit's XML, too."),
    click.option(
        "--out", type=PLACE, metavar="F", help="Write the page, too; .md, .tex or .csv by ending."
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """What is to become of the answer: the options of `answering`, by their names."""

    margin: float = MARGIN
    volume: float | None = None
    by: str | None = None
    fail_on: str | None = None
    junit: Path | None = None
    out: Path | None = None


def answering(command: Command) -> Command:
    """The options that say what is to become of the answer."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def others(options: Mapping[str, Any]) -> dict[str, Any]:  # Any: options of a command
    """A command's options without those of `answering`."""
    own = {field.name for field in fields(Wanted)}
    return {name: value for name, value in options.items() if name not in own}


def wanted(options: Mapping[str, Any]) -> Wanted:  # Any: options of a command
    """Those of `answering`, checked before anything is paid for."""
    from misstep.analyse.checks import read_fail_on
    from misstep.analyse.inference.noninferiority import check_margin
    from misstep.analyse.worth.worth import check_volume
    from misstep.core.errors import BadInput
    from misstep.core.measures import ACCURACY

    chosen = Wanted(**{field.name: options[field.name] for field in fields(Wanted)})
    check_margin(chosen.margin, {"": ACCURACY}, "--margin")
    check_volume(chosen.volume)
    if chosen.fail_on is not None:
        read_fail_on(chosen.fail_on, chosen.margin)
    elif chosen.junit is not None:
        raise BadInput(f"--junit: {chosen.junit} would hold no check; --fail-on says which")
    if chosen.out is not None:
        from misstep.report.page.files import check_ending

        check_ending(chosen.out)
    return chosen


def tell(
    records: Sequence[Record],
    folders: Sequence[Path],
    chosen: Wanted,
    *,
    currency: str = "",
    as_json: bool,
) -> None:
    """Print the answer and write what was asked for; MisstepError where a check fails.

    `folders` are the runs that the records came from, for the page.
    """
    from misstep.analyse.worth.answer import answer

    found = answer(
        records, {}, chosen.margin, by=chosen.by, volume=chosen.volume, currency=currency
    )
    checked = _checked(records, found, chosen)
    _warn_of_scorer(records)
    if as_json:
        _print_json(records, found, checked)
    else:
        _print(records, found)
    if chosen.out is not None:
        _write(chosen.out, folders, found, is_said=not as_json)
    if checked is not None:
        _check(checked, chosen.junit)


def _warn_of_scorer(records: Sequence[Record]) -> None:
    """A scorer that broke down says nothing of the replies."""
    broke = Counter(
        record.reason for record in records if (record.reason or "").startswith("scorer_")
    )
    for reason, times in broke.most_common(1):
        more = f" (and {broke.total() - times} for other reasons)" if len(broke) > 1 else ""
        click.echo(
            f"! --scorer: {times} of {len(records)} replies have no score: {reason}{more}", err=True
        )


def _checked(records: Sequence[Record], found: Answer, chosen: Wanted) -> Checked | None:
    from misstep.analyse import notes
    from misstep.analyse.checks import judge, read_fail_on
    from misstep.report.checking import Checked

    if chosen.fail_on is None:
        return None
    words = read_fail_on(chosen.fail_on, chosen.margin)
    whole = [one for one in found.comparisons if one.factor is None]
    return Checked(judge(whole, words), words, notes(records, {}))


def _print_json(records: Sequence[Record], found: Answer, checked: Checked | None) -> None:
    from misstep import analyse
    from misstep.analyse.worth.answer import answer_to_json
    from misstep.report import checking, claims

    shown: dict[str, object] = {
        **analyse.to_json(found.comparisons),
        **analyse.arms_to_json(analyse.summarise(records, {})),
        **analyse.further_to_json(found.cheapest, (), analyse.notes(records, {})),
        **claims.to_json(claims.check(records)),
        **answer_to_json(found),
    }
    if checked is not None:
        shown["check"] = checking.to_json(checked)
    print_json(shown)


def _print(records: Sequence[Record], found: Answer) -> None:
    from misstep import analyse
    from misstep.report import claims, terminal
    from misstep.report.own import terminal as answering

    out = console()
    if not found.comparisons:
        terminal.show_arms(analyse.summarise(records, {}), out)
    terminal.show(found.comparisons, out)
    terminal.show_notes(analyse.notes(records, {}), out)
    claims.show(claims.check(records), out)
    answering.show(found, out)


def _write(out: Path, folders: Sequence[Path], found: Answer, *, is_said: bool) -> None:
    """The report of these runs, with the comparisons and on the terms of the answer."""
    from misstep.report.own.terms import Terms
    from misstep.report.page import files as page
    from misstep.report.page.gather import gather

    terms = Terms(found.margin, found.volume, found.currency)
    page.write(out, replace(gather(list(folders)), comparisons=found.comparisons, terms=terms))
    click.echo(f"wrote {out.resolve()}", err=not is_said)


def _check(checked: Checked, junit: Path | None) -> None:
    """JUnit's file is written whether or not a check fails."""
    from misstep.report import checking

    if junit is not None:
        checking.write_junit(checked, junit)
    failed = [line for line in checking.lines(checked) if line.startswith("FAIL ")]
    if failed:
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        raise MisstepError(f"--fail-on: {failed[0].removeprefix('FAIL ')}{more}")
