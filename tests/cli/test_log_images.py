"""`misstep run --log-images`: for families that show pictures, and said again to go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from misstep.cli import cli
from misstep.core.errors import BadInput


def run(folder: Path, *words: str) -> Result:
    words = ("run", *words, "--log-dir", str(folder))
    return CliRunner().invoke(cli, list(words))


@pytest.mark.parametrize(("words", "kept"), [((), True), (("--log-images", "no"), False)])
def test_a_run_says_whether_its_log_keeps_pictures(
    tmp_path: Path, words: tuple[str, ...], kept: bool
) -> None:
    asked = ("cups", "--model", "ref/always-a", "--arms", "direct", "--limit", "4")
    done = run(tmp_path, *asked, *words)
    assert done.exit_code == 0, done.output
    (manifest,) = tmp_path.glob("*/manifest.json")
    assert json.loads(manifest.read_text())["log_images"] is kept


def test_a_family_without_pictures_has_none_to_leave_out(tmp_path: Path) -> None:
    done = run(tmp_path, "grammar", "--model", "ref/bigram-rule", "--log-images", "no")
    assert isinstance(done.exception, BadInput)
    assert str(done.exception) == "--log-images: grammar: the questions show no pictures"


def test_without_a_model_a_family_with_pictures_says_what_to_name(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    done = run(tmp_path, "cups")
    assert isinstance(done.exception, BadInput)
    assert "--model" in str(done.exception)
    assert "\n" not in str(done.exception)
    assert list(tmp_path.iterdir()) == []
