"""Pictures of a family reach models in their places, whoever the provider is."""

from __future__ import annotations

import base64
import importlib.util
import json
import re
import resource
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai import eval as eval_task
from inspect_ai.log import read_eval_log
from inspect_ai.model import ContentImage, get_model

import swatches
from misstep.core.arms_file import Definition
from misstep.core.errors import BadInput, MisstepError
from misstep.core.family import Solution
from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Score
from misstep.report.claims import How, checked
from misstep.runner.logged.logs import find_records, log_files, read_words
from misstep.runner.logged.regrade import regrade
from misstep.runner.logged.seen import read_seen
from misstep.runner.paying.costs import Asked, estimate
from misstep.runner.paying.picture_tokens import tokens_of
from misstep.runner.paying.tokens import BY_RULE
from misstep.runner.run import Request, Run, carry_out, plan
from misstep.runner.task import arms_of, family_task
from sighted import Heard, Part, Server, sighted_server

# Google's library inherits from a class that another library would rather not see inherited from.
pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class:DeprecationWarning")
Make = Callable[..., Request]
OPENAI = ("openai-api/stub/x", "/v1")

PROVIDERS = {
    "openai": ("openai-api/stub/x", "openai", "/v1"),
    "anthropic": ("anthropic/claude-x", "anthropic", ""),
    "google": ("google/gemini-x", "google.genai", ""),
}


def is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


@pytest.fixture(params=list(PROVIDERS))
def model(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A provider's model, and what comes after the server's address."""
    name, package, path = PROVIDERS[request.param]
    if not is_installed(package):
        pytest.skip(f"needs the package {package}")
    return name, path


@pytest.fixture
def server() -> Iterator[Server]:
    with sighted_server(swatches.right_answer) as made:
        yield made


def run(make: Make, server: Server, model: tuple[str, str], *arms: str, **more: object) -> Run:
    name, path = model
    args = {"base_url": server.address + path, "api_key": "none"}
    more = {"max_tokens": 100, **more}
    request = make(*arms, family=swatches.FAMILY, model=name, model_args=args, **more)
    return carry_out(plan(request))


def items() -> dict[str, Item[swatches.Payload]]:
    """Those of a quick run."""
    groups = swatches.generate(0, {})
    return {item.id: item for _ in range(2) for item in next(groups)}


def with_pictures(item: str, *words: str) -> list[Part]:
    """The words with the pictures of an item between them."""
    shown = [one.content() for one in swatches.pictures(items()[item])]
    parts: list[Part] = [words[0]]
    for picture, said in zip(shown, words[1:], strict=True):
        parts += [picture, said]
    return parts


def as_said(request: Heard, role: str) -> list[Part]:
    """All that a role says in a request; neighbouring texts are one."""
    parts: list[Part] = []
    for one in (part for who, said in request if who == role for part in said):
        if isinstance(one, str) and parts and isinstance(parts[-1], str):
            parts[-1] += one
        else:
            parts.append(one)
    return parts


def same(found: list[list[Part]], wanted: list[list[Part]]) -> bool:
    return sorted(found, key=repr) == sorted(wanted, key=repr)


DIRECT = ("Look at this: ", "\nIs it ", ", not ", "? Yes or No.\nAnswer at once.")


def test_each_provider_sends_words_and_bytes_in_the_order_of_the_prompt(
    request_for: Make, server: Server, model: tuple[str, str]
) -> None:
    done = run(request_for, server, model, "direct")
    sent = [as_said(request, "user") for request in server.requests]
    assert same(sent, [with_pictures(record.item, *DIRECT) for record in done.records])
    assert {record.outcome for record in done.records} == {Outcome.CORRECT}


def test_pictures_stand_in_their_places_among_words_of_the_users_own(
    request_for: Make, server: Server, model: tuple[str, str]
) -> None:
    own = Definition("own", system="You see well.", before="Now:", after="Thanks.")
    done = run(request_for, server, model, "own", own_arms=(own,))
    first, *others = DIRECT
    words = (f"Now:\n{first}", *others[:-1], f"{others[-1]}\nThanks.")
    sent = [as_said(request, "user") for request in server.requests]
    assert same(sent, [with_pictures(record.item, *words) for record in done.records])
    systems = {
        part for request in server.requests for who, said in request if who == "system"
        for part in said
    }  # fmt: skip
    assert systems == {"You see well."}
    assert {record.outcome for record in done.records} == {Outcome.CORRECT}


@pytest.mark.parametrize(("arm", "calls"), [("cot+vote3", 12), ("tot", 24), ("think:low", 4)])
def test_every_call_of_a_strategy_shows_the_pictures(
    request_for: Make, server: Server, arm: str, calls: int
) -> None:
    run(request_for, server, OPENAI, arm)
    assert len(server.requests) == calls
    for request in server.requests:
        assert sum(isinstance(part, bytes) for _, said in request for part in said) == 3


def test_a_second_turn_has_the_pictures_in_the_first(request_for: Make, server: Server) -> None:
    server.answer = lambda seen: "No"
    done = run(request_for, server, OPENAI, "feedback")
    assert {record.outcome for record in done.records} == {Outcome.CORRECT, Outcome.WRONG}
    longest = max(server.requests, key=len)
    assert [role for role, _ in longest] == ["user", "assistant"] * 2 + ["user"]
    assert [sum(isinstance(part, bytes) for part in said) for _, said in longest] == [3, 0, 0, 0, 0]


def test_a_run_that_goes_on_asks_nothing_twice_and_its_journal_holds_no_picture(
    request_for: Make, server: Server
) -> None:
    first = run(request_for, server, OPENAI, "direct")
    asked = len(server.requests)
    again = run(request_for, server, OPENAI, "direct", "cot")
    assert len(server.requests) == 2 * asked
    assert set(map(str, first.records)) <= {
        str(replace(one, first_arm=None)) for one in again.records
    }
    journal = (first.folder / "journal.jsonl").read_text()
    for picture in shown():
        assert base64.b64encode(picture).decode() not in journal


def test_another_picture_is_another_question(
    request_for: Make, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(request_for, server, OPENAI, "direct")
    drawn = swatches.drawn
    monkeypatch.setattr(swatches, "drawn", lambda colour: drawn(colour, swatches.SIZE + 1))
    run(request_for, server, OPENAI, "direct")
    assert len(server.requests) == 8


def shown() -> list[bytes]:
    return [one.content() for item in items().values() for one in swatches.pictures(item)]


def pictures_in(file: Path) -> Counter[bytes]:
    """How many times the log holds each picture: its samples' attachments, and anything else."""
    found: Counter[bytes] = Counter()
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            text = archive.read(name).decode().replace("-", "+").replace("_", "/")
            for picture in set(shown()):
                found[picture] += text.count(base64.b64encode(picture).decode())
    return found


def test_the_log_holds_each_picture_of_an_item_once_whatever_its_arms(
    request_for: Make, server: Server, model: tuple[str, str]
) -> None:
    done = run(request_for, server, model, "direct", "cot", repeat=2)
    (log,) = done.folder.glob("*.eval")
    samples = [{one.content() for one in swatches.pictures(item)} for item in items().values()]
    assert pictures_in(log) == Counter(picture for seen in samples for picture in seen)


def test_a_log_can_be_kept_without_pictures(request_for: Make, server: Server) -> None:
    done = run(request_for, server, OPENAI, "direct", "cot", log_images=False)
    (log,) = done.folder.glob("*.eval")
    assert pictures_in(log).total() == 0
    assert json.loads((done.folder / "manifest.json").read_text())["log_images"] is False


def test_inspect_itself_shows_the_pictures_of_a_log(request_for: Make, server: Server) -> None:
    done = run(request_for, server, OPENAI, "direct", "cot")
    (log,) = done.folder.glob("*.eval")
    read = read_eval_log(str(log), resolve_attachments=True)
    kept = [one for one in read.samples or [] if str(one.id).endswith("@direct")]
    assert len(kept) == 4
    for sample in kept:
        parts = [part for message in sample.messages[:1] for part in message.content]
        seen = [part.image for part in parts if isinstance(part, ContentImage)]
        pictures = swatches.pictures(items()[sample.metadata["id"]])
        wanted = [f"data:image/png;base64,{base64.b64encode(one.content()).decode()}"
                  for one in pictures]  # fmt: skip
        assert seen == wanted


def test_grading_again_keeps_the_pictures(
    request_for: Make, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(request_for, server, OPENAI, "direct", "cot")
    (log,) = done.folder.glob("*.eval")
    before = pictures_in(log)
    wrong = replace(
        swatches.FAMILY, score=lambda item, reply: Score(Outcome.WRONG, 0.0, answer="No")
    )
    graded = regrade(log, lambda name: wrong, is_dry=False)
    assert len(graded.changes) == 8
    assert pictures_in(log) == before
    assert len(server.requests) == 8


@pytest.mark.parametrize("log_images", [True, False])
def test_pictures_are_read_from_the_log_or_drawn_again(
    request_for: Make, server: Server, monkeypatch: pytest.MonkeyPatch, log_images: bool
) -> None:
    done = run(request_for, server, OPENAI, "direct", "cot", log_images=log_images)
    found = find_records(log_files([done.folder]))
    read = read_seen(found, lambda name: swatches.FAMILY)
    for one in found:
        wanted = [(picture.name, picture.alt, picture.content())
                  for picture in swatches.pictures(items()[one.record.item])]  # fmt: skip
        seen = read[one.file, *one.key]
        assert [(each.name, each.alt, each.content) for each in seen] == wanted
    drawn = swatches.drawn
    monkeypatch.setattr(swatches, "drawn", lambda colour: drawn(colour, 3))
    other = read_seen(found, lambda name: swatches.FAMILY)
    if log_images:
        assert other == read
    else:
        assert {each.content for seen in other.values() for each in seen} == {None}


def test_the_words_of_a_log_say_where_pictures_were(request_for: Make, server: Server) -> None:
    done = run(request_for, server, OPENAI, "direct")
    (first, *_), _ = zip(*read_words(find_records(log_files([done.folder]))), strict=True)
    assert first.prompt == (
        "Look at this: [picture: the colour above]\nIs it [picture: the colour left], not "
        "[picture: the colour right]? Yes or No.\nAnswer at once."
    )


def test_a_model_that_takes_fewer_pictures_is_refused_by_name_at_the_first_question(
    request_for: Make, server: Server, model: tuple[str, str]
) -> None:
    server.takes = 1
    name, path = model
    args = {"base_url": server.address + path, "api_key": "none"}
    request = request_for(
        "direct", "cot", family=swatches.FAMILY, model=name, model_args=args, max_tokens=100
    )
    with pytest.raises(MisstepError) as refusal:
        checked(plan(request), How.AUTO)
    line = str(refusal.value)
    assert line.startswith(f"--model: {name}: ")
    assert "at most 1 image may be provided in one request" in line
    assert "(its questions show pictures)" in line
    assert "\n" not in line
    assert len(server.requests) == 1


def test_the_embedded_text_model_is_refused_in_one_line_before_anything_is_written(
    request_for: Make, tmp_path: Path
) -> None:
    weights = tmp_path / "x.gguf"
    weights.write_bytes(b"GGUF")
    pytest.importorskip("xllamacpp")
    request = request_for(family=swatches.FAMILY, model=f"embedded/{weights}")
    with pytest.raises(BadInput) as refusal:
        plan(request)
    line = str(refusal.value)
    assert "sees no pictures, and the questions of swatches show some" in line
    assert "-M mmproj=FILE" in line
    assert "\n" not in line
    assert not request.log_dir.exists()
    plan(replace(request, model_args={"mmproj": str(weights)}))


def test_words_that_show_more_pictures_than_there_are_are_refused(request_for: Make) -> None:
    own = Definition("own", before="Look at \ufffc:")
    with pytest.raises(BadInput, match=r"arm 'own': its words have 4 places for the 3 pictures"):
        plan(request_for("own", family=swatches.FAMILY, own_arms=(own,)))


def test_a_picture_whose_file_is_gone_is_one_line(
    request_for: Make, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(colour: swatches.Colour) -> bytes:
        raise FileNotFoundError(2, "No such file or directory", "x.png")

    monkeypatch.setattr(swatches, "drawn", gone)
    with pytest.raises(MisstepError, match=r"picture swatches-0-.*\.png: No such file") as refusal:
        run(request_for, server, OPENAI, "direct")
    assert "\n" not in str(refusal.value)
    assert server.requests == []


def test_what_a_solver_needs_is_said_to_the_letter_and_blames_no_model_for_being_blind(
    request_for: Make,
) -> None:
    def needs(item: object) -> Solution:
        raise BadInput("looking: needs eyes; run: pip install 'misstep[faces]'")

    family = replace(swatches.FAMILY, solvers={"exact": needs})
    with pytest.raises(BadInput) as refusal:
        carry_out(plan(request_for("direct", family=family, model="ref/exact")))
    assert "needs eyes; run: pip install 'misstep[faces]'; 0 of " in str(refusal.value)
    assert "its questions show pictures" not in str(refusal.value)


def test_a_solver_answers_without_being_shown_anything(request_for: Make) -> None:
    done = carry_out(plan(request_for("direct", family=swatches.FAMILY, model="ref/exact")))
    assert {record.outcome for record in done.records} == {Outcome.CORRECT}


def test_the_runners_own_command_shows_the_pictures_too(server: Server, tmp_path: Path) -> None:
    task = family_task(swatches.FAMILY, arms=["direct", "cot"])
    model = get_model(OPENAI[0], base_url=server.address + OPENAI[1], api_key="none", memoize=False)
    (log,) = eval_task(task, model=model, log_dir=str(tmp_path), display="none")
    assert log.status == "success"
    assert all(sum(isinstance(part, bytes) for _, said in request for part in said) == 3
               for request in server.requests)  # fmt: skip
    assert pictures_in(Path(log.location)).total() > 0


@pytest.mark.parametrize(
    ("model", "low", "high"),
    [
        ("openai/x", 255, 630),
        ("anthropic/x", 314, 395),
        ("google/x", 258, 1120),
        ("someone/x", 255, 1120),
    ],
)
def test_a_picture_is_never_free_in_an_estimate(model: str, low: float, high: float) -> None:
    found = tokens_of(512, 512, model)
    assert low <= found.low <= found.high <= high


def test_an_estimate_counts_the_pictures_of_every_call() -> None:
    listed = list(items().values())
    blind = replace(swatches.FAMILY, pictures=None)
    for arm, calls in (("direct", 1), ("cot+vote3", 3), ("tot", 6)):
        arms = arms_of(swatches.FAMILY, [arm])
        seeing, deaf = (
            estimate(Asked(family, arms, listed, "anthropic/x"), None, BY_RULE)[0].input
            for family in (swatches.FAMILY, blind)
        )
        each = tokens_of(swatches.SIZE, swatches.SIZE, "anthropic/x")
        assert seeing.low == pytest.approx(deaf.low + 3 * 4 * calls * each.low)
        assert seeing.high == pytest.approx(deaf.high + 3 * 4 * calls * each.high)


def test_a_disk_that_fills_up_during_a_run_is_one_line_and_the_run_goes_on(
    request_for: Make, server: Server
) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
    try:
        with pytest.raises(MisstepError) as full:
            run(request_for, server, OPENAI, "direct")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert re.search(r"swatches-\S+: cannot write: File too large", str(full.value))
    assert "\n" not in str(full.value)
    done = run(request_for, server, OPENAI, "direct")
    assert len(done.records) == 4
