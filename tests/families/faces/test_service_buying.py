"""Buying pictures from a service on this machine that has the faults of the documented one."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import image_service
from image_service import KEY, Reply, Service, error, eyes, picture, serving
from misstep.core.errors import BadInput, MisstepError
from misstep.families.faces import sets
from misstep.families.faces.attributes import allowed, read_rules
from misstep.families.faces.service import calls, purchases
from misstep.families.faces.service.client import Client, Patience, open_http
from misstep.families.faces.service.drawing import Terms
from misstep.families.faces.service.halves import is_picture
from misstep.families.faces.service.making import ANSWERS, Made, Order, jobs, make
from misstep.families.faces.service.pace import Pace
from misstep.families.faces.service.prices import TARIFF
from misstep.families.faces.service.purchases import (
    JOURNAL,
    Bill,
    End,
    TooDear,
    open_purchases,
)

CALL = calls.pair(allowed(read_rules())[0], 7)
QUICK = Patience(seconds=2.0, tries=3, first=0.01, longest=0.02)
TERMS = Terms(seed=0, size=32, draws=3, strength=0.7, farther=0.1, nearest=0.2)


@pytest.fixture
def service() -> Iterator[Service]:
    with serving() as one:
        yield one


@contextmanager
def buying(
    service: Service, folder: Path, *, most: float | None = None, patience: Patience = QUICK
) -> Iterator[Client]:
    http = open_http(service.address, patience)
    with open_purchases(folder / ANSWERS) as bought, http:
        pace = Pace(1_000)
        yield Client(service.address, KEY, bought, pace, TARIFF, is_picture, http, patience, most)


def order(folder: Path, count: int = 2, workers: int = 2, terms: Terms = TERMS) -> Order:
    return Order(folder, count, allowed(read_rules()), terms, workers)


def made(service: Service, wanted: Order) -> tuple[Made, Bill]:
    with buying(service, wanted.folder) as client:
        result = make(wanted, jobs(wanted), client.ask, eyes, client.pace)
        return result, client.purchases.bill()


def test_a_picture_is_asked_for_as_documented_and_kept(service: Service, tmp_path: Path) -> None:
    with buying(service, tmp_path) as client:
        answer = client.ask(CALL)
    (asked,) = service.asked
    assert asked.path == "/v2beta/stable-image/generate/ultra"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["accept"] == "image/*"
    assert asked.fields == dict(CALL.fields)
    assert asked.image is None
    assert answer.picture == image_service.painted(asked).body
    kept = tmp_path / ANSWERS / f"{CALL.key(service.address)}.png"
    assert kept.read_bytes() == answer.picture


def test_the_right_picture_goes_with_the_call_for_another(service: Service, tmp_path: Path) -> None:
    right = image_service.png(((1, 2, 3),))
    with buying(service, tmp_path) as client:
        client.ask(calls.other(allowed(read_rules())[0], right, 7, 0.7))
    assert service.asked[0].image == right
    assert service.asked[0].fields["control_strength"] == "0.7"


def test_what_was_bought_is_never_asked_for_again(service: Service, tmp_path: Path) -> None:
    for _ in range(2):
        with buying(service, tmp_path) as client:
            first, second = client.ask(CALL), client.ask(CALL)
            assert first == second
            assert client.purchases.bill() == Bill(Counter({End.PICTURE: 1}), 8.0, 0.0)
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("fault", "end"),
    [
        (error(429, "rate_limit_exceeded", "slow down"), End.FAILED),
        (error(429, "rate_limit_exceeded", retry_after="0"), End.FAILED),
        (error(500, "internal_error", "oops"), End.FAILED),
        (error(503, "unavailable"), End.FAILED),
        (lambda _asked: picture(((1, 2, 3),), "ERROR"), End.BROKEN),
        (lambda _asked: Reply(200, {"Content-Type": "image/png"}, b"no picture"), End.BROKEN),
        (lambda asked: Reply(200, {}, image_service.painted(asked).body[:90]), End.BROKEN),
        (lambda asked: Reply(200, {}, image_service.painted(asked).body, cut=90), End.UNSURE),
        (lambda _asked: Reply(200, {}, b"abc", cut=0), End.UNSURE),
    ],
)
def test_a_passing_fault_is_waited_out_and_counted(
    service: Service, tmp_path: Path, fault: image_service.Fault, end: End
) -> None:
    service.faults[0] = fault
    with buying(service, tmp_path) as client:
        assert client.ask(CALL).end is End.PICTURE
        assert client.purchases.bill().ends == {end: 1, End.PICTURE: 1}
        assert client.purchases.bill().paid == (16.0 if end is End.BROKEN else 8.0)
        assert client.purchases.bill().unsure == (8.0 if end is End.UNSURE else 0.0)
    assert len(service.asked) == 2


def test_a_service_that_is_too_slow_is_asked_again(service: Service, tmp_path: Path) -> None:
    service.faults[0] = lambda asked: Reply(
        200, {"Content-Type": "image/png"}, image_service.painted(asked).body, seconds=0.6
    )
    quick = Patience(seconds=0.2, tries=3, first=0.01)
    with buying(service, tmp_path, patience=quick) as client:
        assert client.ask(CALL).end is End.PICTURE
        assert client.purchases.bill().ends == {End.UNSURE: 1, End.PICTURE: 1}


def test_a_wait_that_the_service_names_is_kept_by_every_call(
    service: Service, tmp_path: Path
) -> None:
    service.faults[0] = error(429, "rate_limit_exceeded", retry_after="1")
    with buying(service, tmp_path) as client:
        client.ask(CALL)
    assert service.at[1] - service.at[0] >= 1.0


def test_waits_double_up_to_a_bound() -> None:
    patience = Patience(first=2.0, longest=10.0)
    assert [patience.wait(failures) for failures in range(1, 6)] == [2.0, 4.0, 8.0, 10.0, 10.0]


def test_calls_begin_no_faster_than_the_rate() -> None:
    pace = Pace(50)
    begun = time.monotonic()
    for _ in range(6):
        pace.wait()
    assert time.monotonic() - begun >= 5 / 50


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (error(401, "unauthorized"), "doesn't accept the key (HTTP 401)"),
        (error(402, "payment_required", "You lack credits"), "too few credits (HTTP 402: You lack"),
        (error(403, "forbidden"), "may not do this"),
        (error(413, "content_too_large"), "too large"),
        (error(422, "invalid", f"the key {KEY} of\nyours"), "HTTP 422: the key … of yours"),
        (error(429, "rate_limit_exceeded", retry_after="3600"), "asks to wait for 3,600 seconds"),
    ],
)
def test_what_will_not_pass_ends_the_work_in_one_line_without_the_key(
    service: Service, tmp_path: Path, fault: image_service.Fault, said: str
) -> None:
    service.usual = fault
    with buying(service, tmp_path) as client, pytest.raises(MisstepError) as told:
        client.ask(CALL)
    assert said in str(told.value)
    assert KEY not in str(told.value)
    assert "\n" not in str(told.value)
    assert len(service.asked) == 1
    assert KEY not in repr(client)


def test_faults_without_end_are_given_up_after_the_stated_tries(
    service: Service, tmp_path: Path
) -> None:
    service.usual = error(500, "internal_error", "oops")
    with buying(service, tmp_path) as client, pytest.raises(MisstepError, match="tried 3 times"):
        client.ask(CALL)
    assert len(service.asked) == 3


def test_a_service_that_is_not_there_is_told(tmp_path: Path) -> None:
    with buying(Service("http://127.0.0.1:9"), tmp_path) as client:
        with pytest.raises(MisstepError, match="no connection"):
            client.ask(CALL)
        assert client.purchases.bill().ends == {End.FAILED: 3}


def test_the_key_is_not_sent_on_to_another_address(service: Service, tmp_path: Path) -> None:
    service.usual = lambda _asked: Reply(307, {"Location": f"{service.address}/elsewhere"})
    with buying(service, tmp_path) as client, pytest.raises(MisstepError, match="HTTP 307"):
        client.ask(CALL)
    assert len(service.asked) == 1


def test_nothing_is_bought_beyond_the_budget(service: Service, tmp_path: Path) -> None:
    with buying(service, tmp_path, most=15.0) as client:
        client.ask(CALL)
        with pytest.raises(TooDear, match="8 credits are spent or under way"):
            client.ask(calls.pair(allowed(read_rules())[0], 8))
    assert len(service.asked) == 1


def test_a_set_is_made_with_six_pictures_a_problem(service: Service, tmp_path: Path) -> None:
    result, bill = made(service, order(tmp_path, 3))
    assert (result.made, result.given_up, bill.paid) == (3, {}, 3 * 28.0)
    problems = sorted(sets.read_problems(tmp_path), key=lambda one: one.number)
    assert [one.number for one in problems] == [0, 1, 2]
    for problem in problems:
        shown = [eyes(sets.picture(tmp_path, shot.file, shot.sha256)) for shot in problem.shots]
        assert shown[0] == shown[int(problem.truth)]
        assert sum(one == shown[0] for one in shown) == 2
        assert len({*shown}) == 5
        assert problem.distances[int(problem.truth) - 1] == 0.0
        assert min(one for one in problem.distances if one) >= TERMS.farther
        assert problem.attributes is not None
        assert problem.attributes.words in service.asked[0].fields["prompt"] or problem.number
    assert len({one.truth for one in problems}) > 1 or len(problems) < 3


def test_an_order_goes_on_where_it_was_left_and_buys_nothing_twice(
    service: Service, tmp_path: Path
) -> None:
    made(service, order(tmp_path, 1))
    assert len(service.asked) == 5
    made(service, order(tmp_path, 2))
    assert len(service.asked) == 10
    (tmp_path / sets.INDEX).unlink()
    made(service, order(tmp_path, 2))
    assert len(service.asked) == 10
    assert len(list(sets.read_problems(tmp_path))) == 2


def test_the_same_order_makes_the_same_problems_with_any_number_of_workers(
    service: Service, tmp_path: Path
) -> None:
    for workers in (1, 3):
        made(service, order(tmp_path / str(workers), 3, workers))
    one, three = (
        sorted(sets.read_problems(tmp_path / name), key=lambda problem: problem.number)
        for name in ("1", "3")
    )
    assert one == three


def test_no_more_calls_are_under_way_than_workers(service: Service, tmp_path: Path) -> None:
    service.usual = lambda asked: Reply(200, {}, image_service.painted(asked).body, seconds=0.02)
    made(service, order(tmp_path, 4, 2))
    assert service.most_at_once == 2


def test_what_the_gate_refuses_is_drawn_again_and_counted(service: Service, tmp_path: Path) -> None:
    service.faults = {
        0: image_service.no_face,
        1: lambda _asked: picture(((250, 0, 0), (0, 0, 250))),
        2: error(403, "content_moderation", "flagged"),
    }
    result, _ = made(service, order(tmp_path, 1))
    assert result.made == 0
    assert result.given_up == {0: "the pair"}
    assert result.redraws == {"no single face": 1, "two people": 1, "refused": 1}


def test_more_draws_go_on_from_the_answers_that_are_kept(service: Service, tmp_path: Path) -> None:
    service.usual = image_service.no_face
    for draws in (3, 5):
        terms = Terms(seed=0, size=32, draws=draws, strength=0.7, farther=0.1, nearest=0.2)
        result, _ = made(service, order(tmp_path, 1, terms=terms))
        assert result.redraws == {"no single face": draws}
        assert len(service.asked) == draws


def test_an_other_that_looks_like_the_person_is_drawn_again(
    service: Service, tmp_path: Path
) -> None:
    def alike(asked: image_service.Asked) -> Reply:
        assert asked.image is not None
        shown = eyes(asked.image)
        assert shown is not None
        red, green, blue = (round(part * 255) for part in shown)
        return picture(((red, green, blue),))

    service.faults = {
        1: alike,
        2: lambda _asked: picture(((0, 0, 0),), "CONTENT_FILTERED"),
        4: image_service.no_face,
    }
    result, bill = made(service, order(tmp_path, 1))
    assert result.redraws == {"too near": 1, "filtered": 1, "no single face": 1}
    assert bill.ends == {End.PICTURE: 7, End.FILTERED: 1}
    (problem,) = sets.read_problems(tmp_path)
    assert problem.redraws == result.redraws


def test_a_problem_rejected_by_eye_is_bought_anew(service: Service, tmp_path: Path) -> None:
    made(service, order(tmp_path, 2))
    before = {one.number: one for one in sets.read_problems(tmp_path)}
    decision = {"id": before[1].id, "decision": "reject"}
    (tmp_path / sets.DECISIONS).write_text(json.dumps(decision) + "\n")
    made(service, order(tmp_path, 2))
    assert len(service.asked) == 15
    after = [one for one in sets.read_problems(tmp_path) if one.number == 1]
    assert [one.take for one in after] == [0, 1]
    assert after[0].id != after[1].id


def test_a_fault_that_ends_the_work_keeps_the_finished_problems(
    service: Service, tmp_path: Path
) -> None:
    service.faults[7] = error(402, "payment_required")
    with pytest.raises(MisstepError, match="too few credits"):
        made(service, order(tmp_path, 3, 1))
    assert len(list(sets.read_problems(tmp_path))) == 1
    result, bill = made(service, order(tmp_path, 3, 1))
    assert result.made == 2
    assert bill.paid == 3 * 28.0
    assert len(service.asked) == 3 * 5 + 1


def test_the_folder_of_another_set_is_refused(service: Service, tmp_path: Path) -> None:
    made(service, order(tmp_path, 1))
    other = Terms(seed=1, size=32, draws=3, strength=0.7, farther=0.1, nearest=0.2)
    with pytest.raises(BadInput, match="holds problems of service, seed 0"):
        jobs(order(tmp_path, terms=other))


def test_two_processes_cannot_buy_into_one_folder(service: Service, tmp_path: Path) -> None:
    with (
        buying(service, tmp_path),
        pytest.raises(MisstepError, match="another process"),
        buying(service, tmp_path),
    ):
        pass


def test_a_full_disk_is_met_before_the_call_and_nothing_is_paid(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_words: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with buying(service, tmp_path) as client:
        client.ask(CALL)
        monkeypatch.setattr(purchases, "_take", full)
        with pytest.raises(MisstepError, match=r"No space left on device; every answer.* is kept"):
            client.ask(calls.pair(allowed(read_rules())[0], 8))
        assert client.purchases.bill().ends == {End.PICTURE: 1}
    assert len(service.asked) == 1


def test_a_torn_line_of_the_journal_is_cut_off(service: Service, tmp_path: Path) -> None:
    with buying(service, tmp_path) as client:
        client.ask(CALL)
    journal = tmp_path / ANSWERS / JOURNAL
    with journal.open("ab") as file:
        file.write(b'{"begun": "ab')
    with open_purchases(tmp_path / ANSWERS) as bought:
        assert bought.bill().paid == 8.0
    assert journal.read_bytes().endswith(b"}\n")
    journal.write_text("nonsense\n")
    with pytest.raises(BadInput, match="line 1 is no line"), open_purchases(tmp_path / ANSWERS):
        pass


_KILLED = """
import sys
from pathlib import Path
import test_service_buying as tests
from image_service import Service
folder = Path(sys.argv[2])
tests.made(Service(sys.argv[1]), tests.order(folder, 16, 3))
"""


def _buyer(address: str, folder: Path) -> subprocess.Popen[bytes]:
    here = Path(__file__)
    path = os.pathsep.join([str(here.parent), str(here.parents[2] / "support")])
    command = [sys.executable, "-c", _KILLED, address, str(folder)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path})


def test_a_kill_repeats_at_most_the_calls_under_way_and_they_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    with serving() as service:
        service.usual = lambda asked: Reply(
            200, {}, image_service.painted(asked).body, seconds=0.02
        )
        for wanted in (12, 40):
            process = _buyer(service.address, folder)
            deadline = time.monotonic() + 30
            while len(service.asked) < wanted and time.monotonic() < deadline:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            time.sleep(0.05)
        with open_purchases(folder / ANSWERS) as bought:
            # The second kill's; the first's were counted when the second buyer opened the folder.
            assert bought.repeated <= 3
            assert bought.bill().ends[End.UNSURE] <= 6
        made(service, order(folder, 16, 3))
        times = Counter((one.path, one.fields["seed"]) for one in service.asked)
    assert len(list(sets.read_problems(folder))) == 16
    assert sum(count - 1 for count in times.values()) <= 6
    assert max(times.values()) <= 3


def test_ctrl_c_waits_for_the_calls_under_way_and_keeps_their_answers(
    service: Service, tmp_path: Path
) -> None:
    service.usual = lambda asked: Reply(200, {}, image_service.painted(asked).body, seconds=0.2)

    def press() -> None:
        while not service.asked:
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGINT)

    # Where the tests run in the background of a script, an interruption is ignored.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=press).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            made(service, order(tmp_path, 20, 2))
    finally:
        signal.signal(signal.SIGINT, usual)
    assert len(service.asked) < 20 * 5
    kept = list((tmp_path / ANSWERS).glob("*.png"))
    assert len(kept) == len(service.asked)
