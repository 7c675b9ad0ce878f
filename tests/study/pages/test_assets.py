"""The built files, the document around them, and the checks that run in node."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from misstep.core.errors import MisstepError
from misstep.study.pages import assets as module
from misstep.study.pages.assets import Assets, assets
from misstep.study.pages.document import Facing, document

PAGES = Path(str(files("misstep.study.pages")))
NOTHING = Assets("study-1.js", "study-2.css", {})


@pytest.fixture
def built() -> Assets:
    try:
        return assets()
    except MisstepError as error:
        pytest.skip(str(error))


def test_names_are_those_of_the_contents(built: Assets) -> None:
    for name in (built.script, built.style):
        content = built.files[name].content
        assert hashlib.sha256(content).hexdigest()[:16] in name


def test_nothing_is_served_but_script_style_and_licences(built: Assets) -> None:
    types = {name: one.media_type for name, one in built.files.items()}
    assert types == {
        built.script: "text/javascript",
        built.style: "text/css",
        "LICENSES.txt": "text/plain",
    }


def test_the_licences_name_all_that_is_bundled(built: Assets) -> None:
    text = built.files["LICENSES.txt"].content.decode()
    manifest = json.loads((PAGES / "built" / "manifest.json").read_text("utf-8"))
    names = [one["name"] for one in manifest["bundled"]]
    assert "jspsych" in names
    for one in manifest["bundled"]:
        assert f"{one['name']} {one['version']} ({one['licence']})" in text
    assert text.count("WITHOUT WARRANTY OF ANY KIND") >= len(names)


def test_the_bundle_asks_nothing_of_another_origin(built: Assets) -> None:
    style = built.files[built.style].content.decode()
    assert "url(" not in style
    assert "@import" not in style
    script = built.files[built.script].content.decode()
    assert not re.search(r"\beval\(|new Function\(|importScripts\(", script)


def test_a_page_that_was_not_built_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "files", lambda _package: tmp_path)
    with pytest.raises(MisstepError, match=r"^the participant's page is not built: run `make pag"):
        assets()


def test_a_file_that_is_gone_counts_as_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "built").mkdir()
    manifest = {"script": NOTHING.script, "style": NOTHING.style}
    (tmp_path / "built" / "manifest.json").write_text(json.dumps(manifest))
    monkeypatch.setattr(module, "files", lambda _package: tmp_path)
    with pytest.raises(MisstepError, match="not built"):
        assets()


def test_names_of_a_study_can_not_break_out_of_the_document() -> None:
    evil = '"><script>x</script>'
    html = document(Facing(evil, evil, evil, evil, evil), NOTHING)
    assert html.count("<script") == 1
    assert '<script defer src="assets/study-1.js"></script>' in html


def test_the_document_has_its_language_and_direction() -> None:
    assert '<html lang="de-AT" dir="ltr"' in document(Facing("Studie", "de-AT"), NOTHING)
    assert '<html lang="he" dir="rtl"' in document(Facing("מחקר", "he"), NOTHING)


def test_nothing_in_the_document_is_inline() -> None:
    html = document(Facing("A study"), NOTHING)
    assert "<style" not in html
    assert "style=" not in html
    assert not re.search(r"<script[^>]*>[^<]", html)
    assert not re.search(r"\son[a-z]+=", html)


def test_the_lock_file_has_hashes_and_no_addresses_of_packages() -> None:
    lock = json.loads((PAGES / "package-lock.json").read_text("utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert all(one["integrity"].startswith("sha512-") for one in packages.values())
    assert not any("resolved" in one for one in packages.values())
    declared = json.loads((PAGES / "package.json").read_text("utf-8"))
    versions = {**declared["dependencies"], **declared["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions.values())


def test_the_checks_in_node_pass() -> None:
    npm = shutil.which("npm")
    if npm is None or not (PAGES / "node_modules").is_dir():
        pytest.skip("npm or its packages are not here: `make pages` installs them")
    done = subprocess.run(
        [npm, "--silent", "test"], cwd=PAGES, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ran = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert ran is not None
    assert int(ran[1]) >= 25
