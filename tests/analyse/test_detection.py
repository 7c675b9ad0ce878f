"""Signal detection: by hand, by simulation, and only where there is something to tell apart."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import pytest

from misstep.analyse import compare, summarise
from misstep.analyse.detection import detection
from misstep.core.family import Spec
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.core.seeds import stream

Experiment = Callable[..., list[Record]]
ANSWERS = ("Yes", "No")


def replies(truth: str, yes: int, no: int, unread: int = 0) -> list[Record]:
    given = ["Yes"] * yes + ["No"] * no + [None] * unread
    return [
        Record(
            family="f",
            version=1,
            who="m",
            item=f"{truth}-{place}",
            group=f"{truth}-{place}",
            arm="direct",
            repetition=1,
            outcome=Outcome.UNPARSED if answer is None else Outcome(_outcome(answer, truth)),
            value=None,
            answer=answer,
            truth=truth,
        )
        for place, answer in enumerate(given)
    ]


def _outcome(answer: str, truth: str) -> str:
    return "correct" if answer == truth else "wrong"


def test_a_calculation_by_hand() -> None:
    # 19 of 24 hits and 4 of 19 false alarms, with a half added: 19.5 / 25 and 4.5 / 20. In the
    # table of the normal distribution z(.78) = 0.772 and z(.225) = -0.755.
    found = detection(replies("Yes", 19, 5) + replies("No", 4, 15), ANSWERS)
    assert found is not None
    assert found.answer == "Yes"
    assert found.hit_rate == pytest.approx(19 / 24)
    assert found.false_alarm_rate == pytest.approx(4 / 19)
    assert found.d_prime == pytest.approx(0.772 + 0.755, abs=0.001)
    assert found.criterion == pytest.approx(-(0.772 - 0.755) / 2, abs=0.001)


def test_one_answer_always_tells_nothing_apart_and_leans_all_the_way() -> None:
    no = detection(replies("Yes", 0, 50) + replies("No", 0, 50), ANSWERS)
    yes = detection(replies("Yes", 50, 0) + replies("No", 50, 0), ANSWERS)
    assert no is not None
    assert yes is not None
    assert no.d_prime == yes.d_prime == 0
    assert no.criterion == pytest.approx(-yes.criterion)
    assert no.criterion > 2


def test_exchanging_the_answers_turns_the_criterion_alone() -> None:
    records = replies("Yes", 30, 10) + replies("No", 25, 15)
    one, other = detection(records, ANSWERS), detection(records, ("No", "Yes"))
    assert one is not None
    assert other is not None
    assert one.d_prime == pytest.approx(other.d_prime)
    assert one.criterion == pytest.approx(-other.criterion)


def test_an_observer_with_a_known_criterion_is_found_again() -> None:
    # Evidence of variance 1 around -0.75 and 0.75; Yes above 0.4.
    chance, normal = stream("test", 1, 0, "observer"), NormalDist()

    def says_yes(mean: float) -> int:
        drawn = (normal.inv_cdf(min(max(chance.uniform(), 1e-9), 1 - 1e-9)) for _ in range(20_000))
        return sum(mean + one > 0.4 for one in drawn)

    hits, alarms = says_yes(0.75), says_yes(-0.75)
    found = detection(
        replies("Yes", hits, 20_000 - hits) + replies("No", alarms, 20_000 - alarms), ANSWERS
    )
    assert found is not None
    assert found.d_prime == pytest.approx(1.5, abs=0.04)
    assert found.criterion == pytest.approx(0.4, abs=0.02)


def test_replies_without_an_answer_count_for_nothing() -> None:
    read = replies("Yes", 9, 3) + replies("No", 2, 8)
    assert detection(read + replies("Yes", 0, 0, unread=9), ANSWERS) == detection(read, ANSWERS)


def test_items_of_one_truth_or_more_answers_have_none() -> None:
    assert detection(replies("Yes", 5, 5), ANSWERS) is None
    assert detection(replies("Yes", 5, 5) + replies("No", 0, 0, unread=3), ANSWERS) is None
    assert detection(replies("Yes", 5, 5) + replies("No", 5, 5), ("A", "B", "C")) is None
    assert detection([], ANSWERS) is None


def test_every_arm_is_summed_up_with_it(experiment: Experiment, spec: Spec) -> None:
    # Places are Yes, No, Yes, No: "cwcw" is Yes each time.
    records = experiment(direct="cwcw", cot="cccc")
    (found,) = compare(records, {"grammar": spec})
    direct, cot = found.baseline_summary.detection, found.arm_summary.detection
    assert direct is not None
    assert cot is not None
    assert (direct.hit_rate, direct.false_alarm_rate) == (1.0, 1.0)
    assert (cot.hit_rate, cot.false_alarm_rate) == (1.0, 0.0)
    assert [one.detection for one in summarise(records, {"grammar": spec})] == [direct, cot]
