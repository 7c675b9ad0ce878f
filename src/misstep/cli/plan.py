"""The planning library by hand: `misstep plan …`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from misstep.cli.options import JSON, PLACE, console, print_json
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.planning import Domain, Problem
    from misstep.planning.folders import DomainFolder
    from misstep.planning.planners import Answer
    from misstep.planning.wording import Wording

_FILE = click.Path(path_type=Path, allow_dash=True)
_BATCH = click.option("--batch", type=_FILE, metavar="CASES.jsonl", help="Many: a case a line.")
Lines = Callable[[Iterable[str], Path, str], Iterator[Mapping[str, object]]]


@click.group()
def plan() -> None:
    """Plan in PDDL by hand. Validate, solve, say, read; check a domain of one's own.

    DOMAIN is a .pddl file, a folder with domain.pddl and wording.toml, or the name of a domain that
    is shipped or stands in a folder of yours (MISSTEP_DOMAINS): see misstep list planbench.

    \b
    misstep plan validate domain.pddl problem.pddl plan.txt
    misstep plan say blocksworld problem.pddl
    """


@plan.command()
@click.argument("files", nargs=-1, type=_FILE, metavar="DOMAIN PROBLEM PLAN")
@_BATCH
@JSON
def validate(files: tuple[Path, ...], batch: Path | None, as_json: bool) -> None:
    """Run a plan: verdict, failing step, unmet facts, cost.

    \b
    misstep plan validate blocksworld problem.pddl plan.txt
    misstep plan validate --batch verdicts.jsonl
    """
    from misstep.planning import read_plan_file, validate_lines, validation_row
    from misstep.planning import validate as run_plan

    if batch is not None:
        _print_batch(batch, validate_lines)
        return
    domain, problem, plan_file = _three(files, "PLAN")
    with _told():
        found = run_plan(
            _problem(_folder(domain), problem), read_plan_file(_text(plan_file), str(plan_file))
        )
    _print_row(validation_row(found), as_json=as_json)


@plan.command()
@click.argument("domain", type=PLACE)
@click.argument("problem", type=_FILE)
@click.option("--any", "is_any", is_flag=True, help="The first plan found, not a cheapest one.")
@click.option("--seconds", default=60, show_default=True, help="Processor time the planner has.")
@click.option("--memory", default=2048, show_default=True, metavar="MIB", help="Memory it has.")
@JSON
def solve(
    domain: Path, problem: Path, is_any: bool, seconds: int, memory: int, as_json: bool
) -> None:
    """Find a cheapest plan, or a proof that there is none. By Fast Downward; the cost is proven.

    \b
    misstep plan solve logistics problem.pddl
    """
    from misstep.planning import json_number, step_text

    answer = _solve(_problem(_folder(domain), problem), seconds, memory, is_any=is_any)
    if not answer.is_decided:
        raise MisstepError(f"{problem}: {answer.planner}: {answer.outcome.value}: {answer.said}")
    row = {
        "outcome": answer.outcome.value,
        "plan": None if answer.plan is None else [step_text(step) for step in answer.plan],
        "cost": json_number(answer.cost),
        "is_optimal": answer.is_optimal,
        "planner": answer.planner,
    }
    if as_json or answer.plan is None:
        _print_row(row, as_json=as_json)
        return
    click.echo("\n".join([*map(step_text, answer.plan), f"; cost = {row['cost']}"]))


@plan.command()
@click.argument("domain", type=PLACE)
@click.argument("problem", type=_FILE)
@click.argument("plan_file", type=_FILE, required=False, metavar="[PLAN]")
@JSON
def say(domain: Path, problem: Path, plan_file: Path | None, as_json: bool) -> None:
    """The domain, the problem, and a plan, in plain English.

    \b
    misstep plan say blocksworld problem.pddl plan.txt
    """
    from misstep.planning import read_plan_file
    from misstep.planning.wording import introduction, phrasebook, say_action, say_problem

    folder = _folder(domain)
    with _told():
        asked = _problem(folder, problem)
        book = phrasebook(asked, folder.wording)
        steps = read_plan_file(_text(plan_file), str(plan_file)) if plan_file else ()
        words = introduction(folder.domain, folder.wording)
        told = say_problem(book, asked)
        said = [say_action(book, step) for step in steps]
    if as_json:
        print_json({"schema": 1, "introduction": words, "problem": told, "plan": said})
    else:
        click.echo("\n\n".join([words.strip(), told, "\n".join(said)]).strip())


@plan.command()
@click.argument("files", nargs=-1, type=_FILE, metavar="DOMAIN PROBLEM REPLY")
@click.option("--query", type=_FILE, metavar="F", help="What was asked; helps with long replies.")
@click.option("--wording", type=_FILE, metavar="F", help="A wording.toml; else the domain's own.")
@_BATCH
@JSON
def read(
    files: tuple[Path, ...],
    query: Path | None,
    wording: Path | None,
    batch: Path | None,
    as_json: bool,
) -> None:
    """Read the plan that a free reply finally proposes.

    \b
    misstep plan read blocksworld problem.pddl reply.txt
    misstep plan read --batch responses.jsonl
    misstep plan read --batch responses.jsonl --wording garden/wording.toml
    """
    from misstep.planning.reading import read_lines, read_plan
    from misstep.planning.recognising import known_wording

    words = _wording(wording) if wording else None
    if batch is not None:
        _print_batch(batch, partial(read_lines, wording_of=words or known_wording))
        return
    domain, problem, reply = _three(files, "REPLY")
    folder = _folder(domain)
    with _told():
        found = read_plan(
            _text(reply),
            folder.domain,
            words(folder.domain) if words else folder.wording,
            query=_text(query) if query else "",
            problem=_problem(folder, problem),
        )
    row = {"outcome": found.outcome, "value": found.value, "plan": found.texts, "line": found.line}
    _print_row(row, as_json=as_json)


@plan.command()
@click.argument("place", type=PLACE, metavar="FOLDER")
@click.option(
    "--examples/--no-examples",
    "with_examples",
    default=True,
    show_default=True,
    help="Show a question of each planbench test, and its right answer.",
)
@JSON
def check(place: Path, with_examples: bool, as_json: bool) -> None:
    """Say what a domain folder lacks. Is all it can say read back? With an example of each test.

    FOLDER may be a known domain's name, too.

    \b
    misstep plan check my-domain
    misstep plan check blocksworld --no-examples
    """
    from misstep.cli.materials.domain_examples import examples
    from misstep.planning.checking import Weight
    from misstep.planning.checking import check as find
    from misstep.planning.finding import folder_of

    with _told("FOLDER: "):
        folder = folder_of(str(place))
        findings = find(folder)
    errors = sum(finding.weight is Weight.ERROR for finding in findings)
    shown = examples(folder) if with_examples and not errors else iter(())
    if as_json:
        rows = [
            {"weight": f.weight.value, "place": f.place, "message": f.message} for f in findings
        ]
        by_test = {example.test: example.row for example in shown}
        print_json({"schema": 1, "findings": rows, "examples": by_test})
    for finding in () if as_json else findings:
        click.echo(f"{finding.weight.value}: {finding.place}: {finding.message}")
    if not findings and not as_json:
        click.echo(f"{place}: nothing is missing, and everything said is read back unchanged")
    for example in () if as_json else shown:
        click.echo(f"\n{example.text}")
    if errors:
        raise MisstepError(f"{place}: {errors} to mend before the domain can be used")


@plan.command("new-domain")
@click.argument("domain", type=_FILE, metavar="DOMAIN.pddl")
def new_domain(domain: Path) -> None:
    """Print a first wording.toml, made of the domain's names. To be mended by hand.

    DOMAIN.pddl may be a folder that holds one, or a known domain's name, too.

    \b
    misstep plan new-domain domain.pddl > wording.toml
    """
    from misstep.planning.finding import folder_of, known_names
    from misstep.planning.folders import DOMAIN_FILE
    from misstep.planning.folders import new_domain as first_wording

    with _told():
        if domain.is_dir() or (not domain.exists() and str(domain) in known_names()):
            domain = folder_of(str(domain)) / DOMAIN_FILE
        click.echo(first_wording(_text(domain), str(domain)), nl=False)


@contextmanager
def _told(argument: str = "") -> Iterator[None]:
    """What the library can't use is the user's bad input; `argument` stands before the message."""
    from misstep.planning import PlanningError

    try:
        yield
    except PlanningError as error:
        raise BadInput(f"{argument}{error}") from None


def _folder(place: Path) -> DomainFolder:
    from misstep.planning.finding import open_domain

    with _told("DOMAIN: " if not place.exists() else ""):
        return open_domain(str(place))


def _wording(file: Path) -> Callable[[Domain], Wording]:
    """The file's words, checked against each domain that they are used for."""
    from misstep.planning.wording import read_wording

    text = _text(file)
    return lambda domain: read_wording(text, domain, str(file))


def _problem(folder: DomainFolder, file: Path) -> Problem:
    from misstep.planning import read_problem

    with _told():
        return read_problem(_bytes(file), folder.domain, str(file))


def _solve(problem: Problem, seconds: int, memory: int, *, is_any: bool) -> Answer:
    from misstep.planning import write_domain, write_problem
    from misstep.planning.planners import (
        ANY_PLAN,
        OPTIMAL,
        Limits,
        Pddl,
        PlannerMissing,
        Solving,
        find_fast_downward,
        solve_texts,
    )

    try:
        planner = find_fast_downward()
    except PlannerMissing as error:
        raise MisstepError(str(error)) from None
    how = Solving(
        planner,
        ANY_PLAN if is_any else OPTIMAL,
        Limits(cpu_seconds=seconds, wall_seconds=5.0 * seconds, memory_mib=memory),
    )
    (answer,) = solve_texts([Pddl(write_domain(problem.domain), write_problem(problem))], how)
    return answer


def _three(files: tuple[Path, ...], last: str) -> tuple[Path, Path, Path]:
    if len(files) != 3:
        raise BadInput(f"DOMAIN PROBLEM {last}: three are needed, {len(files)} given; or --batch F")
    return files[0], files[1], files[2]


def _print_batch(batch: Path, results: Lines) -> None:
    name = "<stdin>" if str(batch) == "-" else str(batch)
    with _lines(batch) as (lines, folder), _told():
        for row in results(lines, folder, name):
            click.echo(json.dumps(row, ensure_ascii=False))


@contextmanager
def _lines(batch: Path) -> Iterator[tuple[TextIO, Path]]:
    if str(batch) == "-":
        yield sys.stdin, Path()
        return
    try:
        file = batch.open(encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise BadInput(f"--batch: {batch}: {error.strerror}") from None
    with file:
        yield file, batch.parent


def _print_row(row: Mapping[str, object], *, as_json: bool) -> None:
    if as_json:
        print_json({"schema": 1, **row})
        return
    shown = console()
    for name, value in row.items():
        if value not in (None, [], ""):
            text = "\n  ".join(value) if isinstance(value, list) else str(value)
            shown.print(f"{name}: {text}", highlight=False, markup=False, soft_wrap=True)


def _text(file: Path) -> str:
    return _bytes(file).decode(errors="replace")


def _bytes(file: Path) -> bytes:
    if str(file) == "-":
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
