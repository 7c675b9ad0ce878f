"""misstep faces buy, faces photos and review faces, as they are typed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result
from PIL import Image

import colour_sets
import image_service
from image_service import KEY, Service, serving
from misstep.cli import cli
from misstep.core.errors import BadInput, MisstepError
from misstep.families.faces import sets
from misstep.families.faces.looking import eyes
from misstep.families.faces.service import client

_PICTURE = Path(__file__).parents[2].parent / "shared" / "prototypes" / "faces" / "example.jpg"
_RIGHT = (3, 1, 5)
"""Of the picture's three rows: the candidate that shows the reference's person."""


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [*map(str, words)])


def done(*words: str | Path) -> Result:
    result = run(*words)
    assert result.exception is None, result.exception
    return result


def told(*words: str | Path) -> str:
    """What the command refuses in one line, with exit code 2."""
    error = run(*words).exception
    assert isinstance(error, BadInput), error
    assert "\n" not in str(error)
    return str(error)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """The service, whose people are colours, and eyes that tell them apart."""
    monkeypatch.setenv(client.KEY, KEY)
    monkeypatch.setattr(eyes, "embedding", image_service.eyes)
    with serving() as one:
        yield one


def buying(service: Service, out: Path, *words: str) -> tuple[str | Path, ...]:
    return ("faces", "buy", "--out", out, "--base-url", service.address, "--rate", "1000", *words)


def test_the_cost_is_shown_and_nothing_is_bought_without_consent(
    service: Service, tmp_path: Path
) -> None:
    result = run(*buying(service, tmp_path / "set", "--problems", "500"))
    assert "500 problems to buy: 1 pair and 4 others each" in result.stderr
    assert "prices in credits of $0.01 (2026-06): pair 8, other 5" in result.stderr
    assert "cost: $140.00 if every draw passes, $840.00 at most" in result.stderr
    assert str(result.exception) == (
        "--yes: nothing is bought without it where nobody can be asked"
    )
    assert not service.asked
    assert not (tmp_path / "set").exists()


def test_a_set_is_bought_and_its_problems_are_asked(service: Service, tmp_path: Path) -> None:
    result = done(*buying(service, tmp_path, "--problems", "2", "--yes"))
    assert f"{tmp_path}: 2 problems made" in result.stdout
    assert "calls so far: 10 picture; paid: 56 credits, $0.56" in result.stdout
    assert KEY not in result.output
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes()
    again = done(*buying(service, tmp_path, "--problems", "2", "--json"))
    assert json.loads(again.stdout) == {
        "schema": 1,
        "set": str(tmp_path),
        "made": 0,
        "given_up": [],
        "redraws": {},
        "calls": {"picture": 10},
        "credits_paid": 56.0,
        "credits_unsure": 0.0,
        "repeated": 0,
    }
    assert len(service.asked) == 10


def test_the_budget_holds_also_over_several_commands(service: Service, tmp_path: Path) -> None:
    words = ("--problems", "9", "--workers", "1", "--budget", "0.40", "--yes")
    for calls in (6, 6):
        error = run(*buying(service, tmp_path, *words)).exception
        assert isinstance(error, MisstepError)
        assert "--budget: 36 credits are spent or under way" in str(error)
        assert len(service.asked) == calls
    assert len(list(sets.read_problems(tmp_path))) == 1


def test_prices_may_be_said_by_hand(service: Service, tmp_path: Path) -> None:
    words = ("--problems", "1", "--price", "pair=1", "--price", "other=0", "--yes")
    result = done(*buying(service, tmp_path, *words))
    assert "prices in credits of $0.01 (--price): pair 1, other 0" in result.stderr
    assert "paid: 1 credits, $0.01" in result.stdout


def test_a_problem_that_is_given_up_is_said_by_its_number(service: Service, tmp_path: Path) -> None:
    service.usual = image_service.no_face
    words = ("--problems", "1", "--draws", "2", "--yes")
    result = done(*buying(service, tmp_path, *words))
    assert "drawn again: 2 no single face" in result.stdout
    assert "problem 0: given up, the pair never passed; more --draws try on" in result.stdout


def test_what_is_missing_or_wrong_is_told_before_anything_is_bought(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "rules.toml").write_text("rules = 1")
    assert "--price" in told(*buying(service, tmp_path, "--price", "pair=free"))
    assert "left_out" in told(*buying(service, tmp_path, "--left-out", f"{tmp_path}/rules.toml"))
    assert "file" in told(*buying(service, tmp_path / "file", "--yes"))
    assert "--base-url" in told("faces", "buy", "--out", tmp_path, "--base-url", "http://a.example")
    monkeypatch.delenv(client.KEY)
    assert told(*buying(service, tmp_path)).startswith("STABILITY_API_KEY: is not set")
    assert not service.asked


def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dlib", None)
    (tmp_path / "people" / "anna").mkdir(parents=True)
    for words in (
        buying(service, tmp_path / "set"),
        ("faces", "photos", tmp_path / "people", "--out", tmp_path / "set"),
    ):
        assert "pip install 'misstep[faces]'" in told(*words)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five people, of one of whom there are two pictures, and whatever else is in such a folder."""
    if not _PICTURE.exists():
        pytest.skip(f"needs faces to find: {_PICTURE} is not there")
    folder = tmp_path_factory.mktemp("people")
    with Image.open(_PICTURE) as whole:
        for place, left in enumerate((0, *range(268, 1548, 256))):
            name = f"p{place or _RIGHT[0]}"
            (folder / name).mkdir(exist_ok=True)
            tile = whole.crop((left, 0, left + 256, 256))
            tile.save(folder / name / f"{place}.{'jpg' if place == 2 else 'png'}", "PNG")
        (folder / "crowd").mkdir()
        whole.crop((268, 0, 780, 256)).save(folder / "crowd" / "two.png")
    (folder / "crowd" / "broken.jpg").write_bytes(b"\xff\xd8\xff")
    (folder / "crowd" / "notes.txt").write_text("?")
    Image.new("RGB", (200, 200), "gray").save(folder / "crowd" / "wall.webp")
    return folder


def test_a_set_is_cut_out_of_photographs_and_what_is_skipped_is_named(
    people: Path, tmp_path: Path
) -> None:
    result = done("faces", "photos", people, "--out", tmp_path, "--json")
    found = json.loads(result.stdout)
    assert (found["made"], found["kept"], found["failing"]) == (1, 0, 0)
    skipped = {one["name"]: one["why"] for one in found["skipped"]}
    assert skipped["crowd/two.png"] == "2 faces"
    assert skipped["crowd/wall.webp"] == "no face"
    assert skipped["crowd/broken.jpg"].startswith(("is a broken", "is no picture"))
    assert skipped["crowd/notes.txt"].startswith("is none of .jpg")
    assert skipped["crowd"] == "no picture that shows one face"
    assert {"p1", "p2", "p4", "p5"} < set(skipped)
    (problem,) = sets.read_problems(tmp_path)
    assert problem.reference.about["person"] == "p3"
    assert problem.distances[int(problem.truth) - 1] < 0.3 < sorted(problem.distances)[1]
    for shot in problem.shots:
        assert eyes.embedding(sets.picture(tmp_path, shot.file, shot.sha256)) is not None


def test_folders_and_tables_with_something_wrong_are_told(tmp_path: Path) -> None:
    (tmp_path / "people" / "anna").mkdir(parents=True)
    (tmp_path / "people" / "people.csv").write_text("person,age\nanna,ancient\n")
    words = ("faces", "photos", tmp_path / "people", "--out", tmp_path / "set")
    assert "line 2: age: 'ancient'" in told(*words)
    assert "--table" in told(*words, "--table", tmp_path / "none.csv")
    assert "FOLDER" in told("faces", "photos", tmp_path / "no", "--out", tmp_path / "set")
    (tmp_path / "people" / "people.csv").write_text("person,age\nanna,old\nben,old\n")
    result = run(*words)
    assert "makes no problem" in str(result.exception)
    assert "skipped: anna: no picture that shows one face" in result.stdout
    assert "skipped: ben: is in the table and has no sub-folder" in result.stdout


def test_a_name_can_neither_end_the_line_nor_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "people" / "an\nna").mkdir(parents=True)
    (tmp_path / "people" / "an\nna" / "\x1b[31mred.jpg").write_bytes(b"")
    (tmp_path / "people" / "Zoë").mkdir()
    said = run("faces", "photos", tmp_path / "people", "--out", tmp_path / "set").stdout
    assert r"skipped: 'an\nna': " in said
    assert r"skipped: 'an\nna/\x1b[31mred.jpg': is no picture" in said
    assert "skipped: Zoë: " in said
    assert all(line.startswith(("skipped: ", str(tmp_path))) for line in said.splitlines())


def test_a_set_is_reviewed_in_a_browser_until_ctrl_c(tmp_path: Path) -> None:
    first, second = colour_sets.made(tmp_path, 2)
    command = [sys.executable, "-m", "misstep", "review", "faces", "--set", str(tmp_path)]
    process = subprocess.Popen([*command, "--no-browser"], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("2 problems to review")
        address = httpx.URL(process.stderr.readline().split()[-1])
        root = f"http://127.0.0.1:{address.port}"
        body = {"problem": first.id, "decision": "reject"}
        assert httpx.post(f"{root}/decide", json=body, timeout=30).status_code == 403
        reply = httpx.post(f"{root}/decide", json=body, params=address.params, timeout=30)
        assert reply.json()["decided"] == {first.id: "reject"}
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    finally:
        process.kill()
        process.communicate()
    assert f"0 accepted, 1 rejected, 1 left; go on with: misstep review faces --set {tmp_path}" in (
        said
    )
    assert sets.rejected(tmp_path) == {first.id}
    assert second.id not in sets.rejected(tmp_path)


def test_a_review_of_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "holds no problem" in told("review", "faces", "--set", tmp_path / "empty")
    assert "not there" in told("review", "faces", "--set", tmp_path / "no")
    (tmp_path / sets.INDEX).write_text("nonsense\n")
    assert "line 1: no JSON" in told("review", "faces", "--set", tmp_path)
