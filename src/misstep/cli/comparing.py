"""The comparison of runs: between arms, models, or a model and people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from misstep.cli import completing
from misstep.cli.matrix import many, print_matrix, refuse_others
from misstep.cli.options import JSON, PLACE, console, print_json
from misstep.cli.own.labelling import are_labelled_later, print_labelled
from misstep.cli.running.merging import tell_missing
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.analyse import ArmSummary, Comparison
    from misstep.core.family import Spec
    from misstep.core.records import Record
    from misstep.runner.foreign.pair import ForeignPair

    Comparisons = Sequence[Comparison]

_ASKING = (
    click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN..."),
    click.option(
        "--by",
        metavar="FACTOR",
        shell_complete=completing.factors,
        help="Each level of a factor by itself, too.",
    ),
    click.option(
        "--between",
        type=click.Choice(["arms", "models"]),
        help="models: in each arm, each model against the baseline; all people are one side. "
        "[default: arms]",
    ),
    click.option(
        "--baseline",
        metavar="WHO",
        help="The model to hold others against. [default: people, else the first]",
    ),
    click.option("--mid-p", is_flag=True, help="McNemar's mid-p, where McNemar's test is made."),
    click.option("--score", metavar="NAME", help="Of two other logs: which of their scores."),
    click.option(
        "--group", metavar="FIELD", help="Likewise: the field by which their items are clustered."
    ),
    click.option(
        "--range",
        "score_range",
        nargs=2,
        type=float,
        metavar="WORST BEST",
        help="Likewise: the ends of the score. [default: 0 1]",
    ),
)


@dataclass(frozen=True)
class Asked:
    """The options of `misstep compare`, by the names that `analyse.compare` gives them.

    `score`, `group` and `score_range` are of two logs of another task than ours.
    """

    by: str | None = None
    between: str | None = None
    baseline: str | None = None
    non_inferiority: float | None = None
    mid_p: bool = False
    score: str | None = None
    group: str | None = None
    score_range: tuple[float, float] | None = None


@dataclass(frozen=True)
class Compared:
    """Records, what they are compared as, and the comparisons; `pair` where they are of others."""

    records: Sequence[Record]
    specs: dict[str, Spec]
    asked: Asked
    comparisons: Comparisons
    pair: ForeignPair | None = None

    @property
    def between(self) -> str:
        return self.asked.between or "arms"

    def notes(self) -> tuple[str, ...]:
        """What could not be compared."""
        from misstep import analyse

        return analyse.notes(self.records, self.specs, self.between, self.asked.baseline)


def asking(command: Callable[..., None]) -> Callable[..., None]:
    """The runs and the options that lead to comparisons; they are the fields of `Asked`."""
    for option in reversed(_ASKING):
        command = option(command)
    return command


@click.command()
@asking
@click.option(
    "--non-inferiority",
    type=float,
    metavar="M",
    help="Is one side at most M (points, or passes) worse? Names the cheapest such arm, too.",
)
@many
@click.option(
    "--predictions", "is_predicted", is_flag=True, help="What was predicted, beside the verdicts."
)
@click.option("--labeller", metavar="NAME", help="By the labels of this person alone.")
@JSON
def compare(
    runs: tuple[Path, ...],
    labeller: str | None,
    is_matrix: bool,
    out: Path | None,
    is_predicted: bool,
    as_json: bool,
    **asked: Any,  # Any: the options, which are the fields of `Asked`
) -> None:
    """Compare every arm with its baseline. Effect, interval, p, and the verdict in a word.

    Two logs of anyone's task (Inspect's, or samples of lm-evaluation-harness) are compared with
    each other, the baseline first (docs/other-logs.md).

    \b
    misstep compare logs
    misstep compare logs --by length --json
    misstep compare logs --non-inferiority 3
    misstep compare logs --between models --baseline openai/gpt-4o
    misstep compare people.parquet logs      # a study's people beside models
    misstep compare low.eval high.eval --score match
    misstep compare logs --matrix --out matrix.csv
    """
    wanted = Asked(**asked)
    if is_matrix:
        if is_predicted:
            raise BadInput("--predictions: goes with a plain comparison, not with --matrix")
        refuse_others(wanted)
        print_matrix(runs, out, as_json=as_json)
        return
    if out is not None:
        raise BadInput(f"--out: {str(out)!r} is for --matrix only")
    if are_labelled_later(runs):
        refuse_for_labels(wanted, is_predicted=is_predicted)
        print_labelled(
            runs, labeller=labeller, non_inferiority=wanted.non_inferiority, mid_p=wanted.mid_p,
            as_json=as_json,
        )  # fmt: skip
        return
    if labeller is not None:
        raise BadInput(f"--labeller: {labeller!r} is for runs of misstep ab --label-later")
    print_compared(
        compare_runs(runs, wanted), as_json=as_json, is_noted=True, is_predicted=is_predicted
    )


def refuse_for_labels(asked: Asked, *, is_predicted: bool) -> None:
    """Of replies that were labelled where they differ, nothing but the difference is known."""
    _refuse_for_ours(asked)
    for option, value in (
        ("--by", asked.by),
        ("--between", asked.between),
        ("--baseline", asked.baseline),
        ("--predictions", is_predicted or None),
    ):
        if value is not None:
            raise BadInput(f"{option}: not for runs that go by labels (misstep ab --label-later)")


def compare_runs(runs: Sequence[Path], asked: Asked) -> Compared:
    """The comparisons of our own runs and files of records, or of two other logs of one task."""
    from misstep.analyse.record_files import parted, read_runs
    from misstep.runner.foreign.nouns import Wanted, scale_of
    from misstep.runner.foreign.pair import foreign_files, read_pair
    from misstep.runner.logged.logs import log_files

    held, places = parted(runs)
    files = foreign_files(places)
    if files is None:
        _refuse_for_ours(asked)
        tell_missing(log_files(places))
        return compare_records(read_runs(runs), asked)
    if held:
        raise BadInput(f"RUN: {held[0]} holds records of misstep's, {files[0]} is of another task")
    for option, value in (("--between", asked.between), ("--baseline", asked.baseline)):
        if value is not None:
            raise BadInput(f"{option}: {value!r} is for runs of misstep; the log named first is A")
    pair = read_pair(*files, Wanted(asked.score, asked.group, scale_of(asked.score_range)))
    asked = replace(asked, between=pair.between, baseline=pair.baseline)
    return compare_records(pair.records, asked, pair)


def compare_records(
    records: Sequence[Record], asked: Asked, pair: ForeignPair | None = None
) -> Compared:
    from misstep import analyse
    from misstep.registry import specs

    known = specs() if pair is None else {pair.spec.name: pair.spec}
    comparisons = analyse.compare(
        records, known, asked.by, between=asked.between or "arms", baseline=asked.baseline,
        non_inferiority=asked.non_inferiority, mid_p=asked.mid_p,
    )  # fmt: skip
    return Compared(records, known, asked, comparisons, pair)


def _refuse_for_ours(asked: Asked) -> None:
    for option, value in (
        ("--score", asked.score),
        ("--group", asked.group),
        ("--range", asked.score_range),
    ):
        if value is not None:
            raise BadInput(f"{option}: {value!r} is for two logs of another task than misstep's")


def print_records(
    records: Sequence[Record], asked: Asked, *, as_json: bool, is_noted: bool = False
) -> Comparisons:
    """Print the comparisons; of arms that have nothing to be compared with, their results."""
    made = compare_records(records, asked)
    print_compared(made, as_json=as_json, is_noted=is_noted)
    return made.comparisons


def print_compared(
    made: Compared, *, as_json: bool, is_noted: bool, is_predicted: bool = False
) -> None:
    """With `is_noted`, a terminal also shows what could not be compared, and what is missing."""
    from misstep import analyse
    from misstep.analyse.dose import curves
    from misstep.analyse.predictions import predicted
    from misstep.report import claims, foreign, terminal
    from misstep.report.many import dose, people, predictions

    records, known, margin = made.records, made.specs, made.asked.non_inferiority
    arms = analyse.summarise(records, known)
    is_by_arm = made.between == "arms"
    cheapest = analyse.cheapest(records, known, margin) if margin and is_by_arm else ()
    effects = analyse.effect_differences(records, known)
    found, doses = claims.check(records), curves(records, known) if is_by_arm else ()
    tested = predicted(made.comparisons, known)
    if as_json:
        further = analyse.further_to_json(cheapest, effects, made.notes()) | claims.to_json(found)
        further |= dose.to_json(doses) | predictions.to_json(tested)
        compared = {**analyse.to_json(made.comparisons), **analyse.arms_to_json(arms), **further}
        print_json(compared | foreign.to_json(made.pair))
        return
    foreign.show(made.pair, console())
    terminal.show(made.comparisons, console())
    terminal.show_arms(_alone(arms, made.comparisons), console())
    people.show(effects, known, console())
    terminal.show_cheapest(cheapest, console())
    terminal.show_notes(made.notes() if is_noted else (), console())
    claims.show(found, console())
    dose.show(doses, console())
    if is_predicted:
        predictions.show(tested, console())


def _alone(arms: Sequence[ArmSummary], comparisons: Comparisons) -> list[ArmSummary]:
    """Those of models that no comparison is of."""
    compared = {
        (one.family, one.version, one.variant, who)
        for one in comparisons
        for who in (one.who, one.baseline_who)
    }
    return [arm for arm in arms if (arm.family, arm.version, arm.variant, arm.who) not in compared]
