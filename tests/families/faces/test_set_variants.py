"""Answers to two sets are never pooled; one set is the same wherever it stands."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

import colour_sets
import face_sets
from misstep.cli import cli
from misstep.core.errors import BadInput
from misstep.core.options import read_options
from misstep.families.faces import FAMILY, pool, sets
from misstep.families.faces.attributes import allowed, read_rules
from misstep.families.faces.generate import SHIPPED, pictures
from misstep.families.faces.review import decisions
from misstep.families.faces.review.decisions import Decision, Line
from misstep.families.faces.sets import Problem, Shot


def variant(**given: object) -> str:
    options = read_options(FAMILY.spec.options, {n: str(v) for n, v in given.items()}, "faces")
    return FAMILY.variant(options)


def ids(folder: Path) -> list[str]:
    return [group[0].id for group in FAMILY.generate(0, {"set": str(folder)})]


def indexed(folder: Path, problems: list[Problem]) -> None:
    (folder / sets.INDEX).unlink(missing_ok=True)
    for one in problems:
        sets.add(folder, one)


def test_what_is_ready_and_what_is_drawn_here_has_no_name(tmp_path: Path) -> None:
    shutil.copytree(SHIPPED, tmp_path / "copy")
    assert variant() == ""
    assert variant(set=tmp_path / "not there yet") == ""
    assert variant(set=tmp_path / "copy", cores=3) == ""
    assert variant(set=tmp_path / "new", size=1024, protocol="paper") == (
        "protocol=paper, size=1024"
    )


def test_a_set_of_our_own_keeps_its_name_while_it_grows(tmp_path: Path) -> None:
    work = pool.Work(0, allowed(read_rules()), "", 512, tmp_path)
    for number in range(2):
        sets.add(tmp_path, face_sets.draw_quickly(work, number, 0))
        assert variant(set=tmp_path) == ""


def test_one_set_in_two_folders_is_one_variant_named_by_its_source(tmp_path: Path) -> None:
    colour_sets.made(tmp_path / "one", 3)
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    named = variant(set=tmp_path / "one")
    assert named == variant(set=tmp_path / "other")
    assert named.startswith("set=photographs-")
    assert str(tmp_path) not in named


def test_the_order_of_its_lines_and_a_torn_one_make_no_other_set(tmp_path: Path) -> None:
    problems = colour_sets.made(tmp_path, 5)
    named, asked = variant(set=tmp_path), ids(tmp_path)
    indexed(tmp_path, list(reversed(problems)))
    with (tmp_path / sets.INDEX).open("a") as file:
        file.write('{"schema": 1, "id": "torn')
    assert (variant(set=tmp_path), ids(tmp_path)) == (named, asked)


def test_another_picture_answer_id_source_or_number_of_problems_is_another_set(
    tmp_path: Path,
) -> None:
    one, *more = colour_sets.made(tmp_path, 3)
    other_shot = Shot(one.reference.file, "0" * 64)
    found = {variant(set=tmp_path)}
    for changed in (
        [replace(one, reference=other_shot), *more],
        [replace(one, truth="5"), *more],
        [replace(one, id="another"), *more],
        [replace(each, source="elsewhere") for each in (one, *more)],
        more,
    ):
        indexed(tmp_path, changed)
        found.add(variant(set=tmp_path))
    assert len(found) == 6


def test_what_is_rejected_by_eye_leaves_the_variant_as_it_is(tmp_path: Path) -> None:
    one, *_ = colour_sets.made(tmp_path, 3)
    named = variant(set=tmp_path)
    decisions.append(tmp_path, Line(one.id, Decision.REJECT))
    assert one.id not in ids(tmp_path)
    assert variant(set=tmp_path) == named


def test_a_set_of_which_all_is_rejected_is_refused(tmp_path: Path) -> None:
    for one in colour_sets.made(tmp_path, 2):
        decisions.append(tmp_path, Line(one.id, Decision.REJECT))
    with pytest.raises(BadInput, match="every problem was rejected by eye"):
        FAMILY.generate(0, {"set": str(tmp_path)})


def test_a_list_of_left_out_combinations_counts_by_what_it_leaves(tmp_path: Path) -> None:
    rules = '[[left_out]]\nhair_colour = ["red"]\nwhy = "rare"\n'
    for name in "ab":
        (tmp_path / f"{name}.toml").write_text(rules)
    (tmp_path / "c.toml").write_text(rules.replace("red", "gray"))
    first, second, other = (variant(left_out=tmp_path / f"{name}.toml") for name in "abc")
    assert first == second != other
    assert first.startswith("left_out=")
    assert str(tmp_path) not in first


def test_any_item_of_a_set_is_shown_by_its_id_whatever_that_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    problems = colour_sets.made(tmp_path / "set", 30)
    for one in (problems[0], problems[-1]):
        words = ["show", "faces", "-T", "set=set", "--item", one.id]
        result = CliRunner().invoke(cli, words, catch_exceptions=False)
        assert f"{one.id}, arm direct; right: {one.truth}" in result.output
    unknown = CliRunner().invoke(cli, ["show", "faces", "--item", "photographs-0-0001-0"])
    assert "has no item 'photographs-0-0001-0'" in str(unknown.exception)


def kept(folder: Path, content: bytes, name: str = "odd.jpg") -> Path:
    """A set of one problem whose reference is that file."""
    (one,) = colour_sets.made(folder, 1)
    sets.keep(folder, name, content)
    indexed(folder, [replace(one, reference=Shot(name, sets.sha256(content)))])
    return folder


def shown(folder: Path) -> Image.Image:
    item = next(FAMILY.generate(0, {"set": str(folder)}))[0]
    return Image.open(io.BytesIO(pictures(item)[0].content()))


@pytest.mark.parametrize(
    ("kind", "mode", "size"),
    [("PNG", "RGB", (64, 64)), ("JPEG", "CMYK", (64, 64)), ("JPEG", "RGB", (3_000, 1_500))],
)
def test_an_odd_picture_of_a_set_is_sent_as_its_name_says(
    kind: str, mode: str, size: tuple[int, int], tmp_path: Path
) -> None:
    out = io.BytesIO()
    Image.new("RGB", size, (200, 30, 40)).convert(mode).save(out, kind)
    found = shown(kept(tmp_path, out.getvalue()))
    assert (found.format, found.mode) == ("JPEG", "RGB")
    assert max(found.size) == min(1_024, max(size))


@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff\xe0 cut"])
def test_a_picture_of_a_set_that_cannot_be_read_is_named(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"odd\.jpg: is (a broken|no) picture"):
        shown(kept(tmp_path, content))
