"""Pairs of clauses for the family `inconsistency`: checked, made by a model, imported."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli import completing
from misstep.cli.options import JSON, PLACE, making, print_json, refuse_twice
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.families.inconsistency.pairs import Fault, Imported
    from misstep.runner.prompting import Work

SCHEMA = 1
HOTTEST = 10
LONGEST = 100
"""Letters shown of a side that is at fault."""
MOST_TOKENS = 8_000
"""Of one reply: a hundred pairs take about 4,000."""


@click.group()
def pairs() -> None:
    """Pairs of clauses for the family inconsistency.

    \b
    misstep pairs check mine.jsonl
    misstep pairs make --model openai/gpt-4o --out made.jsonl
    """


@pairs.command()
@click.argument("files", nargs=-1, type=PLACE, metavar="[FILE...]")
@JSON
def check(files: tuple[Path, ...], as_json: bool) -> None:
    """Check files of pairs. Every pair that can't be used is named with the reason.

    A file holds a JSON object a line, with A and B. Only form is seen: whether A entails B, and
    whether B could be false, is for a person to read. Without a FILE the shipped one is checked.

    \b
    misstep pairs check
    misstep pairs check made.jsonl --json
    """
    from misstep.families.inconsistency.pairs import check_pairs, read_pairs
    from misstep.families.inconsistency.pairs.files import SHIPPED

    found = [(path, read_pairs(path)) for path in files or (SHIPPED,)]
    faults = [(path, check_pairs(own)) for path, own in found]
    number = sum(len(own) for _, own in faults)
    if as_json:
        told = [
            {"file": str(path), "pairs": len(own), "faults": list(map(asdict, wrong))}
            for (path, own), (_, wrong) in zip(found, faults, strict=True)
        ]
        print_json({"schema": SCHEMA, "files": told})
    else:
        for (path, own), (_, wrong) in zip(found, faults, strict=True):
            click.echo(f"{path}: {_plural(len(own), 'pair')}, {_plural(len(wrong), 'fault')}")
            click.echo("".join(f"  {line}\n" for line in _named(wrong)), nl=False)
    if number:
        raise BadInput(f"{_plural(number, 'pair')} to mend or to take out")


@pairs.command()
@click.option(
    "--model",
    metavar="M",
    shell_complete=completing.models,
    help="PROVIDER/MODEL. [default: the embedded one]",
)
@click.option(
    "-M", "model_args", multiple=True, metavar="KEY=VALUE", help="An argument of the model."
)
@click.option(
    "--number",
    type=click.IntRange(1, 1_000),
    default=100,
    show_default=True,
    help="How many pairs to ask for, and to keep.",
)
@click.option("--out", type=PLACE, required=True, metavar="FILE", help="Where the pairs go.")
@click.option(
    "--calls",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    help="At most so many calls, while pairs are missing.",
)
@click.option("--temperature", type=float, default=0.7, show_default=True, help="Of each reply.")
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    default=MOST_TOKENS,
    show_default=True,
    help="Token limit of each reply.",
)
@click.option(
    "--log-dir",
    type=PLACE,
    default=Path("logs"),
    show_default=True,
    help="Where a folder with the replies is kept.",
)
def make(
    model: str | None,
    model_args: tuple[str, ...],
    number: int,
    out: Path,
    calls: int,
    temperature: float,
    max_tokens: int,
    log_dir: Path,
) -> None:
    """Make pairs with a model, by the prompt of Mind Your Step, D.1. What can't be used is named.

    Each reply is kept as it comes, and what it has cost is not paid again: the same command reads
    it from --log-dir and goes on. Read the pairs before you use them.

    \b
    misstep pairs make --model openai/gpt-4o --out made.jsonl
    misstep pairs check made.jsonl
    misstep run inconsistency --model openai/gpt-4o -T pairs=made.jsonl
    """
    from misstep.core.options import read_pairs as read_words
    from misstep.core.options import typed
    from misstep.models.store import DEFAULT
    from misstep.runner.prompting import Work

    _check_out(out)
    if not 0 <= temperature <= HOTTEST:
        raise BadInput(f"--temperature: {temperature:g} is not between 0 and {HOTTEST}")
    work = Work(
        name=f"pairs-make-{number}",
        model=f"embedded/{DEFAULT}" if model is None else model,
        model_args=typed(read_words("-M", model_args)),
        temperature=temperature,
        max_tokens=max_tokens,
        log_dir=log_dir,
    )
    kept = _made(work, number, calls, out)
    if kept < number:
        raise MisstepError(
            f"{kept} of {number} pairs after {_plural(calls, 'call')}; more --calls ask further, "
            f"the replies so far are kept in {work.folder}"
        )


def _made(work: Work, number: int, calls: int, out: Path) -> int:
    """How many pairs the file has in the end; it is written anew after every call."""
    from misstep.families.inconsistency.pairs import Pair, making_prompt, read_reply, write_pairs
    from misstep.runner.prompting import Prompt, ask_all

    kept: list[Pair] = []
    for call in range(1, calls + 1):
        with making():
            (reply,) = ask_all(work, [Prompt(f"call-{call}", making_prompt(number))])
        draft = read_reply(reply.text, kept)
        new = draft.kept[: number - len(kept)]
        kept += new
        if kept:
            write_pairs(out, kept)
        read = len(draft.kept) + len(draft.faults)
        click.echo(
            f"call {call}: {_plural(read, 'pair')} read, {len(new)} kept, {len(kept)} so far"
        )
        click.echo("".join(f"  {line}\n" for line in _named(draft.faults)), nl=False)
        if len(kept) == number:
            break
    if kept:
        click.echo(f"written: {out}")
    return len(kept)


@click.command("nli")
@click.argument("files", nargs=-1, type=PLACE, required=True, metavar="FILE...")
@click.option(
    "--filter",
    "by",
    type=click.Choice(["text", "paper"]),
    default="text",
    show_default=True,
    help="As -T filter of the family: what is left out.",
)
@click.option(
    "--out", type=PLACE, metavar="FILE", help="Write the pairs, to be read through by you."
)
@JSON
def import_nli(files: tuple[Path, ...], by: str, out: Path | None, as_json: bool) -> None:
    """Pairs of official SNLI and MultiNLI files. How many can be asked about, the rest by reason.

    \b
    misstep import nli snli_1.0_dev.jsonl snli_1.0_test.jsonl
    misstep import nli multinli_1.0_dev_matched.jsonl --out read-me.jsonl
    """
    from misstep.families.inconsistency.pairs import import_pairs, write_pairs

    refuse_twice("FILE", [str(path) for path in files])
    _check_out(out)
    read = [import_pairs(path, _source(path), is_paper=by == "paper") for path in files]
    found = dict.fromkeys(pair for file in read for pair in file.pairs)
    if as_json:
        told = list(map(_file, read))
        print_json({"schema": SCHEMA, "filter": by, "pairs": len(found), "files": told})
    else:
        click.echo("\n".join(_told(read, len(found), by)))
    if not found:
        raise BadInput(f"FILE: no pair that can be used in {', '.join(map(str, files))}")
    if out is not None:
        write_pairs(out, found)
        if not as_json:
            click.echo(f"written: {out}")


def _source(path: Path) -> str:
    return "mnli" if path.name.casefold().startswith(("multinli", "mnli")) else "snli"


def _file(one: Imported) -> dict[str, object]:
    return {
        "file": str(one.path),
        "source": _source(one.path),
        "rows": one.rows,
        "pairs": len(one.pairs),
        "dropped": dict(one.dropped),
    }


def _told(read: Sequence[Imported], total: int, by: str) -> Iterator[str]:
    """`total`: pairs that stand in several files of a corpus are asked about once."""
    for file in read:
        yield f"{file.path}: {_plural(file.rows, 'row')}, {_plural(len(file.pairs), 'pair')}"
        for reason, count in file.dropped.items():
            yield f"  left out {count:>9,}: {reason}"
    again = sum(len(file.pairs) for file in read) - total
    if again:
        yield f"  left out {again:>9,}: in a file before as well"
    yield f"{_plural(len(read), 'file')}: {_plural(total, 'pair')}, {2 * total:,} questions"
    further = " -T filter=paper" if by == "paper" else ""
    for source in dict.fromkeys(_source(file.path) for file in read if file.pairs):
        own = [str(file.path) for file in read if _source(file.path) == source]
        if any("," in path for path in own):
            yield f"to ask them, name the files without commas, as -T {source}=F,F has one between"
            continue
        paths = ",".join(own)
        option = shlex.quote(f"{source}={paths}")
        yield f"to ask them: misstep run inconsistency -T source={source} -T {option}{further}"


def _named(faults: Sequence[Fault]) -> Iterator[str]:
    for one in faults:
        yield f"pair {one.number}: {one.reason}: “{_shown(one.pair.a)} → {_shown(one.pair.b)}”"


def _shown(text: str) -> str:
    """Short, and with nothing that a terminal would obey: it may be a model's."""
    clean = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text[:LONGEST])
    return clean if len(text) <= LONGEST else f"{clean}…"


def _check_out(out: Path | None) -> None:
    """Before the first call: what was paid for should find its place."""
    if out is not None and (out.is_dir() or not out.resolve().parent.is_dir()):
        missing = "is a folder" if out.is_dir() else "its folder is missing"
        raise BadInput(f"--out: {out}: {missing}")


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"
