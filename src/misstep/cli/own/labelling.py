"""Labels of the replies that disagree: the page on which people give them, and what they say."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli.options import PLACE, console, print_json
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.analyse.labels.disagreements import Disagreement
    from misstep.analyse.labels.nouns import Labelling
    from misstep.cli.own.answering import Wanted
    from misstep.core.labels import Label
    from misstep.core.records import Record
    from misstep.runner.logged.logs import Found

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options
LABELLER = "labeller"
LATER = ("labels", "later")
"""What the manifest of a run says whose replies are labelled later."""
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


@dataclass(frozen=True)
class Page:
    """How the page is opened. Port 0: any free one."""

    labeller: str = LABELLER
    port: int = 0
    is_opened: bool = True
    is_of_conflicts: bool = False


_PAGE = (
    click.option(
        "--labeller", default=LABELLER, show_default=True, metavar="NAME",
        help="Who labels; the labels of several people are kept apart.",
    ),
    click.option(
        "--port", type=click.IntRange(0, 65535), default=0, metavar="N",
        help="Of the page for labels. [default: any free one]",
    ),
    click.option("--no-browser", is_flag=True, help="Only print the address of that page."),
)  # fmt: skip


def paged(command: Command) -> Command:
    """The options that say how the page is opened."""
    for option in reversed(_PAGE):
        command = option(command)
    return command


@click.command()
@click.argument("run", type=PLACE, metavar="RUN")
@paged
@click.option(
    "--conflicts", is_flag=True, help="Only those of which people say different things, again."
)
def label(run: Path, labeller: str, port: int, no_browser: bool, conflicts: bool) -> None:
    """Label the replies on which the arms of a run disagree. Blind, and by key press.

    The page is on this machine alone, and every label is on disk at once: Ctrl-C stops, the same
    command goes on (docs/labelling.md).

    \b
    misstep label logs/ab-questions-openai-gpt-5.2-1a2b3c4d
    misstep label RUN --labeller anna
    misstep label RUN --labeller anna --conflicts
    """
    label_run(run, Page(labeller, port, not no_browser, conflicts))


def label_run(run: Path, page: Page) -> None:
    """Serve the page until its end, also where all is labelled: there it can be taken back."""
    from misstep.core import labels
    from misstep.study.labelling.questions import read_questions
    from misstep.study.labelling.serving import serve
    from misstep.study.labelling.session import open_session

    labeller = labels.check_labeller(page.labeller)
    folder, found = _read(run)
    place = folder / labels.NAME
    questions = read_questions(found, _asked(run, found, page, labels.read(place)))
    session = open_session(place, labeller, questions, _seed(folder), is_anew=page.is_of_conflicts)
    if session.turns:
        serve(session, page.port, lambda address: _tell(address, page, len(session.turns)))
    said = f"{len(session.said):,} of {len(session.turns):,} disagreements labelled by {labeller}"
    more = "" if session.current is None else f"; go on with: misstep label {folder}"
    click.echo(f"{said}{more}", err=True)


def _asked(
    run: Path, found: Sequence[Found], page: Page, given: Sequence[Label]
) -> tuple[Disagreement, ...]:
    from misstep.analyse.labels.disagreements import disagreements, has_unlabelled
    from misstep.analyse.labels.judged import in_conflict

    records = [one.record for one in found]
    if not has_unlabelled(records):
        raise BadInput(
            f"RUN: {run}: no reply waits for a label; misstep ab --label-later makes such"
        )
    every = disagreements(records)
    if not page.is_of_conflicts:
        return every
    conflicts = in_conflict(given)
    return tuple(one for one in every if one.id in conflicts)


def _read(run: Path) -> tuple[Path, list[Found]]:
    from misstep.runner.logged.logs import find_records, log_files

    files = log_files([run])
    folders = list(dict.fromkeys(file.parent for file in files))
    if len(folders) > 1:
        raise BadInput(f"RUN: {run} holds {len(folders)} runs; name one, such as {folders[0]}")
    return folders[0], find_records(files)


def _seed(folder: Path) -> int:
    from misstep.runner import manifest

    return manifest.read(folder).seed if (folder / manifest.NAME).exists() else 0


def _tell(address: str, page: Page, total: int) -> None:
    what = f"{total:,} disagreements to label; Ctrl-C stops, and all labels are kept"
    open_page(address, what, is_opened=page.is_opened)


def open_page(address: str, what: str, *, is_opened: bool) -> None:
    """Say on standard error what the page is for, and where it is: a program would read neither."""
    import webbrowser

    click.echo(what, err=True)
    click.echo(f"open {address}", err=True)
    if is_opened and _has_screen(os.environ):
        webbrowser.open(address)


def _has_screen(environment: Mapping[str, str]) -> bool:
    """Where there is none, a browser of letters would take over the terminal."""
    return sys.platform in ("darwin", "win32") or any(name in environment for name in _SCREENS)


def check_later(page: Page, chosen: Wanted, *, is_later: bool) -> None:
    """BadInput for options that would do nothing with labels, or nothing without them."""
    usual = Page()
    if not is_later and page != usual:
        raise BadInput("--labeller, --port and --no-browser are for --label-later")
    for option, value in (
        ("--volume", chosen.volume),
        ("--by", chosen.by),
        ("--fail-on", chosen.fail_on),
        ("--out", chosen.out),
    ):
        if is_later and value is not None:
            raise BadInput(f"{option}: {value}: needs to know the answers, not labels of them")


def tell_labelled(folders: Sequence[Path], page: Page, margin: float, *, as_json: bool) -> None:
    """What `misstep ab --label-later` does after the run: the page for labels, then the answer."""
    label_later(folders, page)
    print_labelled(folders, non_inferiority=margin, as_json=as_json)


def label_later(folders: Sequence[Path], page: Page) -> None:
    """Open the page of each run that lacks labels; with nobody at a terminal, say how to."""
    for folder in folders:
        if not _is_missing(folder):
            continue
        if sys.stderr.isatty():
            label_run(folder, page)
        else:
            click.echo(f"labels are missing: misstep label {folder}", err=True)


def _is_missing(folder: Path) -> bool:
    from misstep.analyse.labels.labelled import compare_labelled
    from misstep.analyse.labels.nouns import Labelling
    from misstep.core import labels

    held = _by_folder([folder])
    given = [Labelling(records, labels.read(place)) for place, records in held.items()]
    return any(one.missing for one in compare_labelled(given))


def are_labelled_later(runs: Sequence[Path]) -> bool:
    """Whether these are runs whose replies people label; BadInput where only some of them are."""
    from misstep.runner import manifest
    from misstep.runner.logged.logs import ENDING

    logs = [log for run in runs for log in ([run] if run.is_file() else run.rglob(f"*{ENDING}"))]
    folders = dict.fromkeys(log.parent for log in sorted(logs))
    key, value = LATER
    later = [
        folder
        for folder in folders
        if (folder / manifest.NAME).exists() and manifest.read(folder).own.get(key) == value
    ]
    if later and len(later) < len(folders):
        other = next(folder for folder in folders if folder not in later)
        raise BadInput(f"RUN: {later[0]} goes by labels and {other} does not; compare them apart")
    return bool(later)


def print_labelled(
    runs: Sequence[Path],
    *,
    labeller: str | None = None,
    non_inferiority: float | None = None,
    mid_p: bool = False,
    as_json: bool,
) -> None:
    """Print what the labels of these runs come to, and how far those who gave them agree."""
    from misstep.analyse.labels.agreement import agreements
    from misstep.analyse.labels.disagreements import disagreements
    from misstep.analyse.labels.labelled import compare_labelled
    from misstep.analyse.labels.nouns import Labelling
    from misstep.core import labels
    from misstep.report.own import labelled

    given = [Labelling(records, labels.read(place)) for place, records in _by_folder(runs).items()]
    _check_known(labeller, given)
    made = compare_labelled(given, labeller=labeller, non_inferiority=non_inferiority, mid_p=mid_p)
    agreed = [
        one
        for labelling in given
        for one in agreements(
            labelling.labels, [each.id for each in disagreements(labelling.records)]
        )
    ]
    if as_json:
        print_json(labelled.to_json(made, agreed))
    else:
        labelled.show(made, agreed, console())


def _by_folder(runs: Sequence[Path]) -> dict[Path, list[Record]]:
    """The records of each run, by the file of its labels."""
    from misstep.core import labels
    from misstep.runner.logged.logs import find_records, log_files

    found: dict[Path, list[Record]] = {}
    for one in find_records(log_files(runs)):
        found.setdefault(one.file.parent / labels.NAME, []).append(one.record)
    return found


def _check_known(labeller: str | None, given: Sequence[Labelling]) -> None:
    from misstep.core import labels

    known = labels.labellers(label for labelling in given for label in labelling.labels)
    if labeller is not None and labeller not in known:
        named = ", ".join(known) or "nobody yet"
        raise BadInput(f"--labeller: {labeller!r} gave no label; known: {named}")
