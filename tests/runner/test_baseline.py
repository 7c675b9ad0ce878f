"""Which arm is a run's baseline: the one that it was asked for with first."""

from __future__ import annotations

from collections.abc import Callable

from misstep.analyse import compare
from misstep.analyse.arms import arm_order
from misstep.analyse.frames import records_from_frame, to_frame
from misstep.core.records import Record
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.run import Request, Run, carry_out, plan
from oracle import Oracle

Make = Callable[..., Request]


def run(request: Request) -> Run:
    return carry_out(plan(request))


def sides(records: list[Record], request: Request) -> list[tuple[str, str]]:
    found = compare(records, {"parity": request.family.spec})
    return [(one.baseline, one.arm) for one in found]


def test_the_arm_asked_for_first_is_the_baseline_whatever_the_family_lists_first(
    oracle: Oracle, request_for: Make
) -> None:
    asked = request_for("cot", "direct")
    records = list(run(asked).records)
    assert asked.family.spec.arms[0].name == "direct"
    assert sides(records, asked) == [("cot", "direct")]
    assert sides(records_from_frame(to_frame(records)), asked) == [("cot", "direct")]


def test_a_run_asked_for_again_the_other_way_round_has_the_baseline_of_the_last_time(
    oracle: Oracle, request_for: Make
) -> None:
    first = run(request_for("cot", "direct"))
    oracle.calls.clear()
    again = run(request_for("direct", "cot"))
    assert again.folder == first.folder
    assert oracle.calls == []
    assert sides(read_records(log_files([first.folder])), request_for()) == [("direct", "cot")]


def test_a_run_of_one_arm_names_no_baseline(oracle: Oracle, request_for: Make) -> None:
    only = list(run(request_for("cot")).records)
    assert {one.first_arm for one in only} == {None}
    more = list(run(request_for("direct")).records)
    assert arm_order(only + more, request_for().family.spec)[0] == "direct"
