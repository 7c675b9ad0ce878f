"""Sets: the index through a file and back, torn lines, decisions, and what is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import NoReturn

import pytest

import face_sets
from face_sets import die_at_the_third, draw_quickly
from misstep.core.errors import BadInput, MisstepError
from misstep.families.faces import FAMILY, pool, sets
from misstep.families.faces.attributes import NAMES, allowed, read_rules
from misstep.families.faces.generate import pictures
from misstep.families.faces.sets import Problem

EVERY = allowed(read_rules())


def work(folder: Path, seed: int = 0) -> pool.Work:
    return pool.Work(seed, EVERY, "", 512, folder)


def made(folder: Path, count: int, seed: int = 0) -> list[Problem]:
    """A set of that many problems, drawn in this process."""
    problems = [draw_quickly(work(folder, seed), number, 0) for number in range(count)]
    for one in problems:
        sets.add(folder, one)
    return problems


def asked(folder: Path, count: int, seed: int = 0) -> list[str]:
    groups = FAMILY.generate(seed, {"set": str(folder)})
    return [group[0].id for group in islice(groups, count)]


def test_a_problem_survives_the_way_through_the_index(tmp_path: Path) -> None:
    problems = made(tmp_path, 3)
    assert list(sets.read_problems(tmp_path)) == problems


def test_a_torn_last_line_is_ignored_and_goes_when_the_next_is_added(tmp_path: Path) -> None:
    first, second = made(tmp_path, 2)
    index = tmp_path / sets.INDEX
    index.write_bytes(index.read_bytes()[:-40])
    assert list(sets.read_problems(tmp_path)) == [first]
    sets.add(tmp_path, second)
    assert list(sets.read_problems(tmp_path)) == [first, second]


def test_who_adds_at_once_loses_nothing_of_each_other(tmp_path: Path) -> None:
    (one,) = made(tmp_path, 1)
    every = [replace(one, id=f"faces-0-{number:03d}", number=number) for number in range(1, 200)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda problem: sets.add(tmp_path, problem), every))
    assert sorted(found.id for found in sets.read_problems(tmp_path)) == [
        one.id, *(each.id for each in every),
    ]  # fmt: skip


def test_a_stopped_drawing_says_where_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(work: pool.Work, wanted: object, processes: int) -> NoReturn:
        made(work.folder, 1, seed=1)
        raise KeyboardInterrupt

    monkeypatch.setattr(pool, "drawn", stopped)
    groups = FAMILY.generate(1, {"set": str(tmp_path / "new")})
    with pytest.raises(MisstepError, match=r"stopped; what is drawn is kept in .*new, and"):
        next(groups)
    assert asked(tmp_path / "new", 1, seed=1) == ["faces-1-000"]


def test_a_line_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    problems = made(tmp_path, 2)
    sets.add(tmp_path, problems[0])
    assert list(sets.read_problems(tmp_path)) == problems


def test_a_set_is_read_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for one in reversed([draw_quickly(work(tmp_path), number, 0) for number in range(4)]):
        sets.add(tmp_path, one)
    assert asked(tmp_path, 4) == [f"faces-0-{number:03d}" for number in range(4)]


def test_a_rejected_problem_gives_way_to_its_next_take(tmp_path: Path) -> None:
    made(tmp_path, 3)
    sets.add(tmp_path, draw_quickly(work(tmp_path), 1, 1))
    decisions = tmp_path / sets.DECISIONS
    decisions.write_text('{"id": "faces-0-001", "decision": "reject"}\n')
    assert asked(tmp_path, 3) == ["faces-0-000", "faces-0-001.1", "faces-0-002"]
    with decisions.open("a") as file:
        file.write('{"id": "faces-0-001", "decision": "accept"}\n')
    assert asked(tmp_path, 3) == ["faces-0-000", "faces-0-001", "faces-0-002"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": 2}, "schema: 2 is not 1"),
        ({"truth": "6"}, "truth: '6' is not one of 1 to 5"),
        ({"candidates": []}, "candidates: are not 5 pictures"),
        ({"id": ""}, "id: '' is no text"),
        ({"number": "three"}, "number: 'three' is no whole number"),
        ({"distances": [1.0]}, "distances: are not 5 numbers"),
        ({"reference": {"file": "../x.png", "sha256": "0"}}, "'../x.png' is no name"),
        ({"reference": {"file": "x.svg", "sha256": "0"}}, "'x.svg' is no name"),
        ({"attributes": {"race": "white"}}, "attributes: are not race, gender"),
        ({"redraws": {"drawn": "six"}}, "drawn: 'six' is no whole number"),
        ({"reference": {"file": "/etc/x.png", "sha256": "0"}}, "'/etc/x.png' is no name"),
        ({"reference": {"file": "a\x00.png", "sha256": "0"}}, "'a\\x00.png' is no name"),
        ({"reference": {"file": ".x.png", "sha256": "0"}}, "'.x.png' is no name"),
        ({"id": "faces-0-000@direct"}, "id: 'faces-0-000@direct' is not made of letters"),
        ({"id": "a\nb"}, "id: 'a\\nb' is not made of letters"),
        ({"source": "a, b=c"}, "source: 'a, b=c' is not made of letters"),
        ({"distances": [1, 1, 1, 1, 10**400]}, "is no number of a distance"),
        ({"distances": [1, 1, 1, 1, float("nan")]}, "nan is no number of a distance"),
        ({"attributes": dict.fromkeys(NAMES)}, "race: None is not one of"),
    ],
)
def test_a_wrong_line_is_named_with_its_field(
    change: dict[str, object], said: str, tmp_path: Path
) -> None:
    (one,) = made(tmp_path, 1)
    plain = {"schema": sets.SCHEMA} | asdict(one) | change
    (tmp_path / sets.INDEX).write_text(json.dumps(plain) + "\n")
    with pytest.raises(BadInput) as caught:
        asked(tmp_path, 1)
    assert "problems.jsonl: line 1: " in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "line 1: no JSON: "),
        (b"[1]", "line 1: no JSON object"),
        (b"[" * 100_000, "line 1: no JSON: "),
        (b'{"number": ' + b"9" * 5_000 + b"}", "line 1: no JSON: "),
        (b'{"id": "\xff"}', "is not text in UTF-8"),
    ],
    ids=["cut", "list", "deep", "long", "latin"],
)
def test_a_line_that_is_no_problem_is_named(line: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / sets.INDEX).write_bytes(line + b"\n")
    with pytest.raises(BadInput, match=said) as caught:
        asked(tmp_path, 1)
    assert "\n" not in str(caught.value)


def test_a_name_that_holds_another_end_of_line_does_not_end_the_line(tmp_path: Path) -> None:
    (one,) = made(tmp_path, 1)
    odd = replace(one, reference=replace(one.reference, about={"person": "a\u2028b\x85c"}))
    (tmp_path / sets.INDEX).unlink()
    sets.add(tmp_path, odd)
    assert list(sets.read_problems(tmp_path)) == [odd]


def test_a_set_of_two_sources_and_one_with_ids_of_another_seed_are_refused(tmp_path: Path) -> None:
    (one,) = made(tmp_path, 1)
    sets.add(tmp_path, replace(one, id="bought-1", source="service"))
    with pytest.raises(BadInput, match="line 2: source: 'service' in a set of 'embedded'"):
        asked(tmp_path, 1)
    other = tmp_path / "other"
    made(other, 1)
    sets.add(other, replace(one, id="faces-3-001", number=1))
    with pytest.raises(BadInput, match="holds faces-3-001, which seed 0"):
        asked(other, 1)


def test_a_wrong_decision_is_named(tmp_path: Path) -> None:
    made(tmp_path, 1)
    (tmp_path / sets.DECISIONS).write_text('{"id": "faces-0-000", "decision": "perhaps"}\n')
    with pytest.raises(BadInput, match=r"decisions\.jsonl: line 1: "):
        asked(tmp_path, 1)


def test_a_picture_that_is_gone_or_another_is_named(tmp_path: Path) -> None:
    made(tmp_path, 1)
    item = next(FAMILY.generate(0, {"set": str(tmp_path)}))[0]
    (tmp_path / "faces-0-000-2.png").write_bytes(b"other")
    (tmp_path / "faces-0-000-3.png").unlink()
    shown = pictures(item)
    assert shown[1].content() == (tmp_path / "faces-0-000-1.png").read_bytes()
    with pytest.raises(BadInput, match=r"faces-0-000-2\.png: is not the picture"):
        shown[2].content()
    with pytest.raises(BadInput, match=r"faces-0-000-3\.png: No such file"):
        shown[3].content()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"set": __file__}, "is no folder"),
        ({"size": "600"}, "-T size: 600 is neither 512 nor 1024"),
        ({"cores": "-1"}, "-T cores: -1 is not between 0 and"),
    ],
)
def test_options_that_cannot_be_are_said_at_once(options: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        FAMILY.generate(0, options)


def test_a_set_of_another_seed_or_size_is_refused(tmp_path: Path) -> None:
    made(tmp_path, 1, seed=3)
    assert asked(tmp_path, 1, seed=3) == ["faces-3-000"]
    with pytest.raises(BadInput, match="holds faces-3-000, which seed 0"):
        asked(tmp_path, 1)
    with pytest.raises(BadInput, match="holds faces-3-000, which seed 3 and these options"):
        FAMILY.generate(3, {"set": str(tmp_path), "size": 1024})


def test_problems_are_drawn_in_order_the_same_by_any_number_of_processes(tmp_path: Path) -> None:
    wanted = [(number, 0) for number in range(5)]
    for processes in (1, 3):
        folder = tmp_path / str(processes)
        problems = list(pool.drawn(work(folder), iter(wanted), processes, draw_quickly))
        assert [one.number for one in problems] == list(range(5))
    one, other = (
        {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in "13"
    )
    assert one == other
    assert len(one) == 5 * 6 + 1


def test_what_was_drawn_before_a_stop_is_kept(tmp_path: Path) -> None:
    drawing = pool.drawn(work(tmp_path), iter([(0, 0), (1, 0), (2, 0)]), 1, draw_quickly)
    next(drawing)
    drawing.close()  # type: ignore[attr-defined]  # it is a generator
    assert [one.number for one in sets.read_problems(tmp_path)] == [0]
    assert asked(tmp_path, 1) == ["faces-0-000"]


def test_a_process_that_is_ended_from_outside_is_said_in_one_line(tmp_path: Path) -> None:
    drawing = pool.drawn(work(tmp_path), iter([(n, 0) for n in range(4)]), 1, die_at_the_third)
    with pytest.raises(MisstepError, match="a drawing process was ended from outside"):
        list(drawing)
    assert [one.number for one in sets.read_problems(tmp_path)] == [0, 1]


KILLED = """
import sys
from pathlib import Path
from typing import NoReturn
from face_sets import draw_for_ever
from misstep.families.faces import pool
if __name__ == "__main__":
    work = pool.Work(0, (), "", 512, Path(sys.argv[1]))
    list(pool.drawn(work, iter([(0, 0), (1, 0)]), 2, draw_for_ever))
"""


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_drawing_process_outlives_its_stopped_parent(way: int, tmp_path: Path) -> None:
    script, folder = tmp_path / "killed.py", tmp_path / "set"
    script.write_text(KILLED)
    support = str(Path(face_sets.__file__).parent)
    environment = {**os.environ, "PYTHONPATH": support}
    command = [sys.executable, str(script), str(folder)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as parent:
        until(lambda: len(list(folder.glob("*.pid"))) == 2 and all(pids(folder)))
        parent.send_signal(way)
        assert parent.wait(20) != 0
    until(lambda: not any(is_running(pid) for pid in pids(folder)))


def pids(folder: Path) -> list[str]:
    return [file.read_text() for file in folder.glob("*.pid")]


def is_running(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().split()[2] != "Z"


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_folder_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(MisstepError, match="file/set: Not a directory; what is finished is kept"):
        sets.keep(tmp_path / "file" / "set", "a.png", b"")


def test_a_missing_extra_is_said_before_anything_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("misstep.families.faces.gate.find_spec", lambda name: None)
    groups = FAMILY.generate(1, {"set": str(tmp_path / "new")})
    with pytest.raises(BadInput, match=r"run: pip install 'misstep\[faces\]'$"):
        next(groups)
    assert not (tmp_path / "new").exists()
