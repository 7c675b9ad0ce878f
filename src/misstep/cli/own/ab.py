"""misstep ab: thinking against no thinking, on a task or a file of the user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from misstep.cli import completing
from misstep.cli.options import JSON, PLACE, console, trying
from misstep.cli.own.answering import answering, others, tell, wanted
from misstep.cli.own.budgeting import Money, budgeting, money_of, piloting, within
from misstep.cli.own.labelling import Page, check_later, paged, tell_labelled
from misstep.cli.own.own_tasks import Source, open_task, sourced
from misstep.cli.running.preflight import PREFLIGHT, STRICT, preflight
from misstep.cli.running.spending import warn_of_hopeless
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.core.records import Record
    from misstep.runner.own.planning import Asking
    from misstep.runner.run import Plan, Run

_SETTINGS = (
    "model",
    "model_args",
    "arms",
    "arms_file",
    "repeat",
    "temperature",
    "max_tokens",
    "log_dir",
    "max_retries",
    "attempt_timeout",
)


@click.command()
@click.argument("task", metavar="TASK")
@click.option(
    "--model", metavar="M", shell_complete=completing.models,
    help="PROVIDER/MODEL. [default: the embedded one]",
)  # fmt: skip
@click.option(
    "-M", "model_args", multiple=True, metavar="KEY=VALUE", help="An argument of the model."
)
@click.option(
    "--arms", metavar="A,B", help="Arms, the baseline first. [default: think:none,think:medium]"
)
@click.option("--arms-file", type=PLACE, metavar="F", help="Arms of your own (docs/arms.md).")
@sourced
@click.option("--repeat", default=1, show_default=True, metavar="K", help="Ask everything K times.")
@click.option("--temperature", type=float, help="Of each reply. [default: the task's own, else 0]")
@click.option("--max-tokens", type=int, help="Token limit of a reply. [default: the task's own]")
@PREFLIGHT
@STRICT
@budgeting
@trying
@answering
@paged
@click.option(
    "--log-dir",
    type=PLACE,
    default=Path("logs"),
    show_default=True,
    help="Where the runs' folders are kept.",
)
@JSON
def ab(
    task: str,
    how: str,
    is_strict: bool,
    as_json: bool,
    fields: str | None,
    labeller: str,
    port: int,
    no_browser: bool,
    **further: Any,  # Any: the options of `_SOURCE` and of `answering`, by the names of both
) -> None:
    """Find out whether thinking pays on your own task. Both arms, the same questions, a verdict.

    TASK is a file of questions (.csv, .jsonl, .parquet), a task of Inspect by its name, or a file
    of one (docs/ab.md). The same command again goes on where the run stood.

    \b
    misstep ab questions.csv --model openai/gpt-5.2
    misstep ab prompts.jsonl --model openai/gpt-5.2 --scorer json --arms think:none,think:high
    misstep ab inspect_evals/gsm8k --model google/gemini-2.5-flash --limit 200
    misstep ab my_task.py@task -T level=2 --arms direct,cot
    misstep ab unanswered.csv --model openai/gpt-5.2 --label-later
    misstep ab questions.csv --model openai/gpt-5.2 --budget 50 --price 1.75,14
    """
    from misstep.runner.own.planning import plan

    settings = {name: further.pop(name) for name in _SETTINGS}
    settings["model"] = settings["model"] or _default_model()
    chosen = wanted(further)
    money = money_of(further, settings["model"])
    asked = Source(task, fields=_listed("--fields", fields), **others(further))
    page = Page(labeller, port, not no_browser)
    check_later(page, chosen, is_later=asked.is_later)
    if asked.is_later and money.watcher is not None:
        raise BadInput("--label-later: nothing tells when to stop before there are labels")
    asking = _asking(asked, money, settings)
    own = open_task(asked)
    warn_of_judge(asked, asking)
    made = plan(own, asking)
    warn_of_hopeless([made])
    with piloting(made, money):
        ready = preflight([made], how, is_strict=is_strict, as_json=as_json)
    if ready is not None:
        records = [one for made in ready for one in _records(made, money, as_json=as_json)]
        if asked.is_later:
            tell_labelled([one.folder for one in ready], page, chosen.margin, as_json=as_json)
            return
        folders, currency = [one.folder for one in ready], money.prices.currency
        tell(records, folders, chosen, currency=currency, as_json=as_json)


def _asking(
    asked: Source,
    money: Money,
    settings: Mapping[str, Any],  # Any: the options of `_SETTINGS`, by name
) -> Asking:
    from misstep.core import arms_file as files
    from misstep.core.options import read_pairs, typed
    from misstep.runner.calls.patience import Tries
    from misstep.runner.own.planning import Asking

    settings = dict(settings)
    tries = Tries(settings.pop("max_retries"), settings.pop("attempt_timeout"))
    arms_file = settings["arms_file"]
    read = {
        "model_args": typed(read_pairs("-M", settings["model_args"])),
        "arms": _listed("--arms", settings["arms"]),
        "arms_file": None if arms_file is None else str(arms_file),
    }
    return Asking(
        **{**settings, **read},
        own_arms=() if arms_file is None else files.read(arms_file),
        seed=asked.seed,
        limit=asked.limit,
        judge=asked.judge,
        watcher=money.watcher,
        prices=money.prices,
        till=money.till,
        tries=tries,
    )


def _records(made: Plan, money: Money, *, as_json: bool) -> Sequence[Record]:
    """Of the whole run, or of what --budget pays for."""
    if money.budget is None:
        return carry_out(made, is_shown=not as_json).records
    return within(made, money, lambda part: carry_out(part, is_shown=not as_json), as_json=as_json)


def warn_of_judge(asked: Source, asking: Asking) -> None:
    """A model that grades itself favours its own ways."""
    if asked.judge is not None and asked.judge == asking.model:
        click.echo(
            f"! --judge: {asked.judge} judges its own replies; another model would favour no arm",
            err=True,
        )


def carry_out(made: Plan, *, is_shown: bool) -> Run:
    """The run, its progress shown; Ctrl-C says how to go on."""
    from misstep.report.progress import RunProgress
    from misstep.runner import stopping
    from misstep.runner.calls import patience
    from misstep.runner.own.cases import own_family
    from misstep.runner.run import Stopped
    from misstep.runner.run import carry_out as carried_out

    spec = own_family(made.manifest.family.removeprefix("ab:"), made.groups).spec
    with RunProgress(console(stderr=not is_shown), made, spec) as progress:
        try:
            with stopping.telling(progress.look), patience.telling(progress.wait):
                done = carried_out(made, progress.hear)
        except Stopped as stopped:
            raise MisstepError(f"{stopped}; the same command goes on from there") from None
        progress.end(done)
        return done


def _listed(flag: str, words: str | None) -> tuple[str, ...]:
    found = tuple(one.strip() for one in (words or "").split(",") if one.strip())
    if words is not None and not found:
        raise BadInput(f"{flag}: names nothing")
    return found


def _default_model() -> str:
    from misstep.models.store import DEFAULT

    return f"embedded/{DEFAULT}"
