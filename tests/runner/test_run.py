"""Runs: nothing is asked twice, nothing finished is lost, and records say what happened."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from misstep.core.errors import BadInput, MisstepError
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.runner.journal import open_journal
from misstep.runner.logged.logs import find_records, log_files, read_records, read_words
from misstep.runner.run import Request, Run, Stopped, carry_out, plan
from oracle import Oracle

Make = Callable[..., Request]


def run(request: Request, listener: Callable[[Record], None] | None = None) -> Run:
    return carry_out(plan(request), listener)


def test_one_log_holds_all_arms_and_the_records_are_paired(
    oracle: Oracle, request_for: Make
) -> None:
    done = run(request_for())
    assert len(list(done.folder.glob("*.eval"))) == 1
    by_arm = {arm: {r.item for r in done.records if r.arm == arm} for arm in ("direct", "cot")}
    assert by_arm["direct"] == by_arm["cot"]
    assert len(done.records) == 12
    assert len(oracle.calls) == 12


def test_items_are_asked_one_after_the_other_in_all_arms(oracle: Oracle, request_for: Make) -> None:
    run(request_for())
    assert ["(cot)" in words for words, _ in oracle.calls] == [False, True] * 6
    asked = [int(words.split()[1]) for words, _ in oracle.calls]
    assert asked == sorted(asked)


def test_a_record_says_who_what_and_how(oracle: Oracle, request_for: Make) -> None:
    record = run(request_for("direct")).records[0]
    assert (record.family, record.who, record.arm, record.repetition) == (
        "parity", "oracle/x", "direct", 1,
    )  # fmt: skip
    assert (record.outcome, record.value, record.answer) == (Outcome.CORRECT, 1.0, "Yes")
    assert (record.input_tokens, record.output_tokens, record.stop_reason) == (10, 3, "stop")
    assert record.temperature == 0.0
    assert record.seconds is not None
    assert record.factors == {"number": 0}


def test_the_same_run_again_asks_nothing_and_gives_the_same_records(
    oracle: Oracle, request_for: Make
) -> None:
    first = run(request_for())
    oracle.calls.clear()
    second = run(request_for())
    assert oracle.calls == []
    assert second.folder == first.folder
    assert set(map(str, second.records)) == set(map(str, first.records))
    assert second.manifest.asked == 0


def test_a_larger_limit_asks_only_what_is_new(oracle: Oracle, request_for: Make) -> None:
    run(request_for())
    oracle.calls.clear()
    done = run(request_for(limit=10))
    assert len(oracle.calls) == 8
    assert len(done.records) == 20


def test_another_arm_later_joins_the_same_run(oracle: Oracle, request_for: Make) -> None:
    run(request_for("direct"))
    oracle.calls.clear()
    done = run(request_for("cot"))
    assert len(oracle.calls) == 6
    assert {record.arm for record in done.records} == {"direct", "cot"}


@pytest.mark.parametrize("change", [{"seed": 1}, {"max_tokens": 7}, {"temperature": 0.5}])
def test_other_settings_are_another_run(
    oracle: Oracle, request_for: Make, change: dict[str, float]
) -> None:
    first = run(request_for("direct"))
    second = run(request_for("direct", **change))
    assert first.folder != second.folder
    assert len(oracle.calls) == 12


def test_repetitions_are_asked_apart_and_sampled(oracle: Oracle, request_for: Make) -> None:
    done = run(request_for("direct", repeat=3))
    assert len(oracle.calls) == 18
    assert sorted({record.repetition for record in done.records}) == [1, 2, 3]
    assert {record.temperature for record in done.records} == {0.7}
    seeds = [config.seed for words, config in oracle.calls if "Is 0 " in words]
    assert len(set(seeds)) == 3


def test_the_listener_hears_each_record_once(oracle: Oracle, request_for: Make) -> None:
    heard: list[Record] = []
    done = run(request_for(), heard.append)
    assert {(r.item, r.arm) for r in heard} == {(r.item, r.arm) for r in done.records}
    assert len(heard) == 12


def test_ctrl_c_keeps_what_was_answered_and_the_next_run_goes_on(
    oracle: Oracle, request_for: Make
) -> None:
    def answer(words: str) -> str | BaseException:
        return KeyboardInterrupt() if len(oracle.calls) == 8 else "Yes"

    oracle.answer = answer
    with pytest.raises((Stopped, KeyboardInterrupt)):
        run(request_for())
    oracle.answer = lambda words: "Yes"
    oracle.calls.clear()
    done = run(request_for())
    assert len(oracle.calls) == 12 - 7
    assert done.manifest.asked_again == 1
    assert len(done.records) == 12


def test_a_question_that_fails_is_one_line_and_the_next_run_asks_it_alone(
    oracle: Oracle, request_for: Make
) -> None:
    def answer(words: str) -> str | Exception:
        return RuntimeError("the server\nis on fire") if len(oracle.calls) == 5 else "Yes"

    oracle.answer = answer
    with pytest.raises(MisstepError, match="the server") as failure:
        run(request_for())
    assert "\n" not in str(failure.value)
    oracle.answer = lambda words: "Yes"
    assert len(oracle.calls) == 12
    oracle.calls.clear()
    run(request_for())
    assert len(oracle.calls) == 1


def test_votes_take_the_majority_and_each_is_a_call_of_its_own(
    oracle: Oracle, request_for: Make
) -> None:
    said = iter(["No", "Yes", "Yes"] * 6)
    oracle.answer = lambda words: next(said)
    done = run(request_for("cot+vote3"))
    assert len(oracle.calls) == 18
    assert {record.answer for record in done.records} == {"Yes"}
    assert {record.input_tokens for record in done.records} == {30}
    assert {record.temperature for record in done.records} == {0.7}
    oracle.calls.clear()
    run(request_for("cot+vote3"))
    assert oracle.calls == []


def test_of_answers_given_equally_often_the_first_one_counts(
    oracle: Oracle, request_for: Make
) -> None:
    said = iter(["hm", "No", "Yes"] * 6)
    oracle.answer = lambda words: next(said)
    done = run(request_for("cot+vote3"))
    assert {record.answer for record in done.records} == {"No"}


def test_a_tree_answers_by_its_best_thought(oracle: Oracle, request_for: Make) -> None:
    thoughts = iter(["No", "No", "Yes", "No", "No"] * 6)
    votes = iter(["3", "1", "3", "2", "3"] * 6)
    oracle.answer = lambda words: next(thoughts) if words.startswith("Think") else next(votes)
    done = run(request_for("tot"))
    assert len(oracle.calls) == 60
    assert {record.answer for record in done.records} == {"Yes"}
    oracle.calls.clear()
    again = run(request_for("tot"))
    assert oracle.calls == []
    assert set(map(str, again.records)) == set(map(str, done.records))


def test_feedback_goes_on_until_right_and_no_further_than_its_rounds(
    oracle: Oracle, request_for: Make
) -> None:
    def answer(words: str) -> str:
        return "No" if words.startswith("5 is not") else "Yes"

    oracle.answer = answer
    done = run(request_for("feedback"))
    by_item = {record.item.split("-")[-1]: record for record in done.records}
    assert (by_item["0"].outcome, by_item["0"].details["rounds"]) == (Outcome.CORRECT, 0)
    assert (by_item["5"].outcome, by_item["5"].details["rounds"]) == (Outcome.CORRECT, 1)
    assert (by_item["1"].outcome, by_item["1"].details["rounds"]) == (Outcome.WRONG, 2)
    assert len(oracle.calls) == 3 + 2 + 3 + 3
    oracle.calls.clear()
    again = run(request_for("feedback"))
    assert oracle.calls == []
    assert set(map(str, again.records)) == set(map(str, done.records))


def test_a_cut_reply_is_truncated_and_a_filtered_one_refused(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = lambda words: "Let me think"
    oracle.stop_reason = "max_tokens"
    done = run(request_for("direct"))
    assert {record.outcome for record in done.records} == {Outcome.TRUNCATED}
    oracle.answer = lambda words: ""
    oracle.stop_reason = "content_filter"
    done = run(request_for("cot"))
    assert {r.outcome for r in done.records if r.arm == "cot"} == {Outcome.REFUSED}


def test_a_second_model_reads_only_what_the_rules_leave_unparsed(
    oracle: Oracle, request_for: Make
) -> None:
    def answer(words: str) -> str:
        if "somebody's reply" in words:
            return "none" if "puzzled" in words else "Yes"
        return {"0": "I am puzzled.", "1": "No"}.get(words.split()[1], "One would think so.")

    oracle.answer = answer
    done = run(request_for("direct", reader="oracle/reader"))
    assert len(oracle.calls) == 6 + 5
    by_item = {record.item: record for record in done.records}
    assert by_item["parity-0-0"].outcome is Outcome.UNPARSED
    assert (by_item["parity-0-1"].answer, by_item["parity-0-1"].reason) == ("No", None)
    assert by_item["parity-0-4"].answer == "Yes"
    assert by_item["parity-0-4"].reason == "read by a second model"
    oracle.calls.clear()
    again = run(request_for("direct", reader="oracle/reader"))
    assert oracle.calls == []
    assert set(map(str, again.records)) == set(map(str, done.records))


def test_a_reply_of_a_megabyte_is_kept_and_read(oracle: Oracle, request_for: Make) -> None:
    oracle.answer = lambda words: "so " * 350_000 + "\nAnswer: Yes"
    done = run(request_for("direct"))
    assert {record.answer for record in done.records} == {"Yes"}
    (first, *_) = [told for told, _ in read_words(find_records(log_files([done.folder])))]
    assert len(first.reply) > 1_000_000


def test_a_reply_that_ends_in_half_an_emoji_is_kept_and_never_asked_again(
    oracle: Oracle, request_for: Make
) -> None:
    oracle.answer = lambda words: "Yes. \ud83d"
    done = carry_out(plan(request_for("direct")))
    assert {record.answer for record in done.records} == {"Yes"}
    calls = len(oracle.calls)
    assert carry_out(plan(request_for("direct"))).records == done.records
    assert len(oracle.calls) == calls


def test_a_reference_solver_is_a_model_like_any_other(request_for: Make) -> None:
    done = run(request_for("direct", model="ref/yes"))
    assert {record.who for record in done.records} == {"ref/yes"}
    assert [record.score for record in done.records] == [
        float(-int(str(record.factors["number"]))) for record in done.records
    ]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"arms": ("direct", "speech")}, "--arms: unknown arm 'speech'"),
        ({"arms": ("direct", "direct")}, "--arms: 'direct' is named twice"),
        ({"limit": 1}, "--limit: 1 is below one group"),
        ({"limit": -4}, "--limit: -4 is below one group"),
        ({"scale": "huge"}, "--scale: parity has no scale 'huge'"),
        ({"repeat": 0}, "--repeat: 0"),
        ({"max_tokens": 0}, "--max-tokens: 0"),
        ({"temperature": -1.0}, "--temperature: -1.0"),
        ({"options": {"colour": "red"}}, "-T colour: parity has no such option"),
        ({"model": "gpt-4o"}, "--model: 'gpt-4o' should be PROVIDER/MODEL"),
        ({"model": "nobody/x"}, "--model: nobody/x"),
        ({"model": "ref/genius"}, "--model: parity has no solver 'ref/genius'"),
        ({"model": "openai/gpt-4o"}, "--model: openai/gpt-4o: .*(OPENAI_API_KEY|pip install)"),
        ({"model": "embedded/nothing"}, "--model"),
    ],
)
def test_wrong_use_is_one_line_before_anything_is_written(
    request_for: Make,
    settings: dict[str, object],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    arms = settings.pop("arms", ())
    assert isinstance(arms, tuple)
    request = request_for(*arms, **settings)
    with pytest.raises(BadInput, match=words) as refusal:
        run(request)
    assert "\n" not in str(refusal.value)
    assert not request.log_dir.exists()


def test_two_processes_cannot_work_on_one_run(oracle: Oracle, request_for: Make) -> None:
    done = run(request_for())
    with (
        open_journal(done.folder / "journal.jsonl"),
        pytest.raises(MisstepError, match="another process is working on this run"),
    ):
        run(request_for())


def test_the_manifest_says_what_was_asked(oracle: Oracle, request_for: Make) -> None:
    done = run(request_for(limit=4))
    plain = json.loads((done.folder / "manifest.json").read_text())
    assert (plain["schema"], plain["state"], plain["asked"], plain["limit"]) == (
        1,
        "finished",
        8,
        4,
    )
    assert plain["versions"]["inspect_ai"]


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no zip", b"{}"])
def test_a_damaged_log_is_named_in_one_line(
    oracle: Oracle, request_for: Make, damage: bytes
) -> None:
    done = run(request_for())
    (log,) = done.folder.glob("*.eval")
    log.write_bytes(damage)
    with pytest.raises(BadInput, match=r"\.eval: damaged") as refusal:
        read_records(log_files([done.folder]))
    assert "\n" not in str(refusal.value)
