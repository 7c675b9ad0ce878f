"""Arms of the user's own: read from a file, refused in one line, put around a family's words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from misstep.core.arms import Arm, Strategy, resolve
from misstep.core.arms_file import Definition, arm, from_plain, read
from misstep.core.errors import BadInput
from misstep.core.options import OptionValue
from misstep.core.wording import words
from misstep.families.grammar import FAMILY as GRAMMAR
from oracle import FAMILY, SPEC

WHOLE = """
schema = 1

[arms.terse]
about = "as short as can be"
system = "You are terse."
before = "A question:"
after = "One word."
instruction = "Say Yes or No."
thinking = 4096
temperature = 1
max_tokens = 50
votes = 3

[arms.calm]
base = "cot"
thinking = "none"
"""


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "arms.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_file_gives_its_arms_in_their_order(tmp_path: Path) -> None:
    terse, calm = read(written(tmp_path, WHOLE))
    assert (terse.name, terse.thinking, terse.temperature, terse.votes) == ("terse", "4096", 1.0, 3)
    assert calm == Definition("calm", base="cot", thinking="none")


def test_a_definition_survives_the_log(tmp_path: Path) -> None:
    for definition in read(written(tmp_path, WHOLE)):
        assert from_plain(definition.plain(), Path("log")) == definition


def test_an_arm_stands_on_the_familys_words(tmp_path: Path) -> None:
    terse, calm = (arm(one, SPEC.arms) for one in read(written(tmp_path, WHOLE)))
    assert (terse.prompt, terse.strategy, terse.draws) == ("direct", Strategy.VOTE, 3)
    assert (calm.prompt, calm.strategy, calm.thinking) == ("cot", Strategy.SINGLE, "none")
    assert calm.wording is None


@pytest.mark.parametrize("at", range(3))
def test_the_instruction_alone_is_exchanged_and_the_question_kept(at: int) -> None:
    (group,) = (group for group, _ in zip(GRAMMAR.generate(0, options()), range(1), strict=False))
    own = arm(Definition("own", instruction="Yes or no?", after="Go."), GRAMMAR.spec.arms)
    whole = GRAMMAR.prompt(group[at], "direct").split("\n")
    assert words(GRAMMAR, group[at], own).split("\n") == [*whole[:-1], "Yes or no?", "Go."]


def test_an_instruction_in_the_middle_is_found_by_its_neighbours() -> None:
    def prompt(item: object, wording: str) -> str:
        said = "Think first." if wording == "cot" else "At once.\nReally."
        return f"A question.\n{said}\nYour answer:"

    family = replace(FAMILY, prompt=prompt)
    (item, *_) = next(iter(FAMILY.generate(0, {})))
    own = arm(Definition("own", instruction="Sing."), SPEC.arms)
    assert words(family, item, own) == "A question.\nSing.\nYour answer:"


@pytest.mark.parametrize(
    ("direct", "cot", "said"),
    [
        ("Is it? Say so. At once.", "Is it? Say so. Think first.", "Is it? Say so. Sing."),
        ("Is it? At once. (A picture.)", "Is it? Think. (A picture.)", "Is it? Sing. (A picture.)"),
        ("Answer at once. Is it?", "Think first. Is it?", "Sing. Is it?"),
        ("Is it?", "Is it?\nThink first.", "Is it?\nSing."),
        ("Is it?\nOr not?", "Is it?\nThink first.\nOr not?", "Is it?\nSing.\nOr not?"),
        ("Do not write “Yes.” At once.", "Do not write “Yes.” Think.", "Do not write “Yes.” Sing."),
    ],
)
def test_an_instruction_within_a_line_is_found_by_its_sentences(
    direct: str, cot: str, said: str
) -> None:
    family = replace(FAMILY, prompt=lambda item, wording: cot if wording == "cot" else direct)
    (item, *_) = next(iter(FAMILY.generate(0, {})))
    own = arm(Definition("own", instruction="Sing."), SPEC.arms)
    assert words(family, item, own) == said


def test_an_instruction_that_no_sentence_sets_apart_is_not_guessed() -> None:
    family = replace(FAMILY, prompt=lambda item, wording: f"By {wording}, is it even?")
    (item, *_) = next(iter(FAMILY.generate(0, {})))
    own = arm(Definition("own", instruction="Sing."), SPEC.arms)
    with pytest.raises(
        BadInput, match="arm 'own': instruction: in parity the wordings 'direct' and"
    ):
        words(family, item, own)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "schema is None, this version reads 1"),
        ("schema = 2", "schema is 2"),
        ("schema = true\n[arms.a]", "schema is True"),
        ("schema = 1\n[arms.a]\nvotes = " + "9" * 5_000, "is no TOML: Exceeds the limit"),
        (
            "schema = 1\n[arms.a]\ntemplate = '{question:>9}'",
            "arm 'a': template: '{question:>9}' is no template: {question:>9} is no field",
        ),
        ("schema = 1", "arms: holds no arm"),
        ("schema = 1\narms = 3", "arms: holds no arm"),
        ("schema = 1\nprice = 3\n[arms.a]", "unknown field 'price'"),
        ("schema = ", "is no TOML"),
        (b"\xff\xfe", "is no UTF-8"),
        ("schema = 1\narms.a = 1", "arm 'a': is 1"),
        ("schema = 1\n[arms.'a b']", "arm 'a b': name"),
        ("schema = 1\n[arms.'a@b']", "arm 'a@b': name"),
        ("schema = 1\n[arms.a]\ncolour = 1", "arm 'a': unknown field 'colour'"),
        ("schema = 1\n[arms.a]\nsystem = 3", "arm 'a': system: 3 is no text"),
        ("schema = 1\n[arms.a]\nbefore = ' '", "arm 'a': before: ' ' is no text"),
        ("schema = 1\n[arms.a]\nthinking = 'much'", "arm 'a': thinking: 'much' is none of"),
        ("schema = 1\n[arms.a]\nthinking = 0", "arm 'a': thinking: 0 is none of"),
        ("schema = 1\n[arms.a]\nthinking = true", "arm 'a': thinking: True"),
        ("schema = 1\n[arms.a]\ntemperature = nan", "arm 'a': temperature: nan"),
        ("schema = 1\n[arms.a]\ntemperature = 3.0", "arm 'a': temperature: 3.0 is no number"),
        ("schema = 1\n[arms.a]\ntemperature = 'hot'", "arm 'a': temperature: 'hot'"),
        ("schema = 1\n[arms.a]\nmax_tokens = 0", "arm 'a': max_tokens: 0 is no whole number"),
        ("schema = 1\n[arms.a]\nvotes = 1", "arm 'a': votes: 1 is no whole number from 2 to 99"),
        ("schema = 1\n[arms.a]\nvotes = 2.5", "arm 'a': votes: 2.5"),
    ],
)
def test_a_bad_file_is_one_line_with_file_arm_field_and_value(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as refusal:
        read(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"--arms-file: .*none\.toml: No such file"):
        read(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        (Definition("direct"), "arm 'direct': the family has an arm of this name"),
        (Definition("tot"), "arm 'tot': the family has an arm of this name"),
        (Definition("self-consistency"), "'self-consistency': the family has an arm of this name"),
        (Definition("a", base="feedback"), "base: 'feedback' is no single-reply arm of the family"),
        (Definition("a", base="tot", votes=3), "base: 'tot' is no single-reply arm of the family"),
        (Definition("a", base="x", thoughts=3), "known: direct, cot, and tot"),
        (Definition("a", base="x"), "base: 'x' is no single-reply arm of the family"),
    ],
)
def test_what_a_family_does_not_have_is_refused(definition: Definition, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        arm(definition, SPEC.arms)


@pytest.mark.parametrize("name", ["think:none", "think:low", "think:medium", "think:high"])
def test_every_family_has_the_levels_of_thinking_on_its_direct_words(name: str) -> None:
    (found,) = resolve([name], SPEC.arms)
    assert (found.prompt, found.thinking) == ("direct", name.removeprefix("think:"))


def test_thinking_takes_a_number_of_tokens_and_votes() -> None:
    (found,) = resolve(["think:4096+vote3"], SPEC.arms)
    assert (found.name, found.thinking) == ("think:4096+vote3", "4096")
    assert (found.strategy, found.draws) == (Strategy.VOTE, 3)


@pytest.mark.parametrize(
    "name",
    ["think:", "think:0", "think:much", "think:-1", "think:04", "think:9999999", "think:1e3"],
)
def test_thinking_of_no_known_amount_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match=f"--arms: unknown arm '{name}'.*think:none, think:low"):
        resolve([name], SPEC.arms)


def test_an_arm_of_ones_own_can_be_voted_over() -> None:
    own = arm(Definition("mine", after="Now."), SPEC.arms)
    (found,) = resolve(["mine+vote5"], (*SPEC.arms, own))
    assert isinstance(found, Arm)
    assert (found.draws, found.wording) == (5, own.wording)


def options() -> dict[str, OptionValue]:
    return {option.name: option.default for option in GRAMMAR.spec.options}
