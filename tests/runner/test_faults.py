"""A server that fails as real ones do, asked through the provider's own client."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tenacity import wait_random

from faulty import MODEL, ODD, Fault, Faulty, serving
from misstep.core.errors import MisstepError
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.runner.calls import patience
from misstep.runner.calls.patience import Tries
from misstep.runner.run import Request, Run, carry_out, plan
from oracle import FAMILY

SAMPLES = 304


def run(address: str, log_dir: Path) -> Run:
    args = {"base_url": address, "api_key": "none"}
    tries = Tries(attempt_timeout=3)
    request = Request(
        FAMILY, MODEL, args, ("direct", "cot"), scale="paper", limit=SAMPLES // 2,
        log_dir=log_dir, tries=tries,
    )  # fmt: skip
    return carry_out(plan(request))


def timeless(records: tuple[Record, ...]) -> list[str]:
    """In one order: a log has that in which the answers came."""
    return sorted(repr(replace(record, seconds=None)) for record in records)


def test_each_of_304_questions_is_answered_and_paid_for_once_whatever_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every fault, and a model that disappears half-way; the same command goes on."""
    pytest.importorskip("openai")  # the package that speaks to such servers
    monkeypatch.setattr(patience, "_USUAL_WAIT", wait_random(0.05, 0.2))
    server = Faulty(share=0.3, seed=3, gone_after=SAMPLES // 2, latency=0, keeps_alive=False)
    with serving(server) as address:
        with pytest.raises(
            MisstepError, match=r"5 questions in a row had no answer: .*404"
        ) as gone:
            run(address, tmp_path / "faulty")
        assert "the same command goes on from there" in str(gone.value)
        server.gone_after = None
        done = run(address, tmp_path / "faulty")
    assert set(server.met) == {*Fault, "none"}
    assert len(server.answered) == SAMPLES
    assert server.paid_twice == 0

    calm = Faulty(share=0.3, seed=3, kinds=ODD, latency=0, keeps_alive=False)
    with serving(calm) as address:
        quiet = run(address, tmp_path / "calm")
    assert timeless(done.records) == timeless(quiet.records)
    outcomes = Counter(record.outcome for record in done.records)
    assert outcomes[Outcome.REFUSED] == calm.met[Fault.FILTERED] > 0
    assert outcomes[Outcome.EMPTY] == calm.met[Fault.EMPTY] > 0

    faults, met = done.manifest.faults, server.met
    assert faults.left == 0
    assert faults.waited > 1
    # Calls under way when the first process ended were counted by nobody, and on a slow machine a
    # call may be out of time that the server would have answered.
    counted, limited = faults.calls, met[Fault.LIMITED] + met[Fault.LIMITED_BARE]
    assert limited - 5 <= counted["rate_limit"] <= limited
    assert counted["timeout"] >= met[Fault.HANGS] - 5
    assert counted["refused"] >= 5
    assert not quiet.manifest.faults.total
