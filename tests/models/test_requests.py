"""What is sent to the server, without a model."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentAudio,
    ContentImage,
    ContentText,
    GenerateConfig,
    ResponseSchema,
)
from inspect_ai.util import JSONSchema

from misstep.core.errors import BadInput
from misstep.models import requests
from misstep.models.llama import Completion

PIXEL = "data:image/png;base64,iVBORw0KGgo="


def picture_messages(image: str) -> list[ChatMessage]:
    content: list[Content] = [ContentText(text="What is it?"), ContentImage(image=image)]
    return [ChatMessageSystem(content="Look."), ChatMessageUser(content=content)]


def test_pictures_are_sent_as_parts_with_data_uris() -> None:
    messages = picture_messages(PIXEL)
    assert requests.has_pictures(messages)
    assert requests.chat(messages, 0, GenerateConfig(max_tokens=5))["messages"] == [
        {"role": "system", "content": [{"type": "text", "text": "Look."}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is it?"},
                {"type": "image_url", "image_url": {"url": PIXEL}},
            ],
        },
    ]


def test_a_picture_by_its_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cup.jpg"
    path.write_bytes(b"jpeg")
    sent = str(requests.chat(picture_messages(str(path)), 0, GenerateConfig()))
    assert "data:image/jpeg;base64," + base64.b64encode(b"jpeg").decode() in sent


@pytest.mark.parametrize("image", ["https://example.org/x.png", "absent.png"])
def test_a_picture_that_is_not_here_is_refused(image: str) -> None:
    with pytest.raises(BadInput, match=r"embedded model: .*picture"):
        requests.chat(picture_messages(image), 0, GenerateConfig())


def test_sound_is_refused() -> None:
    sound = ChatMessageUser(content=[ContentAudio(audio="a.mp3", format="mp3")])
    with pytest.raises(BadInput, match="takes text and pictures, not audio"):
        requests.chat([sound], 0, GenerateConfig())


def test_answers_are_greedy_unless_a_temperature_is_given() -> None:
    plain = requests.completion((1, 2), 0, False, GenerateConfig(max_tokens=7))
    assert (plain["temperature"], plain["n_predict"]) == (0.0, 7)
    warm = requests.completion(
        (1, 2), 0, True, GenerateConfig(temperature=0.7, top_p=0.9, top_k=5, seed=3)
    )
    assert [warm[key] for key in ("temperature", "top_p", "top_k", "seed")] == [0.7, 0.9, 5, 3]


def test_a_response_schema_is_passed_on() -> None:
    schema = ResponseSchema(name="answer", json_schema=JSONSchema(type="boolean"))
    body = requests.completion((1,), 0, False, GenerateConfig(response_schema=schema))
    assert body["json_schema"] == {"type": "boolean"}


def test_beginnings_are_counted_from_the_message_inside_the_markup() -> None:
    message = ChatMessageUser(content="ab cd", metadata={"beginnings": [2, 3, 99]})
    assert requests.beginnings([message], "<user>ab cd</user>") == [8, 9, 11]


def test_beginnings_of_a_conversation_are_counted_from_each_of_its_messages() -> None:
    """The first message's text stands in the second one, too."""
    first = ChatMessageUser(content="ab", metadata={"beginnings": [2]})
    unmarked = ChatMessageUser(content="c")
    second = ChatMessageUser(content="x ab", metadata={"beginnings": [1, 4]})
    prompt = "<u>ab</u><u>c</u><u>x ab</u>"
    assert requests.beginnings([first, unmarked, second], prompt) == [5, 21, 24]


def test_a_message_that_the_markup_changed_has_no_beginnings() -> None:
    message = ChatMessageUser(content=" ab ", metadata={"beginnings": [2]})
    assert requests.beginnings([message], "<user>ab</user>") == []
    assert requests.beginnings([ChatMessageUser(content="ab")], "<user>ab</user>") == []


@pytest.mark.parametrize(
    ("limited", "generated", "reason"),
    [(False, 5, "stop"), (True, 9, "max_tokens"), (True, 5, "model_length")],
)
def test_a_cut_answer_tells_its_own_limit_from_the_end_of_the_context(
    limited: bool, generated: int, reason: str
) -> None:
    done = Completion("text", limited, prompt_tokens=3, evaluated=3, generated=generated)
    assert requests.choice("m", done, GenerateConfig(max_tokens=9)).stop_reason == reason
