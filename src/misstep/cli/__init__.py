"""The command line: wiring only. Every command's work is done by the module that it imports."""

from __future__ import annotations

import atexit
import errno
import gc
import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from types import TracebackType

import click

import misstep
from misstep.cli.before import cost, power
from misstep.cli.catalogue import list_families, models
from misstep.cli.checking import check
from misstep.cli.comparing import compare
from misstep.cli.materials.apartments import apartments_check, apartments_make, apartments_rate
from misstep.cli.materials.faces import faces
from misstep.cli.materials.importing import import_
from misstep.cli.materials.items import items, show
from misstep.cli.materials.pairs import import_nli, pairs
from misstep.cli.materials.reviewing import review
from misstep.cli.own.ab import ab
from misstep.cli.own.labelling import label
from misstep.cli.paper import check_paper
from misstep.cli.plan import plan
from misstep.cli.reading import read
from misstep.cli.running.merging import merge
from misstep.cli.running.runs import records, regrade, report, run
from misstep.cli.studies import study
from misstep.core.errors import MisstepError
from misstep.core.hiding import secrets_in

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
LONGEST = 1_000  # characters of a message: a value that it quotes may be of any length


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(misstep.__version__, prog_name="misstep")
def cli() -> None:
    """Find out where thinking makes a model worse, where it helps, and whether it is real.

    \b
    misstep run grammar                        # the embedded model, 24 items, both arms
    misstep run grammar --model openai/gpt-4o  # any model, by Inspect's names
    misstep ab prompts.csv                     # your own prompts
    misstep compare logs                       # every run beneath a folder

    COMMAND --help shows a command's options and examples.
    """


for command in (
    list_families,
    models,
    items,
    show,
    run,
    merge,
    compare,
    check,
    report,
    records,
    regrade,
    read,
    plan,
    import_,
    check_paper,
    power,
    cost,
    ab,
    label,
    pairs,
    faces,
    review,
    study,
    apartments_check,
    apartments_rate,
    apartments_make,
):
    cli.add_command(command)
import_.add_command(import_nli)


def main() -> None:
    """Run the command line; whatever goes wrong is one line on standard error."""
    if "_MISSTEP_COMPLETE" in os.environ:
        from misstep.cli import bash

        bash.register()
    sys.excepthook = _own_fault
    # Else the runner's own log prints a traceback for each line that a full disk refuses.
    logging.raiseExceptions = False
    sys.unraisablehook = partial(_unraisable, sys.unraisablehook)
    # Else a tenth of the time goes into looking for unused cycles among records, of which none is.
    gc.set_threshold(50_000, 20, 50)
    # Else Python's last look through all that the runner imported delays the end of a stopped run.
    atexit.register(gc.freeze)
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        _end("stopped", 1)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        _end(error.format_message(), 2)
    except MisstepError as error:
        _end(str(error), error.exit_code)
    except BrokenPipeError:
        # The reader has gone, as `head` does; that is no fault, and Python must not report one.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        if error.errno not in _FULL:
            raise
        _end(f"nothing more can be written: {error.strerror}", 1)


def _end(message: str, code: int) -> None:
    line = secrets_in(os.environ).hide_all(" ".join(message.split()))
    click.echo(f"misstep: {line if len(line) <= LONGEST else line[:LONGEST] + '…'}", err=True)
    sys.exit(code)


def _unraisable(
    usual: Callable[[sys.UnraisableHookArgs], object], caught: sys.UnraisableHookArgs
) -> None:
    """At the end the runner closes its log of its own doings, which a full disk refuses, too."""
    if not isinstance(caught.exc_value, OSError) or caught.exc_value.errno not in _FULL:
        usual(caught)


def _own_fault(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """A fault of ours is one line as well; MISSTEP_TRACEBACK=1 shows where."""
    if os.environ.get("MISSTEP_TRACEBACK"):
        sys.__excepthook__(kind, error, trace)
        return
    said = secrets_in(os.environ).hide_all(f"{kind.__name__}: {error}")
    line = " ".join(said.split())[:300]
    hint = "MISSTEP_TRACEBACK=1 shows where"
    click.echo(f"misstep: a fault of misstep's own: {line} ({hint})", err=True)
