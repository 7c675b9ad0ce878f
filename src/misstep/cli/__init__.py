"""The command line: wiring only. Every command's work is done by the module that it imports."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from types import TracebackType

import click

import misstep
from misstep.cli.ab import ab
from misstep.cli.before import cost, power
from misstep.cli.catalogue import list_families, models
from misstep.cli.checking import check
from misstep.cli.comparing import compare
from misstep.cli.importing import import_
from misstep.cli.items import items, show
from misstep.cli.labelling import label
from misstep.cli.paper import check_paper
from misstep.cli.plan import plan
from misstep.cli.reading import read
from misstep.cli.runs import records, regrade, report, run
from misstep.core.errors import MisstepError

_FULL = (errno.ENOSPC, errno.EDQUOT)
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
):
    cli.add_command(command)


def main() -> None:
    """Run the command line; whatever goes wrong is one line on standard error."""
    if "_MISSTEP_COMPLETE" in os.environ:
        from misstep.cli import bash

        bash.register()
    sys.excepthook = _own_fault
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
    line = " ".join(message.split())
    click.echo(f"misstep: {line if len(line) <= LONGEST else line[:LONGEST] + '…'}", err=True)
    sys.exit(code)


def _own_fault(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """A fault of ours is one line as well; MISSTEP_TRACEBACK=1 shows where."""
    if os.environ.get("MISSTEP_TRACEBACK"):
        sys.__excepthook__(kind, error, trace)
        return
    line = " ".join(f"{kind.__name__}: {error}".split())[:300]
    hint = "MISSTEP_TRACEBACK=1 shows where"
    click.echo(f"misstep: a fault of misstep's own: {line} ({hint})", err=True)
