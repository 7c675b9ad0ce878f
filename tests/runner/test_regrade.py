"""Old logs are graded again with no call; the log is replaced only where something changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries, write_eval_log
from inspect_ai.scorer import Score as RunnerScore

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.logged.regrade import regrade
from misstep.runner.logged.rows import score_row
from misstep.runner.run import Request, carry_out, plan
from oracle import FAMILY, Oracle

Make = Callable[..., Request]


def strict(item: Item[Any], reply: Reply) -> Score:  # Any: any payload
    return strict_score()


def strict_score() -> Score:
    return Score(Outcome.WRONG, 0.0, "No", "strict")


def test_nothing_changes_under_the_same_rules(oracle: Oracle, request_for: Make) -> None:
    done = carry_out(plan(request_for("direct", "cot+vote3", "tot")))
    oracle.calls.clear()
    (file,) = log_files([done.folder])
    before = file.read_bytes()
    graded = regrade(file, lambda name: FAMILY, is_dry=False)
    assert (graded.samples, graded.changes) == (18, ())
    assert file.read_bytes() == before
    assert oracle.calls == []


def test_new_rules_change_grades_in_the_log_unless_dry(oracle: Oracle, request_for: Make) -> None:
    done = carry_out(plan(request_for("direct")))
    (file,) = log_files([done.folder])
    stricter = replace(FAMILY, score=strict)
    dry = regrade(file, lambda name: stricter, is_dry=True)
    assert len(dry.changes) == 6
    assert {record.outcome for record in read_records([file])} == {Outcome.CORRECT, Outcome.WRONG}
    wet = regrade(file, lambda name: stricter, is_dry=False)
    assert wet.changes == dry.changes
    records = read_records([file])
    assert {(r.outcome, r.answer, r.reason) for r in records} == {(Outcome.WRONG, "No", "strict")}
    assert {r.input_tokens for r in records} == {10}
    assert oracle.calls


def test_the_log_is_what_the_runner_would_write_with_the_new_grades(
    oracle: Oracle, request_for: Make, tmp_path: Path
) -> None:
    done = carry_out(plan(request_for("direct")))
    (file,) = log_files([done.folder])
    theirs = read_eval_log(str(file))
    stricter = replace(FAMILY, score=strict)
    for sample in theirs.samples or []:
        assert sample.scores is not None
        row = (sample.scores["outcome"].metadata or {}) | score_row(strict_score())
        sample.scores["outcome"] = RunnerScore(
            value="I", answer="No", explanation="strict", metadata=row
        )
    write_eval_log(theirs, str(tmp_path / "theirs.eval"))
    regrade(file, lambda name: stricter, is_dry=False)
    ours = read_eval_log(str(file))
    again = read_eval_log(str(tmp_path / "theirs.eval"))
    assert len(ours.samples or []) == 6
    for one, other in zip(ours.samples or [], again.samples or [], strict=True):
        assert one.model_dump(exclude={"scores"}) == other.model_dump(exclude={"scores"})
        assert {n: s.model_dump(exclude={"history"}) for n, s in (one.scores or {}).items()} == {
            n: s.model_dump(exclude={"history"}) for n, s in (other.scores or {}).items()
        }
    assert {str(one.id): one.scores for one in read_eval_log_sample_summaries(str(file))} == {
        str(one.id): one.scores
        for one in read_eval_log_sample_summaries(str(tmp_path / "theirs.eval"))
    }
