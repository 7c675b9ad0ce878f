"""No key of the environment is found in anything that a run writes or prints."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import inspect_ai.log  # noqa: F401 (teaches zipfile the logs' compression)
import pytest
from click.testing import CliRunner

from echoing import echoing
from misstep.cli import cli

PLANTED = {
    "OPENAI_API_KEY": "sk-planted-openai-1",
    "ANTHROPIC_API_KEY": "sk-ant-planted-2",
    "STABILITY_API_KEY": "sk-planted-stability-3",
    "GOOGLE_API_KEY": "AIza-planted-4",
    "HF_TOKEN": "hf_planted5",
    "MY_OWN_API_KEY": "planted-own-6",
    "AWS_SECRET_ACCESS_KEY": "/planted/aws/7",
}
PASSWORD, HEADER, QUERY = "planted-pass-8", "bWU6cGxhbnRlZC1wYXNzLTg=", "planted-query-9"
ALL = (*PLANTED.values(), PASSWORD, HEADER, QUERY)


COMMANDS = """
import sys
from misstep.cli import main

for line in sys.stdin:
    sys.argv = ["misstep", *line.split()]
    try:
        main()
    except SystemExit:
        pass
"""


def ask(place: Path, *lines: str, **environment: str) -> str:
    """The commands one after the other, at home in the place; all that they printed."""
    home = {name: str(place / name) for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS],
        cwd=place,
        env={**os.environ, **PLANTED, **home, **environment},
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout + done.stderr


def written(place: Path) -> Iterator[tuple[str, bytes]]:
    """Every file there, those of archives unpacked."""
    for path in sorted(place.rglob("*")):
        if path.is_file() and zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    yield f"{path}: {name}", archive.read(name)
        elif path.is_file():
            content = path.read_bytes()
            yield str(path), gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def leaks(place: Path, printed: str) -> list[str]:
    everything = [("printed", printed.encode()), *written(place)]
    return [
        f"{name}: {secret}"
        for name, content in everything
        for secret in ALL
        if secret.encode() in content
    ]


def test_keys_that_a_reply_and_an_error_repeat_are_neither_kept_nor_told(tmp_path: Path) -> None:
    run = "run grammar --limit 4 --arms direct --log-dir logs --model"
    with echoing() as (host, said):
        printed = ask(
            tmp_path,
            f"{run} openai/gpt-4o",
            f"{run} anthropic/claude-of-tomorrow",
            "report logs --out page.html",
            "records logs --out records.csv",
            "compare logs --json",
            OPENAI_BASE_URL=f"http://me:{PASSWORD}@{host}/v1?key={QUERY}",
            ANTHROPIC_BASE_URL=f"http://{host}",
        )
    everything = " ".join(said)
    for secret in (HEADER, QUERY, PLANTED["ANTHROPIC_API_KEY"]):
        assert secret in everything, "the server was not sent what it should repeat"
    refused = "anthropic/claude-of-tomorrow: 4 questions have no answer: Error code: 401"
    assert f"misstep: --model: {refused}" in printed
    assert "(secret)" in printed
    kept = {Path(name.partition(": ")[0]).suffix for name, _ in written(tmp_path)}
    assert {".eval", ".jsonl", ".json", ".html", ".csv", ".gz"} <= kept, "something isn't written"
    for name in ("page.html", "records.csv"):
        assert (tmp_path / name).stat().st_size > 0
    assert "with the key" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert leaks(tmp_path, printed) == []


@pytest.mark.parametrize(
    "argument", ["api_key=sk-1", "base_url=http://me:planted@127.0.0.1:1/v1", "organization=KEY"]
)
def test_a_key_among_the_models_arguments_is_refused(
    tmp_path: Path, argument: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED["OPENAI_API_KEY"])
    argument = argument.replace("KEY", PLANTED["OPENAI_API_KEY"])
    words = ["run", "grammar", "--model", "openai/gpt-4o", "-M", argument]
    done = CliRunner().invoke(cli, [*words, "--log-dir", str(tmp_path)])
    name, _, value = argument.partition("=")
    assert str(done.exception).startswith(f"-M {name}: looks like a secret, and a run's folder")
    assert value not in f"{done.exception}{done.output}"
    assert not list(tmp_path.iterdir())
