"""`misstep study simulate`: robots take part, so that a study is tried before a person sees it."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli import completing
from misstep.cli.options import PLACE
from misstep.cli.studies.choosing import chosen_study, make_items
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.study.course.nouns import Study
    from misstep.study.robots.crowd import Robot
    from misstep.study.robots.running import Result
    from misstep.study.robots.walking import Way

MOST_ROBOTS = 10_000
_SHARE = click.FloatRange(0, 1)


@dataclass(frozen=True)
class _Asked:
    """`words` name the study on a command line. `database` and `at` as they were given."""

    study: Study
    words: tuple[str, ...]
    robots: tuple[Robot, ...]
    database: str | None
    at: str | None
    twice: float
    browser: bool


@click.command("simulate")
@click.argument("study", type=PLACE, metavar="[STUDY.toml]", required=False)
@click.option(
    "--family",
    metavar="FAMILY",
    shell_complete=completing.families,
    help="A study of this family's defaults, without a file.",
)
@click.option(
    "--people",
    type=click.IntRange(1, MOST_ROBOTS),
    metavar="N",
    help="Robots. Without a file also the people wanted. [default: those wanted]",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="S",
    help="Of who has which ability and manner. Without a file also of the study.",
)
@click.option(
    "--ability",
    "abilities",
    multiple=True,
    metavar="SOLVER=SHARE",
    help="A share that answers by this reference solver. May be given again; the rest answers by "
    "the study file's.",
)
@click.option("--leave", type=_SHARE, default=0, metavar="SHARE", help="Leave by the button.")
@click.option("--vanish", type=_SHARE, default=0, metavar="SHARE", help="Close the page.")
@click.option("--fail", type=_SHARE, default=0, metavar="SHARE", help="Fail the first check.")
@click.option("--refuse", type=_SHARE, default=0, metavar="SHARE", help="Don't consent.")
@click.option(
    "--twice",
    type=_SHARE,
    default=0,
    metavar="SHARE",
    help="Of answers: sent again, as if the reply had been lost.",
)
@click.option("--browser", is_flag=True, help="Through the real pages, in headless Chromium.")
@click.option(
    "--database", metavar="FILE|URL", help="Where the answers are kept. [default: nowhere]"
)
@click.option("--at", metavar="URL", help="A study that is being served, by its page's address.")
def simulate(
    study: Path | None,
    family: str | None,
    people: int | None,
    seed: int,
    abilities: tuple[str, ...],
    leave: float,
    vanish: float,
    fail: float,
    refuse: float,
    twice: float,
    browser: bool,
    database: str | None,
    at: str | None,
) -> None:
    """Let robots take part in a study, before a person does.

    A server is started for it, and ended. Robots answer by reference solvers, know no more than the
    page and the study's file, and speak the page's protocol (docs/study-robots.md).

    \b
    misstep study simulate --family grammar
    misstep study simulate STUDY.toml --browser --people 2
    misstep study simulate STUDY.toml --people 50 --database trial.db \\
        --ability planner=.7 --ability detour=.08 --ability nothing=.22
    """
    chosen = _study(study, family, people, seed)
    if at is not None and database is not None:
        raise BadInput("--database: with --at the answers are kept by the server that is asked")
    from misstep.study.robots.crowd import Manner, crowd

    manners = {
        Manner.LEAVES: leave,
        Manner.VANISHES: vanish,
        Manner.FAILS: fail,
        Manner.REFUSES: refuse,
    }
    shares = _shares(abilities)
    _check(chosen, shares, fail, browser=browser)
    make_items(chosen, study)
    robots = crowd(people or chosen.people, seed, shares, manners)
    words = _words(study, family, people, seed)
    _simulate(_Asked(chosen, words, robots, database, at, twice, browser))


def _study(study: Path | None, family: str | None, people: int | None, seed: int) -> Study:
    if study is not None:
        return chosen_study(study, family, None, None)
    return chosen_study(study, family, people, seed)


def _words(
    study: Path | None, family: str | None, people: int | None, seed: int
) -> tuple[str, ...]:
    """How the other commands are told of the same study."""
    if study is not None:
        return (str(study),)
    wanted = () if people is None else ("--people", str(people))
    return ("--family", str(family), *wanted, *(("--seed", str(seed)) if seed else ()))


def _shares(abilities: Sequence[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for one in abilities:
        name, _, share = one.partition("=")
        try:
            found[name] = float(share)
        except ValueError:
            raise BadInput(
                f"--ability: {one[:80]!r} is not SOLVER=SHARE, as in planner=.7"
            ) from None
    return found


def _check(study: Study, shares: Mapping[str, float], fail: float, *, browser: bool) -> None:
    """Before any work is done."""
    from misstep.study.robots.crowd import check_solvers, has_check

    check_solvers(study, list(shares))
    if fail and not has_check(study):
        raise BadInput(f"--fail: {fail:g}: this study asks no questions about its instructions")
    if browser:
        from misstep.study.robots.browsing import check_browser

        check_browser()


def _simulate(asked: _Asked) -> None:
    from misstep.study.robots.running import lost
    from misstep.study.robots.telling import lines

    with _database(asked) as database:
        result = _walked(asked, database)
        gone = lost(asked.study, database, result) if asked.at is None else None
    for line in lines(asked.study, result, None if gone is None else len(gone)):
        click.echo(line)
    for line in _next(asked):
        click.echo(line, err=True)


@contextmanager
def _database(asked: _Asked) -> Iterator[str]:
    if asked.database is not None:
        yield asked.database
        return
    with tempfile.TemporaryDirectory(prefix="misstep-robots-") as folder:
        yield str(Path(folder) / "study.db")


def _walked(asked: _Asked, database: str) -> Result:
    from misstep.study.robots.serving import served
    from misstep.study.robots.wire import check_reached

    if asked.at is not None:
        check_reached(asked.at)
        return _robots_at(asked, asked.at)

    with served(asked.words, database) as address:
        return _robots_at(asked, address)


def _robots_at(asked: _Asked, address: str) -> Result:
    from misstep.study.robots.running import over_http
    from misstep.study.robots.walking import Pace

    count, ended = len(asked.robots), _Told(len(asked.robots))
    click.echo(f"{count} robot{'' if count == 1 else 's'} at {address}", err=True)
    pace = Pace(asked.twice)
    if asked.browser:
        from misstep.study.robots.browsing import over_pages

        return over_pages(asked.study, address, asked.robots, pace, ended)
    return over_http(asked.study, address, asked.robots, pace, ended)


class _Told:
    """A line for each tenth of the robots, and for each where they are few."""

    def __init__(self, count: int) -> None:
        self._count, self._done = count, 0

    def __call__(self, way: Way) -> None:
        self._done += 1
        if self._done * 10 // self._count > (self._done - 1) * 10 // self._count:
            click.echo(f"{self._done}/{self._count}: {way.ending.replace('_', ' ')}", err=True)


def _next(asked: _Asked) -> Iterator[str]:
    if asked.at is not None:
        yield "next: look at the researcher's desk of the study that is being served"
        return
    if asked.database is None:
        yield "nothing was kept: --database FILE keeps the answers, for the desk and for export"
        return
    same = shlex.join([*asked.words, "--database", asked.database])
    yield f"the desk:    misstep study serve {same}"
    yield f"the records: misstep study export {same} --out robots.parquet"
