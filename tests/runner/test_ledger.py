"""A purse of several processes: each reckons it as one purse would, whoever is killed, and when."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misstep.runner.paying.ledger import Share, SharedPurse, shared
from misstep.runner.paying.purse import Purse, Reservation
from misstep.runner.paying.till import Till

SUMS = ("budget", "spent", "lost", "calls", "refused", "overrun", "dearest", "earlier")
HAMMER = str(Path(__file__).parents[1] / "support" / "hammering.py")
_SLACK = Fraction(1, 10**8)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "paid.jsonl"


def sums(purse: Purse) -> list[float | None]:
    return [getattr(purse, name) for name in SUMS]


@dataclass
class Both:
    """Three processes with one ledger, and beside them one purse with a line in front of it."""

    purses: dict[int, SharedPurse]
    single: Purse
    line: list[int] = field(default_factory=list)
    calls: list[tuple[int, Reservation, Reservation]] = field(default_factory=list)

    def reserve(self, process: int, worst: float) -> None:
        found = self.purses[process].reserve(worst)
        is_turn = not self.line or self.line[0] == process
        alone = self.single.reserve(worst) if is_turn else None
        if not is_turn:
            self.single.note(worst * self.single.overrun)
        assert found == alone
        if found is None or alone is None:
            self.line += [process] if process not in self.line else []
        else:
            self.calls.append((process, found, alone))
            self.line = self.line[1:] if is_turn else self.line

    def end(self, number: int, how: str, share: float) -> None:
        process, found, alone = self.calls.pop(number % len(self.calls))
        if how == "settle":
            self.purses[process].settle(found, found.worst * share)
            self.single.settle(alone, alone.worst * share)
        else:
            getattr(self.purses[process], how)(found)
            getattr(self.single, how)(alone)

    def close(self, process: int, worst: float) -> None:
        """As the till does it: after a look, where nothing is under way."""
        self.reserve(process, worst)
        purse = self.purses[process]
        if self.line[:1] == [process] and purse.is_idle and not purse.is_closed:
            purse.close(worst)
            self.single.close(worst)

    def leave(self, process: int) -> None:
        self.purses[process].leave()
        self.line = [one for one in self.line if one != process]

    def kill(self, process: int) -> None:
        self.purses[0].gone(process)
        for owner, _, alone in self.calls:
            if owner == process:
                self.single.lose(alone)
        self.calls = [one for one in self.calls if one[0] != process]
        self.line = [one for one in self.line if one != process]


_PROCESS = st.integers(1, 3)
_STEPS = st.one_of(
    st.tuples(st.just("reserve"), _PROCESS, st.floats(0, 4)),
    st.tuples(st.just("reserve"), _PROCESS, st.floats(0, 1)),
    st.tuples(
        st.sampled_from(["settle", "settle", "lose", "release"]),
        st.integers(0, 99),
        st.floats(0, 1.5),
    ),
    st.tuples(st.just("close"), _PROCESS, st.floats(0, 4)),
    st.tuples(st.just("leave"), _PROCESS, st.just(0.0)),
    st.tuples(st.just("kill"), _PROCESS, st.just(0.0)),
)


def walked(both: Both, steps: list[tuple[str, int, float]]) -> None:
    for what, number, amount in steps:
        if what in ("settle", "lose", "release"):
            if both.calls:
                both.end(number, what, amount)
        elif what in ("leave", "kill"):
            getattr(both, what)(number)
        else:
            getattr(both, what)(number, amount)


@settings(max_examples=150, deadline=None)
@given(st.lists(_STEPS, max_size=40), st.floats(0.5, 8), st.floats(0, 2))
def test_the_sums_are_those_of_a_single_purse_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[str, int, float]],
    budget: float,
    earlier: float,
) -> None:
    single, own = Purse(budget), Purse(budget)
    for purse in (single, own):
        purse.inherit(earlier)
    ledger = tmp_path_factory.mktemp("ledger") / "paid.jsonl"
    with shared(own, ledger) as common:
        both = Both({0: common} | {n: SharedPurse(Share(ledger, n)) for n in (1, 2, 3)}, single)
        walked(both, steps)
        fresh = SharedPurse(Share(ledger, 4))
        assert sums(fresh) == sums(single)
        assert (fresh.left, fresh.aside, fresh.is_idle) == (
            single.left, single.aside, single.is_idle,
        )  # fmt: skip
        left = [
            alone for process in (1, 2, 3) for owner, _, alone in both.calls if owner == process
        ]
    for alone in left:
        single.lose(alone)
    assert sums(own) == sums(single), "what is open at the end counts at its worst"


def history(ledger: Path) -> list[tuple[Fraction, Fraction]]:
    """Spent and set aside after every line, exactly, by the ledger's own words."""
    spent, number, under_way = Fraction(0), 0, dict[int, tuple[int, Fraction]]()
    found: list[tuple[Fraction, Fraction]] = []
    for line in ledger.read_text().splitlines():
        match json.loads(line):
            case ["serve", process, worst]:
                number += 1
                under_way[number] = (process, Fraction(worst))
            case ["settle", which, actual]:
                del under_way[which]
                spent += Fraction(actual)
            case ["lose", which]:
                spent += under_way.pop(which)[1]
            case ["release", which]:
                del under_way[which]
            case ["gone", process]:
                lost = [which for which, (owner, _) in under_way.items() if owner == process]
                spent += sum(under_way.pop(which)[1] for which in lost)
        found.append((spent, sum((worst for _, worst in under_way.values()), Fraction(0))))
    return found


@contextmanager
def hammering(ledger: Path, calls: int, count: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that start at one blow; none is left."""
    crew = [
        subprocess.Popen(
            [sys.executable, HAMMER, str(ledger), str(number), str(calls)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(1, count + 1)
    ]
    for process in crew:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in crew:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    try:
        yield crew
    finally:
        for process in crew:
            process.kill()
            process.communicate()


def paid(process: subprocess.Popen[str]) -> tuple[Fraction, int]:
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    charged, count = out.split()
    return Fraction(charged), int(count)


def never_passed(ledger: Path, budget: float) -> None:
    assert max(spent + aside for spent, aside in history(ledger)) <= Fraction(budget) * (1 + _SLACK)


def test_many_processes_at_once_never_pass_the_budget_and_the_total_is_exact(ledger: Path) -> None:
    own = Purse(6.0)
    with shared(own, ledger), hammering(ledger, 200, 3) as crew:
        told = [paid(process) for process in crew]
    never_passed(ledger, 6.0)
    spent, aside = history(ledger)[-1]
    assert aside == 0
    assert spent == sum(charged for charged, _ in told)
    assert own.spent == pytest.approx(float(spent), rel=1e-12)
    assert own.calls == sum(count for _, count in told)
    assert own.is_closed
    assert own.left < own.refused + 1e-9, "it stopped as the next call did not fit"  # type: ignore[operator]  # it is closed


def test_a_process_that_is_killed_holds_up_nobody_once_that_is_known(ledger: Path) -> None:
    own = Purse(3.0)
    with shared(own, ledger) as common, hammering(ledger, 10_000, 2) as crew:
        time.sleep(0.15)
        crew[0].kill()
        crew[0].communicate()
        common.gone(1)
        told = [paid(process) for process in crew[1:]]
    never_passed(ledger, 3.0)
    ones = [json.loads(line) for line in ledger.read_text().splitlines()]
    assert ["gone", 1] in ones
    assert sum(charged for charged, _ in told) < own.spent <= 3.0 + 1e-9


def test_a_line_that_a_kill_has_torn_has_not_happened(ledger: Path) -> None:
    with shared(Purse(1.0), ledger):
        one, other = (SharedPurse(Share(ledger, number)) for number in (1, 2))
        assert one.reserve(0.3) is not None
        with ledger.open("a") as file:
            file.write('["serve", 1, 0.')
        assert other.reserve(0.7) is not None
        assert other.aside == 1.0
        assert len(ledger.read_text().splitlines()) == 3


def test_a_full_disk_leaves_the_purse_as_the_ledger_has_it(ledger: Path) -> None:
    with shared(Purse(1.0), ledger):
        one = SharedPurse(Share(ledger, 1))
        held = one.reserve(0.3)
        assert held is not None
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        usual = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (ledger.stat().st_size + 5, before[1]))
        try:
            with pytest.raises(OSError, match="too large"):
                one.reserve(0.2)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, usual)
        one.settle(held, 0.1)
        assert (one.spent, one.aside) == (0.1, 0.0)
        assert SharedPurse(Share(ledger, 2)).spent == 0.1


def test_a_dear_call_is_served_before_a_cheap_one_of_another_process_that_came_later(
    ledger: Path,
) -> None:
    with shared(Purse(1.0), ledger):
        one, other = (SharedPurse(Share(ledger, number)) for number in (1, 2))
        held = other.reserve(0.6)
        assert held is not None
        assert one.reserve(0.9) is None
        assert other.reserve(0.1) is None, "it would fit, but another waits"
        other.settle(held, 0.05)
        assert other.reserve(0.1) is None
        dear = one.reserve(0.9)
        assert dear is not None
        one.release(dear)
        assert other.reserve(0.1) is not None


def test_one_that_stops_waiting_lets_the_others_go_on(ledger: Path) -> None:
    with shared(Purse(1.0), ledger):
        one, other = (SharedPurse(Share(ledger, number)) for number in (1, 2))
        held = other.reserve(0.6)
        assert held is not None

        async def impatient() -> None:
            with anyio.move_on_after(0.05):
                await Till(one).reserve(0.9)

        anyio.run(impatient)
        assert other.reserve(0.1) is not None


def test_a_purse_is_not_closed_on_what_is_no_longer_so(ledger: Path) -> None:
    with shared(Purse(1.0), ledger):
        one, other = (SharedPurse(Share(ledger, number)) for number in (1, 2))
        assert one.reserve(2.0) is None
        assert one.is_idle
        other.note(5.0)
        one.close(2.0)
        assert not one.is_closed
        one.close(2.0)
        assert other.reserve(0.1) is None
        assert other.is_closed


def test_what_one_process_frees_another_one_gets_without_being_woken(ledger: Path) -> None:
    with shared(Purse(1.0), ledger):
        one, other = (SharedPurse(Share(ledger, number)) for number in (1, 2))
        held = other.reserve(0.6)
        assert held is not None

        async def later() -> None:
            await anyio.sleep(0.1)
            other.settle(held, 0.0)

        async def both() -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(later)
                with anyio.fail_after(5):
                    await Till(one).reserve(0.9)

        anyio.run(both)
        assert one.aside == 0.9
