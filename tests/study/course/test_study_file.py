"""The study file: what it may hold, and one clear line for what it may not."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.study.course.file import default_study, read_study
from misstep.study.course.nouns import Design, Ending

ROOT = Path(__file__).parents[3]
SMALL = 'schema = 1\ntitle = "T"\n[[block]]\nfamily = "grammar"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_example_is_read_and_shows_every_field(tmp_path: Path) -> None:
    study = read_study(ROOT / "docs" / "examples" / "study" / "study.toml")
    assert study.blocks[0].arms == ("direct", "deliberate")
    assert study.blocks[0].timing.deadline == 8000
    assert study.links.codes[Ending.COMPLETE] == "C1ABCDEF"
    assert study.texts.consent.startswith("# ")
    assert study.exclusions.fast_ms == 300


def test_every_example_of_the_page_is_read(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "study-file.md").read_text(encoding="utf-8")
    examples = re.findall(r"```toml\n(schema = 1.*?)```", page, flags=re.DOTALL)
    assert examples
    for example in examples:
        assert read_study(written(tmp_path, example)).blocks


def test_two_lines_are_enough_and_equal_the_default_study(tmp_path: Path) -> None:
    usual = default_study("grammar")
    study = read_study(written(tmp_path, SMALL))
    assert study.blocks == usual.blocks
    assert study.texts == usual.texts


def test_the_digest_names_all_that_a_person_meets(tmp_path: Path) -> None:
    (tmp_path / "hello.md").write_text("# Hello", encoding="utf-8")
    one = read_study(written(tmp_path, SMALL))
    again = read_study(written(tmp_path, SMALL + "# a comment\n"))
    other = read_study(written(tmp_path, SMALL + '[texts]\nwelcome = "hello.md"\n'))
    assert one.digest == again.digest != other.digest
    assert one.consent_digest == other.consent_digest


def test_a_larger_quota_or_another_code_makes_no_other_study(tmp_path: Path) -> None:
    one = read_study(written(tmp_path, SMALL))
    more = SMALL.replace("[[block]]", "people = 99\nminutes = 5\n[[block]]")
    other = read_study(written(tmp_path, more + '[links.codes]\ncomplete = "C9"\n'))
    assert other.people == 99
    assert other.digest == one.digest
    assert read_study(written(tmp_path, SMALL + "items = 40\n")).digest != one.digest


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert read_study(written(tmp_path, "\ufeff" + SMALL)).title == "T"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("items = 7\n", r"block\.1\.items: 7 can't be shared evenly among 2 arms"),
        (
            'arms = ["slow"]\n',
            r"block\.1\.arms: grammar has no arm 'slow' for people; known: direct",
        ),
        ('arms = ["direct", "direct"]\n', r"block\.1\.arms: an arm is named twice"),
        ("arms = []\n", r"block\.1\.arms: "),
        ('design = "both"\n', r"block\.1\.design: 'both' is not one of within, between"),
        ('draw = "fair"\n', r"block\.1\.draw: 'fair' is not one of balanced, random"),
        ('scale = "huge"\n', r"block\.1\.scale: 'huge' is not one of quick, paper"),
        ('solver = "oracle9"\n', r"block\.1\.solver: 'oracle9' is not one of "),
        ('items = "ten"\n', r"block\.1\.items: 'ten': input should be a valid integer"),
        ("items = 0\n", r"block\.1\.items: '0': input should be greater than or equal to 1"),
        ("colour = 1\n", r"block\.1\.colour: is no field of a study file"),
        ("[block.timing]\neach = 1\n", r"block\.1\.timing\.each: '1': input should be"),
        ("[block.timing]\nlunch = 1\n", r"block\.1\.timing\.lunch: is no field"),
        (
            "[block.options]\nlunch = 1\n",
            r"block\.1\.options: -T lunch: grammar has no such",
        ),
        ('[texts]\nconsent = "../x.md"\n', r"texts\.consent: '\.\./x\.md' lies outside"),
        ('[texts]\nconsent = "gone.md"\n', r"texts\.consent: 'gone\.md': No such file"),
        ('[texts]\nlanguage = "<b>"\n', r"texts\.language: '<b>': string should match"),
        ('[links]\nback = "javascript:alert(1)"\n', r"links\.back: 'javascript:alert\(1\)'"),
        ("[bonus]\neach = -1\n", r"bonus\.each: '-1': input should be"),
        ("[exclusions]\nmost_fast = 2\n", r"exclusions\.most_fast: '2'"),
        ("people = 3\n", r"block\.1\.people: is no field"),
    ],
)
def test_a_fault_is_one_line_naming_file_field_and_value(
    tmp_path: Path, more: str, said: str
) -> None:
    path = written(tmp_path, SMALL + more)
    with pytest.raises(BadInput, match=said) as caught:
        read_study(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "schema: is missing; this version reads schema = 1"),
        ("schema = true\n", "schema is True"),
        ("schema = 1\n", "title: is missing"),
        ('schema = 1\ntitle = "T"\n', "block: is missing"),
        ('schema = 1\ntitle = "T"\n[[block]]\nfamily = "chess"\n', "unknown family 'chess'"),
        ("schema = [", "is no TOML"),
    ],
)
def test_a_file_that_is_no_study_is_refused_in_a_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_study(written(tmp_path, text))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"STUDY: .*gone\.toml: No such file"):
        read_study(tmp_path / "gone.toml")


def test_html_in_a_researchers_text_is_shown_as_text() -> None:
    from misstep.study.course.texts import rendered

    shown = rendered("<script>x</script> [a](javascript:alert(1)) ![p](http://x/y.png) **b**").text
    assert "<script" not in shown
    assert 'href="javascript' not in shown
    assert "<img" not in shown
    assert "<strong>b</strong>" in shown


def test_designs_are_read(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, SMALL + 'design = "between"\nitems = 7\n'))
    assert study.blocks[0].design is Design.BETWEEN


def test_a_text_that_is_no_plain_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "loop.md").symlink_to("loop.md")
    os.mkfifo(tmp_path / "pipe.md")
    for name, said in (
        ("loop.md", "can be no file's name"),
        ("pipe.md", "is no file"),
        ("a\\u0000b", "can be no file's name"),
    ):
        with pytest.raises(BadInput, match=f"study.toml: texts.consent: .* {said}"):
            read_study(written(tmp_path, f'{SMALL}[texts]\nconsent = "{name}"\n'))


@pytest.mark.parametrize("title", ["  ", "two\\nlines", "a\\u0000b"])
def test_a_title_is_one_line_of_text(tmp_path: Path, title: str) -> None:
    with pytest.raises(BadInput, match=r"study\.toml: title: .* is blank, or more than one line"):
        read_study(written(tmp_path, SMALL.replace('"T"', f'"{title}"')))


def test_a_family_twice_with_the_same_items_in_one_arm_is_refused(tmp_path: Path) -> None:
    again = '[[block]]\nfamily = "grammar"\n'
    with pytest.raises(BadInput, match=r"block\.2\.arms: 'direct' of grammar is in block\.1 too"):
        read_study(written(tmp_path, SMALL + again))
    others = SMALL + again + '[block.options]\nalphabet = "PSTVX"\n'
    assert len(read_study(written(tmp_path, others)).blocks) == 2


def test_an_option_of_no_plain_kind_says_what_it_may_be(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"options\.alphabet: \[1\]: input should be text, a number"):
        read_study(written(tmp_path, f"{SMALL}[block.options]\nalphabet = [1]\n"))
