"""The statements about apartments: checked, rated by a model, made by a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli import completing
from misstep.cli.options import JSON, PLACE, making, print_json
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.families.apartments.statements import Statements
    from misstep.families.apartments.statements.rating import Agreement, Rated
    from misstep.runner.prompting import Work

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options
SHOWN = 10
HOTTEST = 10
SCHEMA = 1
LONGEST_RATING, LONGEST_LIST = 2_000, 6_000
"""Tokens of one reply: a model that can't help thinking has room to; 80 sentences take 1,500."""

_ASKING = (
    click.option(
        "--model", metavar="M", shell_complete=completing.models,
        help="PROVIDER/MODEL. [default: the embedded one]",
    ),
    click.option(
        "-M", "model_args", multiple=True, metavar="KEY=VALUE", help="An argument of the model."
    ),
    click.option("--max-tokens", type=int, metavar="N", help="Token limit of each reply."),
    click.option(
        "--log-dir", type=PLACE, default=Path("logs"), show_default=True,
        help="Where a folder with the replies is kept.",
    ),
)  # fmt: skip


def asking(command: Command) -> Command:
    """The options that say who is asked."""
    for option in reversed(_ASKING):
        command = option(command)
    return command


@click.command("apartments-check")
@click.argument("file", type=PLACE, required=False)
@JSON
def apartments_check(file: Path | None, as_json: bool) -> None:
    """Check a file of statements about apartments. Every fault is named with its place and value.

    FILE is as the shipped one, which is checked where none is given
    (src/misstep/families/apartments/statements/shipped.toml).

    \b
    misstep apartments-check
    misstep apartments-check mine.toml
    """
    from misstep.families.apartments.statements import SHIPPED, problems, read_statements
    from misstep.families.apartments.statements.checking import out_of_order

    path = file or SHIPPED
    found = read_statements(path)
    faults = list(problems(found))
    turned = out_of_order(found)
    if as_json:
        print_json(
            {
                "schema": SCHEMA,
                "file": str(path),
                "features": len(found.features),
                "rated_by": found.rated_by or None,
                "faults": faults,
                "out_of_order": turned,
            }
        )
    else:
        click.echo("".join(f"{fault}\n" for fault in faults), nl=False)
        if found.rated_by and turned:
            click.echo(f"rated by {found.rated_by}: {_turned(turned)}")
    if faults:
        raise BadInput(f"{path}: {_plural(len(faults), 'fault')}")
    if not as_json:
        click.echo(f"{path}: {len(found.features)} features with 4 statements each, no fault")


@click.command("apartments-rate")
@asking
@click.option(
    "--statements",
    type=PLACE,
    metavar="FILE",
    help="What is rated. [default: the shipped statements]",
)
@click.option(
    "--out", type=PLACE, metavar="FILE", help="Write the statements with the new ratings."
)
@click.option(
    "--most",
    default=SHOWN,
    show_default=True,
    metavar="N",
    type=click.IntRange(min=0),
    help="Show the N statements that differ most.",
)
@JSON
def apartments_rate(
    statements: Path | None,
    out: Path | None,
    most: int,
    as_json: bool,
    **asked: Any,  # Any: `_ASKING`
) -> None:
    """Rate the statements about apartments anew. How far a model agrees with their ratings.

    Each statement is asked for by itself, from -5 to 5, in 320 short calls. Prints the rank
    correlation, the mean shift and the statements that differ most.

    \b
    misstep apartments-rate --model openai/gpt-4o
    misstep apartments-rate --model openai/gpt-4o --out gpt-4o.toml
    misstep apartments-rate --model openai/gpt-4o --statements made.toml --out rated.toml
    """
    from misstep.families.apartments.statements import SHIPPED, problems, rating, read_statements

    path = statements or SHIPPED
    found = read_statements(path)
    fault = next(problems(found, is_rated=False), None)
    if fault is not None:
        raise BadInput(f"{path}: {fault}; misstep apartments-check names every fault")
    _check_out(out)
    work = _work("apartments-rate", asked, LONGEST_RATING)
    ratings = [rating.read_rating(reply) for reply in _asked(work, rating.questions(found))]
    if not any(one is not None for one in ratings):
        raise MisstepError(
            f"--model: {work.model}: no reply holds a whole number from -5 to 5; all "
            f"{len(ratings)} are kept in {work.folder}, nothing is written"
        )
    rows = rating.rated(found, ratings)
    if out is not None:
        _write(out, rating.with_ratings(found, work.model, ratings), f"Rated by {work.model}.")
    agreed = rating.agreement(rows)
    differing = rating.most_different(rows, most)
    unread = [f"{row.feature}: {row.level}" for row in rows if row.now is None]
    if as_json:
        print_json(_told_json(work, path, agreed, differing, unread))
    else:
        click.echo("\n".join(_told(work, path, agreed, differing, unread)))
        if out is not None:
            click.echo(f"written: {out}")


@click.command("apartments-make")
@asking
@click.option("--out", type=PLACE, required=True, metavar="FILE", help="Where the statements go.")
@click.option("--seed", default=0, show_default=True, help="Another seed, other statements.")
@click.option("--temperature", default=0.7, show_default=True, help="Of each of the four replies.")
def apartments_make(
    out: Path, seed: int, temperature: float, **asked: Any
) -> None:  # Any: `_ASKING`
    """Make statements about apartments with a model. Four calls: 80 features, four statements each.

    By the prompts of Mind Your Step, F.1. What the model writes is checked as a file of your own
    is, and what is wrong is named; contradictions between features are for people to find. Ratings
    come from misstep apartments-rate.

    \b
    misstep apartments-make --model openai/gpt-4o --out made.toml
    misstep apartments-rate --model openai/gpt-4o --statements made.toml --out rated.toml
    misstep run apartments --model openai/gpt-4o -T statements=rated.toml
    """
    from misstep.families.apartments.statements import SHIPPED, making, problems, read_statements

    _check_out(out)
    if not 0 <= temperature <= HOTTEST:
        raise BadInput(f"--temperature: {temperature:g} is not between 0 and {HOTTEST}")
    work = _work("apartments-make", asked, LONGEST_LIST, temperature=temperature, seed=seed)
    lines: dict[str, list[str]] = {}
    for level, source in making.STEPS:
        words = making.prompt(level, lines.get(source, []))
        (reply,) = _asked(work, [(level, words)])
        try:
            lines[level] = making.read_lines(level, reply)
        except MisstepError as error:
            raise MisstepError(
                f"--model: {work.model}: {error}; the reply is kept in {work.folder}, nothing is "
                "written; another --seed asks again"
            ) from None
    made = making.made_features(lines, read_statements(SHIPPED).shared)
    _write(out, made, f"Made by {work.model}; not rated yet: misstep apartments-rate.")
    faults = list(problems(made, is_rated=False))
    click.echo("".join(f"{fault}\n" for fault in faults), nl=False)
    click.echo(f"written: {out}")
    if faults:
        raise MisstepError(f"{out}: {_plural(len(faults), 'fault')} to mend by hand before use")


def _check_out(out: Path | None) -> None:
    """Before the first call: what was paid for should find its place."""
    if out is not None and (out.is_dir() or not out.resolve().parent.is_dir()):
        raise BadInput(
            f"--out: {out}: {'is a folder' if out.is_dir() else 'its folder is missing'}"
        )


def _write(out: Path, found: Statements, heading: str) -> None:
    from misstep.families.apartments.statements import write_statements

    write_statements(out, found, heading)


def _work(name: str, asked: dict[str, Any], limit: int, **further: Any) -> Work:  # Any: options
    from misstep.core.options import read_pairs, typed
    from misstep.models.store import DEFAULT
    from misstep.runner.prompting import Work

    max_tokens = limit if asked["max_tokens"] is None else asked["max_tokens"]
    if max_tokens < 1:
        raise BadInput(f"--max-tokens: {max_tokens} is below 1")
    return Work(
        name=name,
        model=f"embedded/{DEFAULT}" if asked["model"] is None else asked["model"],
        model_args=typed(read_pairs("-M", asked["model_args"])),
        max_tokens=max_tokens,
        log_dir=asked["log_dir"],
        **further,
    )


def _asked(work: Work, prompts: Sequence[tuple[str, str]]) -> list[Any]:  # Any: replies
    from misstep.runner.prompting import Prompt, ask_all

    with making():
        return list(ask_all(work, [Prompt(name, words) for name, words in prompts]))


def _told(
    work: Work,
    path: Path,
    agreed: Agreement | None,
    differing: Sequence[Rated],
    unread: Sequence[str],
) -> list[str]:
    lines = [f"{work.model} on {path}"]
    if unread:
        more = f", and {len(unread) - SHOWN} more" if len(unread) > SHOWN else ""
        lines.append(f"  no rating from -5 to 5 read for {', '.join(unread[:SHOWN])}{more}")
    if agreed is None:
        lines.append("  no statement was rated by both")
        return lines
    correlation = "not defined, as one side rates all alike"
    if agreed.correlation is not None:
        correlation = f"{agreed.correlation:.3f}"
    lines += [
        f"  statements rated by both  {agreed.number}, {agreed.same} of them alike",
        f"  rank correlation          {correlation} (Spearman)",
        f"  mean shift                {agreed.shift:+.2f} (model less file)",
        f"  mean distance             {agreed.distance:.2f}",
    ]
    if differing:
        lines += ["", "  file  model  statement"]
        lines += [f"  {row.before:+4d}  {row.now:+5d}  {row.text}" for row in differing]
    return lines


def _told_json(
    work: Work,
    path: Path,
    agreed: Agreement | None,
    differing: Sequence[Rated],
    unread: Sequence[str],
) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "model": work.model,
        "file": str(path),
        "agreement": None if agreed is None else asdict(agreed),
        "unread": list(unread),
        "differing": [{**asdict(row), "shift": row.shift} for row in differing],
    }


def _turned(names: Sequence[str]) -> str:
    listed = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
    return f"ratings don't fall from positive to negative in {len(names)} features ({listed})"


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
