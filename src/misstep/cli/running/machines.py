"""Many machines: the options that send work to Ray, and the runs that go there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli.options import PLACE, console
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.runner.run import Plan, Request, Run
    from misstep.scale.asking import Terms

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options
ON = click.option(
    "--on", metavar="WHERE",
    help="ray, ray://HOST:PORT or HOST:PORT: on all machines of a cluster (docs/many-machines.md).",
)  # fmt: skip
_OPTIONS = (
    ON,
    click.option("--shards", type=int, metavar="N", help="With --on: share the groups into N."),
    click.option(
        "--num-cpus", type=float, metavar="N",
        help="With --on: cores that a task takes.  [default: 1; embedded: a whole node]",
    ),
    click.option(
        "--num-gpus", type=float, metavar="N",
        help="With --on: graphics cards that a task takes.  [default: 1 for vllm, sglang, hf]",
    ),
)  # fmt: skip


class _Place(click.ParamType[Any]):  # Any: a path, or text
    """A folder of this machine, or the address of one elsewhere, which stays text."""

    name = "place"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:  # Any: as click has it
        is_address = isinstance(value, str) and "://" in value
        return value if is_address else PLACE.convert(value, param, ctx)


LOG_DIR = click.option(
    "--log-dir",
    type=_Place(),
    default=Path("logs"),
    show_default=True,
    help="Where the runs' folders are kept; with --on also s3://… and the like.",
)


def machines(command: Command) -> Command:
    """The options of a run that may go to many machines."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def terms_of(settings: dict[str, Any], workers: int) -> Terms | None:  # Any: options of a command
    """Takes the options of `machines` out of the others; None for a run on this machine."""
    on = settings.pop("on")
    if on is None:
        for name in ("shards", "num_cpus", "num_gpus"):
            value = settings.pop(name)
            if value is not None:
                raise BadInput(f"--{name.replace('_', '-')}: {value:g} is for --on only")
        if isinstance(settings["log_dir"], str):
            raise BadInput(f"--log-dir: {settings['log_dir']}: is elsewhere, which needs --on")
        return None
    if workers != 1:
        raise BadInput(f"--on: --workers {workers} is of one machine; leave out one of the two")
    from misstep.scale import asking

    return asking.terms_of(on, settings)


def check_machines(plans: Sequence[Plan], terms: Terms | None, how: str) -> str:
    """BadInput where the runs can't go there. Which preflight there is: `how`, as the option says.

    What another store has of the runs is fetched.
    """
    if terms is None:
        return how
    from misstep.scale import asking

    return asking.ready(plans, terms, how)


def carry_out_on(
    pairs: Sequence[tuple[Plan, Request]], terms: Terms, *, is_shown: bool
) -> tuple[list[Run], list[MisstepError]]:
    """All runs at once on the cluster, under one display; those with questions left apart."""
    from misstep.registry import family
    from misstep.report.progress import together
    from misstep.runner.failures import Incomplete
    from misstep.runner.run import Stopped
    from misstep.scale.running import carry_out

    specs = [(made, family(made.manifest.family).spec) for made, _ in pairs]
    with together(console(stderr=not is_shown), specs) as (shown, say):
        try:
            done = carry_out(pairs, terms, [one.hear for one in shown], say)
        except Stopped as stopped:
            raise MisstepError(f"{stopped}; the same command goes on from there") from None
        runs = {run.folder: run for run in done if not isinstance(run, Incomplete)}
        for one, (made, _) in zip(shown, pairs, strict=True):
            if made.folder in runs:
                one.end(runs[made.folder])
        left: list[MisstepError] = [run for run in done if isinstance(run, Incomplete)]
        return list(runs.values()), left


def machine_words(terms: Terms | None) -> list[str]:
    """The options as a command that goes on repeats them."""
    if terms is None:
        return []
    words = ["--on", terms.on]
    for name in ("shards", "num_cpus", "num_gpus"):
        value = getattr(terms, name)
        words += [] if value is None else [f"--{name.replace('_', '-')}", f"{value:g}"]
    return words


def check_spread(family: str, on: str | None) -> None:
    """BadInput where a family's items are made too quickly to be sent anywhere."""
    from misstep.registry import family as room_of

    if on is not None and not room_of(family).is_spread:
        raise BadInput(f"--on: items of {family} are made in a moment; leave it out")


@contextmanager
def items_on(on: str | None) -> Iterator[None]:
    """Within it, rooms whose items take long make them on the cluster."""
    if on is None:
        yield
        return
    from misstep.core.spreading import spreading
    from misstep.scale import asking

    asking.check_address(on)
    from misstep.scale.spread import over

    with over(on, lambda line: click.echo(line, err=True)) as spread, spreading(spread):
        yield
