"""What was proven is kept: found again, not believed blindly, and never in the items' way."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.core.items import Item
from misstep.core.options import read_options
from misstep.families.planbench import solving
from misstep.families.planbench.generate import generate
from misstep.families.planbench.settings import read_settings
from misstep.families.planbench.spec import SPEC, PlanbenchPayload


def made(**options: str) -> list[Item[PlanbenchPayload]]:
    read = read_options(SPEC.options, options, SPEC.name)
    return [item for group in islice(generate(0, read), 4) for item in group]


@pytest.mark.parametrize(
    ("test", "domain"),
    [("optimal-planning", "blocksworld"), ("unsolvable", "blocksworld"), ("unsolvable", "ferry")],
)
def test_the_second_time_nothing_is_proven_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, test: str, domain: str
) -> None:
    # One worker: nothing is made ahead, and both times the same is proven.
    monkeypatch.setattr(sys.modules[generate.__module__], "usable_cores", lambda: 1)
    kept = str(tmp_path / "kept")
    without = made(test=test, domain=domain, cache="none")
    assert made(test=test, domain=domain, cache=kept) == without
    # Whatever is still searched for would be kept now.
    monkeypatch.delattr(solving, "keep_answer")
    assert made(test=test, domain=domain, cache=kept) == without


def test_a_kept_plan_that_is_wrong_is_found_anew(tmp_path: Path) -> None:
    right = made(test="optimal-planning", cache=str(tmp_path))
    for file in tmp_path.rglob("*.json"):
        entry = json.loads(file.read_text())
        file.write_text(json.dumps(entry | {"plan": entry["plan"][:-1]}))
    assert made(test="optimal-planning", cache=str(tmp_path)) == right


def test_by_itself_the_cache_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path))
    assert read_settings(read_options(SPEC.options, {}, "")).cache == tmp_path / "planbench"
    assert read_settings(read_options(SPEC.options, {"cache": "none"}, "")).cache is None
    (tmp_path / "planbench").write_text("a file stands where the folder would be")
    assert len(made(test="optimal-planning")) == 4


def test_a_named_cache_that_is_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(BadInput, match="-T cache"):
        made(cache=str(file))
