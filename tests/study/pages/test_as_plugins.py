"""Each kind is a plugin of jsPsych in its own right: in any timeline, and simulated by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from every_screen import EVERY
from misstep.study.screens import fit, plain
from plan_trials import PAGES, bundled

SCREENS = {name: screen for name, screen in EVERY.items() if name != "end"}
Rows = list[dict[str, Any]]  # Any: JSON as jsPsych made it


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> str:
    entry = PAGES / "source" / "checks" / "simulated.ts"
    target: Path = tmp_path_factory.mktemp("plugins") / "simulated.js"
    return bundled(entry, target, "--format=iife", "--global-name=simulated").read_text("utf-8")


@pytest.mark.parametrize("mode", ["data-only", "visual"])
def test_what_is_simulated_fits_every_screen(script: str, mode: str, visitor: Page) -> None:
    visitor.set_content('<!doctype html><html lang="en"><title>Simulated</title><body></body>')
    visitor.add_script_tag(content=script)
    screens = [plain(screen) for screen in SCREENS.values()]
    rows: Rows = visitor.evaluate("([s, mode]) => simulated.rows(s, mode)", [screens, mode])
    assert [row["trial_type"] for row in rows] == [f"misstep-{one['kind']}" for one in screens]
    for row, screen in zip(rows, SCREENS.values(), strict=True):
        assert fit(screen, row["response"]) == row["response"]
        assert row["rt"] > 0
        assert row["plugin_version"]
