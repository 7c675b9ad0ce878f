"""What the image service is asked, and what each of its documented replies means."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.families.faces.attributes import VALUES, Attributes
from misstep.families.faces.gate import FARTHEST, MARGIN
from misstep.families.faces.photographs.choosing import NEAREST
from misstep.families.faces.service import calls, replies
from misstep.families.faces.service.calls import Kind
from misstep.families.faces.service.client import KEY, PATIENCE, checked_base, checked_key
from misstep.families.faces.service.prices import TARIFF, priced
from misstep.families.faces.service.purchases import End
from misstep.families.faces.service.replies import LONGEST_WAIT, Meaning

ANNA = Attributes("asian", "woman", "young", "brown", "black", "long", "straight")
BEN = Attributes("white", "man", "old", "blue", "gray", "short", "wavy")
BASE = "https://images.example"
JSON = {"content-type": "application/json"}
PNG = {"content-type": "image/png"}


def error(name: str, *errors: str) -> bytes:
    return json.dumps({"id": "1", "name": name, "errors": list(errors)}).encode()


def test_the_prompts_are_those_of_appendix_b() -> None:
    said = dict(calls.pair(ANNA, 7).fields)
    assert said["prompt"] == (
        "Generate two realistic images of the same person, one on the left and one on the right. "
        "The person should have the following description: "
        "young asian woman, brown eyes, long straight black hair"
    )
    assert (said["seed"], said["output_format"]) == ("7", "png")
    assert dict(calls.other(ANNA, b"png", 7, 0.7).fields)["prompt"] == (
        "Generate an image of a unique person with the same pose and style as the image provided. "
        "The person should have the following description: "
        "young asian woman, brown eyes, long straight black hair"
    )


def test_the_calls_go_where_the_service_has_them() -> None:
    assert calls.pair(ANNA, 7).path == "v2beta/stable-image/generate/ultra"
    assert calls.other(ANNA, b"png", 7, 0.7).path == "v2beta/stable-image/control/structure"


def test_a_request_is_named_by_all_that_it_says() -> None:
    every = [
        calls.pair(ANNA, 1),
        calls.pair(ANNA, 2),
        calls.pair(BEN, 1),
        calls.other(ANNA, b"one", 1, 0.7),
        calls.other(ANNA, b"two", 1, 0.7),
        calls.other(ANNA, b"one", 1, 0.6),
    ]
    keys = {call.key(BASE) for call in every} | {every[0].key("https://another.example")}
    assert len(keys) == 7
    assert calls.pair(ANNA, 1).key(BASE) == every[0].key(BASE)


@pytest.mark.parametrize(
    ("status", "headers", "content", "meaning"),
    [
        (200, PNG, b"picture", Meaning.PICTURE),
        (200, {**PNG, "finish-reason": "SUCCESS"}, b"picture", Meaning.PICTURE),
        (200, {**PNG, "finish-reason": "CONTENT_FILTERED"}, b"blurred", Meaning.FILTERED),
        (200, PNG, b"", Meaning.BROKEN),
        (200, {**PNG, "finish-reason": "ERROR"}, b"?", Meaning.BROKEN),
        (200, JSON, b"{}", Meaning.BROKEN),
        (200, JSON, b"[]", Meaning.BROKEN),
        (200, JSON, b'{"image": "not base 64!"}', Meaning.BROKEN),
        (403, JSON, error("content_moderation", "flagged"), Meaning.REFUSED),
        (403, JSON, error("forbidden", "no"), Meaning.STOP),
        (403, {}, b"<html>", Meaning.STOP),
        (400, JSON, error("bad_request", "some-field: is required"), Meaning.STOP),
        (401, JSON, error("unauthorized"), Meaning.STOP),
        (402, JSON, error("payment_required"), Meaning.STOP),
        (404, JSON, b"", Meaning.STOP),
        (413, JSON, error("content_too_large"), Meaning.STOP),
        (422, JSON, error("invalid_language", "English only"), Meaning.STOP),
        (302, {"location": "https://elsewhere.example"}, b"", Meaning.STOP),
        (429, JSON, error("rate_limit_exceeded"), Meaning.AGAIN),
        (500, JSON, error("internal_error"), Meaning.AGAIN),
        (502, {}, b"[" * 5_000, Meaning.AGAIN),
        (503, {}, b"", Meaning.AGAIN),
    ],
)
def test_a_reply_means_what_the_service_documents(
    status: int, headers: dict[str, str], content: bytes, meaning: Meaning
) -> None:
    reading = replies.read(status, headers, content)
    assert reading.meaning is meaning
    assert "\n" not in reading.words


def test_a_picture_may_come_as_json_too() -> None:
    image = base64.b64encode(b"picture").decode()
    for ended, meaning in (("SUCCESS", Meaning.PICTURE), ("CONTENT_FILTERED", Meaning.FILTERED)):
        content = json.dumps({"image": image, "finish_reason": ended, "seed": 1}).encode()
        reading = replies.read(200, JSON, content)
        assert (reading.meaning, reading.picture) == (meaning, b"picture")


@pytest.mark.parametrize(
    ("said", "wait"), [("7", 7.0), ("0", 0.0), ("", None), ("soon", None), ("-3", None)]
)
def test_the_wait_that_a_service_asks_for_is_read(said: str, wait: float | None) -> None:
    assert replies.read(429, {"retry-after": said}, b"").wait == wait


def test_a_wait_that_is_too_long_ends_the_work() -> None:
    reading = replies.read(429, {"retry-after": f"{LONGEST_WAIT + 1:.0f}"}, b"")
    assert reading.meaning is Meaning.STOP
    assert "it asks to wait for 121 seconds" in reading.words


def test_prices_can_be_said_and_add_up_to_a_problem() -> None:
    assert TARIFF.of_problem() == 8 + 4 * 5
    own = priced(TARIFF, ("pair=2", "other=0.5"))
    assert (own.of_problem(), own.date) == (4.0, "--price")
    assert own.money(4.0) == "$0.04"
    assert priced(TARIFF, ()) is TARIFF
    assert priced(TARIFF, ("other=1",)).credits == {Kind.PAIR: 8.0, Kind.OTHER: 1.0}


@pytest.mark.parametrize("word", ["pair", "pair=", "pair=dear", "pair=-1", "pair=nan", "ultra=3"])
def test_a_price_that_is_none_is_told(word: str) -> None:
    with pytest.raises(BadInput, match="--price: "):
        priced(TARIFF, (word,))
    with pytest.raises(BadInput, match="pair is given twice"):
        priced(TARIFF, ("pair=1", "pair=2"))


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("api.example", "is no address"),
        ("ftp://api.example", "is no address"),
        ("http://api.example", "needs https"),
        ("https://me:secret@api.example", "only a host and a path"),
        ("https://api.example/?key=1", "only a host and a path"),
        ("https://api.example:port", "--base-url"),
        ("https://[::1", "--base-url"),
    ],
)
def test_the_key_goes_to_no_odd_address(address: str, said: str) -> None:
    with pytest.raises(BadInput, match=said) as told:
        checked_base(address)
    assert "secret" not in str(told.value)


def test_a_service_of_ones_own_may_be_on_this_machine() -> None:
    assert checked_base("http://127.0.0.1:8000/images/") == "http://127.0.0.1:8000/images"
    assert checked_base("https://images.example") == BASE


def test_the_key_comes_from_its_variable_and_is_never_told() -> None:
    assert checked_key({KEY: " sk-1 \n"}) == "sk-1"
    with pytest.raises(BadInput, match=f"^{KEY}: is not set"):
        checked_key({})
    with pytest.raises(BadInput, match=f"^{KEY}: holds") as told:
        checked_key({KEY: "sk-1\nsk-2"})
    assert "sk-" not in str(told.value)


def test_the_page_of_the_sources_says_what_holds() -> None:
    page = (Path(__file__).parents[3] / "docs" / "faces-sources.md").read_text(encoding="utf-8")
    told = " ".join(page.split())
    pair, other = (TARIFF.credits[kind] for kind in Kind)
    assert f"a pair {pair:g} credits, another {other:g}, a credit 1 US cent" in told
    assert f"500 problems cost ${500 * TARIFF.of_problem() * TARIFF.dollars:,.0f} if" in told
    assert f"at most {FARTHEST:g} apart".replace("0.", ".") in told
    assert f"at least {MARGIN:g} farther".replace("0.", ".") in told
    assert f"up to {NEAREST:g}, since".replace("0.", ".") in told
    assert f"{PATIENCE.first:g} seconds, then twice as long each time, up to a minute" in told
    assert (PATIENCE.longest, PATIENCE.seconds, LONGEST_WAIT) == (60, 300, 120)
    assert (PATIENCE.tries, "After six faults of one call" in told) == (6, True)
    for end in End:
        assert f"| `{end}` |" in page
    for words in (calls.PAIR, calls.OTHER):
        assert words.removesuffix("{description}") in told
    for name, values in VALUES.items():
        assert f"| `{name}` | {', '.join(f'`{value}`' for value in values)} |" in page
