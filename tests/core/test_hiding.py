"""Secrets are found by the names of their variables, and hidden in replies, errors and logs."""

from __future__ import annotations

import logging

import pytest

from misstep.core.errors import MisstepError
from misstep.core.hiding import Secrets, hidden_from_logs, is_secret_argument, secrets_in

KEY = "sk-planted-0123"
SECRETS = secrets_in({"OPENAI_API_KEY": KEY})


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "ANY_API_KEY",
        "HF_TOKEN",
        "aws_secret_access_key",
        "DB_PASSWORD",
        "X_SECRET",
    ],
)
def test_a_variable_called_like_a_key_holds_a_secret(name: str) -> None:
    assert secrets_in({name: f" {KEY}\n"}).values == (KEY,)


@pytest.mark.parametrize(
    "named",
    [
        {"PATH": "/usr/bin:/opt/0123"},
        {"KEYBOARD": "us-layout-1"},
        {"A_KEY": "short-1"},
        {"A_KEY": "something"},
        {"A_KEY": "Something"},
        {"A_TOKEN": "123456789"},
        {"CREDENTIALS": __file__},
        {"A_URL": "http://localhost:8000/v1"},
    ],
)
def test_words_numbers_and_paths_are_no_secrets(named: dict[str, str]) -> None:
    assert secrets_in(named).values == ()


def test_an_address_gives_its_password_its_header_and_its_keys() -> None:
    found = secrets_in({"A_BASE_URL": "http://me:pass%40word-1@host/v1?key=query-0123&n=5"})
    assert set(found.values) == {
        "pass%40word-1",
        "pass@word-1",
        "query-0123",
        "bWU6cGFzcyU0MHdvcmQtMQ==",  # me:pass%40word-1
        "bWU6cGFzc0B3b3JkLTE=",  # me:pass@word-1
    }


def test_of_two_keys_that_begin_alike_none_is_left_over() -> None:
    both = secrets_in({"A_KEY": KEY, "B_KEY": KEY + "-and-more"})
    assert both.hide(f"{KEY}-and-more {KEY}") == "(secret) (secret)"


def test_an_error_hides_what_looks_like_a_key_to_a_server_too() -> None:
    said = "Authorization: Bearer abc.def-123, Basic bWU6cGFzcw==, at https://me:pw@host/v1"
    assert Secrets(()).hide_all(said) == (
        "Authorization: Bearer (secret), Basic (secret), at https://(secret)@host/v1"
    )
    assert Secrets(()).hide(said) == said, "a model may talk about them"


class Refused(Exception):
    """As the providers' clients have them: words, and what the server sent."""

    def __init__(self, message: str, body: object) -> None:
        super().__init__(message)
        self.message, self.body = message, body


class Stubborn(Exception):
    """Says its words anew whenever it is asked."""

    def __str__(self) -> str:
        return f"key {KEY}"


def test_an_error_is_cleaned_with_all_that_it_holds_and_keeps_its_kind() -> None:
    within = ValueError(f"within {KEY}")
    with pytest.raises(Refused) as caught, SECRETS:
        raise Refused(f"no: {KEY}", {"said": [KEY, (KEY, 1)]}) from within
    error = caught.value
    assert str(error) == error.message == "no: (secret)"
    assert error.body == {"said": ["(secret)", ("(secret)", 1)]}
    assert str(error.__cause__) == "within (secret)"


def test_an_error_that_cannot_be_cleaned_is_put_in_other_words() -> None:
    with pytest.raises(MisstepError, match=r"^Stubborn: key \(secret\)$") as caught, SECRETS:
        raise Stubborn
    assert caught.value.__suppress_context__


def test_an_error_without_a_secret_stays_the_same() -> None:
    error = ValueError("plain", 3)
    assert SECRETS.cleaned(error) is error
    assert error.args == ("plain", 3)


def test_lines_of_logs_hide_them_as_long_as_it_is_asked_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = logging.getLogger("test_hiding")
    caplog.set_level(logging.WARNING, logger="test_hiding")  # whatever another test has set
    with hidden_from_logs(SECRETS):
        log.warning("POST %s by %d", f"http://me:pw@host?key={KEY}", 5)
        log.warning("as it is: %s", "50 %")
    log.warning("after %s", "http://me:pw@host")
    assert caplog.messages == [
        "POST http://(secret)@host?key=(secret) by 5",
        "as it is: 50 %",
        "after http://me:pw@host",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("api_key", "x"),
        ("token", "x"),
        ("azure_api_key", "x"),
        ("base_url", "http://me:pw@host/v1"),
        ("anything", KEY),
    ],
)
def test_an_argument_of_a_model_may_be_a_secret(name: str, value: str) -> None:
    assert is_secret_argument(name, value, SECRETS)


@pytest.mark.parametrize("name", ["n_ctx", "pad_token_id", "max_tokens", "base_url", "key_frames"])
def test_other_arguments_are_none(name: str) -> None:
    assert not is_secret_argument(name, "http://localhost:1/v1", SECRETS)


@pytest.mark.parametrize("value", ["none", "EMPTY", "dummy", "unused"])
def test_a_word_in_the_place_of_a_key_is_no_secret(value: str) -> None:
    assert not is_secret_argument("api_key", value, secrets_in({}))
    assert is_secret_argument("api_key", value + "-1", secrets_in({}))
