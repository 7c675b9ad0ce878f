"""Stopping early: looks in the order of the seed, nothing lost, nothing asked anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi

from killing import calls, kill_after, start
from misstep.analyse.sequential.looks import watcher
from misstep.core.errors import BadInput, MisstepError
from misstep.core.looks import Look, complete_groups
from misstep.core.records import Record
from misstep.core.seeds import Chance, digest
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.run import Request, Run, carry_out, plan
from misstep.runner.stopping import Pace
from oracle import SPEC, Oracle

Make = Callable[..., Request]
SCRIPT = Path(__file__).with_name("sequential_run.py")
CALLS: list[str] = []


@modelapi(name="jittery")
class JitteryAPI(ModelAPI):
    """Right when asked directly, wrong when it should think; its replies come in any order."""

    def __init__(self, model_name: str, order: int = 0, **kwargs: Any) -> None:  # Any: passed on
        super().__init__(model_name, **kwargs)
        self._order = order

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        words = input[-1].text
        CALLS.append(words)
        await asyncio.sleep(Chance(digest(self._order, words)).below(8) / 1000)
        is_even = int(words.split()[1]) % 2 == 0
        is_right = "(direct)" in words
        return ModelOutput.from_content(self.model_name, "Yes" if is_even is is_right else "No")

    def max_connections(self) -> int:
        return 5


@pytest.fixture
def sequential(request_for: Make) -> Make:
    CALLS.clear()
    ours = {"model": "jittery/x", "scale": "paper", "limit": 80, "watcher": watcher(SPEC)}
    return lambda *arms, **settings: request_for(*arms, **(ours | settings))


def run(request: Request) -> Run:
    return carry_out(plan(request))


def in_prefix(done: Run) -> list[str]:
    assert done.look is not None
    kept = [one for one in done.records if one.look is not None and one.look <= done.look.looks]
    return sorted(f"{one.item}@{one.arm} {one.answer} {one.look}" for one in kept)


def test_a_large_difference_stops_the_run_before_it_has_asked_everything(sequential: Make) -> None:
    done = run(sequential())
    assert done.look is not None
    assert done.look.is_decided
    assert 6 <= done.look.looks < 12
    assert done.manifest.state == "finished"
    assert done.manifest.is_sequential
    assert len(CALLS) == len(done.records) < 160
    assert len(in_prefix(done)) == 8 * done.look.looks


def test_the_order_of_completion_changes_neither_where_it_stops_nor_what_it_looked_at(
    sequential: Make, tmp_path: Path
) -> None:
    runs = [
        run(sequential(model_args={"order": order}, log_dir=tmp_path / str(order)))
        for order in range(3)
    ]
    assert len({done.look for done in runs}) == 1
    assert len({tuple(in_prefix(done)) for done in runs}) == 1
    orders = {tuple(f"{one.item}@{one.arm}" for one in done.records) for done in runs}
    assert len(orders) > 1


def test_groups_are_asked_one_after_the_other_both_arms_of_each(
    oracle: Oracle, sequential: Make
) -> None:
    oracle.answer = lambda words: "Yes"
    run(sequential(model="oracle/x", limit=12))
    asked = [(int(words.split()[1]), "(cot)" in words) for words, _ in oracle.calls]
    assert asked == sorted(asked)
    assert len(asked) == 24


def test_calls_in_flight_at_the_verdict_are_kept_and_bounded(sequential: Make) -> None:
    done = run(sequential())
    extra = len(done.records) - len(in_prefix(done))
    # While a look waits for its slowest reply, the other four connections go on with later groups.
    assert 0 <= extra < 80


def test_a_run_without_a_difference_asks_everything_and_says_that_it_is_undecided(
    oracle: Oracle, sequential: Make
) -> None:
    oracle.answer = lambda words: "No" if "Is 6 " in words and "(cot)" in words else "Yes"
    done = run(sequential(model="oracle/x", limit=20))
    assert done.look == Look(5, False, done.look.evidence if done.look else "")
    assert len(done.records) == 40


def test_a_decided_run_asks_nothing_more_at_any_limit(sequential: Make) -> None:
    first = run(sequential())
    CALLS.clear()
    for limit in (80, 120):
        again = run(sequential(limit=limit))
        assert CALLS == []
        assert again.look == first.look
        assert again.manifest.asked == 0
        assert sorted(map(str, again.records)) == sorted(map(str, first.records))


def test_an_undecided_run_goes_on_at_a_larger_limit_with_the_same_looks_before(
    sequential: Make,
) -> None:
    short = run(sequential(limit=12))
    assert short.look is not None
    assert not short.look.is_decided
    CALLS.clear()
    longer = run(sequential())
    assert longer.look is not None
    assert longer.look.is_decided
    assert len(CALLS) == len(longer.records) - 24
    # The same replies at the same looks; how many groups are planned is the longer run's affair.
    assert set(in_prefix(short)) <= set(in_prefix(longer))
    assert max(one.look_of or 0 for one in longer.records) == 20


def test_repetitions_are_complete_within_their_group(sequential: Make) -> None:
    done = run(sequential(repeat=2, limit=80))
    assert done.look is not None
    assert done.look.is_decided
    kept = [one for one in done.records if one.look is not None and one.look <= done.look.looks]
    assert len(kept) == 16 * done.look.looks
    assert {one.repetition for one in kept} == {1, 2}
    assert {one.look_replies for one in kept} == {8}
    assert len(done.records) < 320
    CALLS.clear()
    assert run(sequential(repeat=2, limit=80)).look == done.look
    assert CALLS == []


def test_it_goes_on_until_every_arm_is_decided(oracle: Oracle, sequential: Make) -> None:
    """One arm is always wrong; the other is as good as direct, which takes long to show."""

    def answer(words: str) -> str:
        is_even = int(words.split()[1]) % 2 == 0
        return "Yes" if is_even is ("(cot)" not in words) else "No"

    oracle.answer = answer
    done = run(sequential("direct", "cot", "feedback", model="oracle/x", limit=40))
    assert done.look is not None
    assert (done.look.looks, done.look.is_decided) == (10, False)
    assert len(done.records) == 120


def test_a_failure_keeps_what_was_answered_and_the_looks_go_on(
    oracle: Oracle, sequential: Make
) -> None:
    def right(words: str) -> str:
        is_even = int(words.split()[1]) % 2 == 0
        return "Yes" if is_even is ("(direct)" in words) else "No"

    oracle.answer = lambda words: RuntimeError("gone") if len(oracle.calls) == 30 else right(words)
    with pytest.raises(MisstepError, match="gone"):
        run(sequential(model="oracle/x"))
    oracle.answer = right
    oracle.calls.clear()
    done = run(sequential(model="oracle/x"))
    whole = run(sequential())
    assert done.look == whole.look
    assert len(oracle.calls) <= 8 * whole.look.looks - 29 + 1 if whole.look else False


@pytest.mark.parametrize(
    ("first", "then", "words"),
    [
        ({"watcher": None}, {}, "was begun without it; leave out --sequential"),
        ({}, {"watcher": None}, "was begun with it; add --sequential"),
        ({"temperature": 0.7}, {"temperature": 0.7, "repeat": 2}, "--repeat: 2, but the looks"),
        ({"scale": "quick", "limit": 4}, {}, "--scale: paper has larger or smaller groups"),
    ],
)
def test_looks_that_were_taken_cannot_be_taken_back(
    sequential: Make, first: dict[str, Any], then: dict[str, Any], words: str
) -> None:
    run(sequential(**({"limit": 8} | first)))
    CALLS.clear()
    with pytest.raises(BadInput, match=words) as refusal:
        run(sequential(**then))
    assert "\n" not in str(refusal.value)
    assert CALLS == []


@pytest.mark.parametrize(
    ("arms", "settings", "words"),
    [
        (("direct",), {}, "--sequential: compares arms, and only 'direct' is asked"),
        ((), {"model_args": {"batch": True}}, "-M batch"),
    ],
)
def test_what_cannot_stop_early_is_refused_in_a_line(
    sequential: Make, arms: tuple[str, ...], settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        plan(sequential(*arms, **settings))


def test_only_whole_groups_of_all_arms_count_as_complete(sequential: Make) -> None:
    records = list(run(sequential(limit=16)).records)
    arms = ("direct", "cot")
    assert len(list(complete_groups(records, arms))) == 4
    third = next(one for one in records if one.look == 3 and one.arm == "cot")
    left = [one for one in records if one is not third]
    assert len(list(complete_groups(left, arms))) == 2
    assert len(list(complete_groups(left, ("direct",)))) == 4


def test_after_kills_the_order_the_looks_and_the_stopping_point_are_the_same(
    tmp_path: Path,
) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        folder.mkdir()
    undisturbed = start(SCRIPT, whole, env={"PYTHONHASHSEED": "1"})
    kill_after(killed, start(SCRIPT, killed, env={"PYTHONHASHSEED": "2"}), 20)
    resumed = start(SCRIPT, killed, env={"PYTHONHASHSEED": "2"})
    said, errors = undisturbed.communicate(timeout=120)
    again, more_errors = resumed.communicate(timeout=120)
    assert (undisturbed.returncode, resumed.returncode) == (0, 0), errors + more_errors
    assert said == again
    assert said.startswith("decided at look")
    in_flight = 2
    assert calls(killed) <= calls(whole) + 2 * in_flight + 2
    kept, known = (
        {(one.item, one.arm, one.look) for one in _prefix(folder)} for folder in (whole, killed)
    )
    assert kept == known


def _prefix(folder: Path) -> list[Record]:
    records = read_records(log_files([folder / "logs"]))
    return [one for group in complete_groups(records, ("direct", "cot")) for one in group][:56]


def test_at_a_pace_no_more_than_two_parts_are_begun_at_a_time() -> None:
    pace = Pace(part=3, until=12)
    assert [pace.may_begin(look, 0) for look in (1, 6, 7)] == [True, True, False]
    assert [pace.may_begin(look, 3) for look in (7, 9, 10)] == [True, True, False]
    assert pace.may_begin(12, 6)
