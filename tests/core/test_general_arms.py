"""Arms that every family understands: their names, and the words of thoughts, votes, templates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from misstep.core.arms import Strategy, general, resolve
from misstep.core.arms_file import Definition, arm, read
from misstep.core.errors import BadInput
from misstep.core.family import Family, select
from misstep.core.items import Item
from misstep.core.options import read_options
from misstep.core.pictures import PLACE
from misstep.core.thoughts import ballot, ballot_words
from misstep.core.wording import question, words
from misstep.families.grammar import FAMILY as GRAMMAR
from misstep.families.grammar.spec import GrammarPayload
from oracle import FAMILY, SPEC, Payload

BARE = tuple(one for one in SPEC.arms if one.name != "tot")
"""A family without a tree of its own."""


@pytest.fixture(scope="module")
def string() -> Item[GrammarPayload]:
    options = read_options(GRAMMAR.spec.options, {}, "grammar")
    return next(iter(select(GRAMMAR, "quick", None, 0, options)))


@pytest.mark.parametrize(
    ("name", "strategy", "draws"),
    [
        ("tot", Strategy.TREE, 5),
        ("tot:2", Strategy.TREE, 2),
        ("tot:20", Strategy.TREE, 20),
        ("self-consistency", Strategy.VOTE, 5),
        ("self-consistency:9", Strategy.VOTE, 9),
        ("self-consistency:99", Strategy.VOTE, 99),
    ],
)
def test_both_draw_with_the_words_of_cot(name: str, strategy: Strategy, draws: int) -> None:
    (found,) = resolve([name], BARE)
    assert (found.name, found.strategy, found.draws, found.prompt) == (name, strategy, draws, "cot")
    assert str(draws) in found.about


@pytest.mark.parametrize(
    "name",
    ["tot:1", "tot:21", "tot:03", "tot:", "tot:x", "self-consistency:1", "self-consistency:100",
     "self-consistency:", "tot:3+vote3", "self-consistency+vote3"],
)  # fmt: skip
def test_a_number_that_does_not_do_is_refused_with_those_that_do(name: str) -> None:
    with pytest.raises(BadInput, match=r"tot:N \(2 to 20\), self-consistency:N \(2 to 99\)"):
        resolve([name], BARE)


def test_without_words_for_reasoning_there_is_nothing_to_draw() -> None:
    with pytest.raises(BadInput, match="unknown arm 'tot'; known: direct,"):
        resolve(["tot"], BARE[:1])


def test_a_familys_own_tree_keeps_its_words_with_another_number(
    string: Item[GrammarPayload],
) -> None:
    own, more = resolve(["tot", "tot:3"], GRAMMAR.spec.arms)
    assert own is GRAMMAR.spec.arms[2]
    assert (more.prompt, more.draws, more.about) == (
        "tot",
        3,
        "as tot, with 3 thoughts and 3 votes",
    )
    assert words(GRAMMAR, string, own) == words(GRAMMAR, string, more) == thought_of(string)
    said = ballot(GRAMMAR, string, more, ["a", "b", "c"])
    assert "explains best whether the string also follows" in said
    assert said.endswith("Please ONLY answer with its number: 1, 2 or 3.")


def thought_of(string: Item[GrammarPayload]) -> str:
    assert GRAMMAR.thought is not None
    return GRAMMAR.thought(string)


def test_general_names_are_those_that_a_family_lacks() -> None:
    thinking = ["think:none", "think:low", "think:medium", "think:high"]
    assert [one.name for one in general(BARE)] == [*thinking, "tot", "self-consistency"]
    assert [one.name for one in general(SPEC.arms)] == [*thinking, "self-consistency"]


def shown(item: Item[Payload], wording: str) -> str:
    """A question with two pictures and its instruction in the middle."""
    said = "Think first.\nThen say it." if wording == "cot" else "At once."
    return f"{PLACE}\nIs {item.payload.number} there?\n{said}\nOr here: {PLACE}"


def pictured() -> tuple[Family[Payload], Item[Payload]]:
    spec = replace(SPEC, arms=BARE)
    family = replace(FAMILY, spec=spec, prompt=shown, thought=None, ballot=None)
    return family, next(iter(select(FAMILY, "paper", None, 0, {})))


def test_a_ballot_shows_the_question_once_with_its_pictures_and_no_instruction() -> None:
    family, item = pictured()
    (tree,) = resolve(["tot:2"], BARE)
    assert words(family, item, tree) == shown(item, "cot")
    assert question(family, item, tree) == f"{PLACE}\nIs 0 there?\nOr here: {PLACE}"
    said = ballot(family, item, tree, [f"I see {PLACE}.", "<think>No: 3\n</think>\nYes."])
    assert said == (
        f"{PLACE}\nIs 0 there?\nOr here: {PLACE}\n\nThought 1:\nI see .\n\nThought 2:\nYes.\n\n"
        "Which of these thoughts answers the question best?\n"
        "Please ONLY answer with its number: 1 or 2."
    )


@pytest.mark.parametrize(
    ("wording", "asked"),
    [
        ("Is it even? Yes or No. ({})", "Is it even? Yes or No."),
        ("By {}, is it even?", "By cot, is it even?"),
    ],
)
def test_a_ballot_leaves_out_an_instruction_that_a_sentence_sets_apart(
    wording: str, asked: str
) -> None:
    family = replace(FAMILY, prompt=lambda _, arm: wording.format(arm), thought=None, ballot=None)
    (tree,) = resolve(["tot:2"], SPEC.arms)
    said = ballot(family, pictured()[1], tree, ["a", "b"])
    assert said.startswith(f"{asked}\n\nThought 1:\na\n\n")


def test_a_thought_without_tags_stands_as_it_came() -> None:
    assert "Thought 1:\n a \n\n\nThought 2:\n" in ballot_words("Q", [" a \n", "b"])


def own_arm(family: Family[Payload], **stated: object) -> str:
    definition = Definition("own", **stated)  # type: ignore[arg-type]  # fields by name
    item = next(iter(select(FAMILY, "paper", None, 0, {})))
    return words(family, item, arm(definition, family.spec.arms))


def test_a_template_places_the_question_and_the_instruction() -> None:
    family, _ = pictured()
    assert own_arm(family, base="cot", template="{{So}}: {question}\n--\n{instruction}") == (
        f"{{So}}: {PLACE}\nIs 0 there?\nOr here: {PLACE}\n--\nThink first.\nThen say it."
    )
    assert (
        own_arm(family, template="{prompt}!")
        == f"{PLACE}\nIs 0 there?\nAt once.\nOr here: {PLACE}!"
    )


def test_a_template_may_name_a_familys_own_parts(string: Item[GrammarPayload]) -> None:
    own = arm(Definition("own", template="{string} of {strings}?"), GRAMMAR.spec.arms)
    payload = string.payload
    assert words(GRAMMAR, string, own) == f"{payload.test} of " + "\n".join(payload.training) + "?"


def test_what_a_part_says_is_never_read_as_a_field() -> None:
    family = replace(pictured()[0], prompt=lambda item, wording: f"{{a}} {wording}", parts=None)
    assert own_arm(family, template="{prompt} {prompt}") == "{a} direct {a} direct"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        (
            "{word}",
            r"no field \{word\} in parity; known: \{question\}, \{instruction\}, \{prompt\}",
        ),
        ("{instruction}", r"names no \{question\}, so that all items would be asked alike"),
        ("{question}{question}", "shows 4 of 2 pictures"),
    ],
)
def test_a_template_that_does_not_fit_the_family_is_refused(template: str, said: str) -> None:
    with pytest.raises(BadInput, match=f"--arms-file: arm 'own': template: {said}"):
        own_arm(pictured()[0], template=template)


def test_a_question_that_no_sentence_sets_apart_has_its_prompt_only() -> None:
    family = replace(FAMILY, prompt=lambda _, arm: f"By {arm}, is it even?")
    with pytest.raises(BadInput, match="template: in parity the wordings 'direct' and 'cot' have"):
        own_arm(family, template="{question}")
    assert own_arm(family, template="Well: {prompt}") == "Well: By direct, is it even?"


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("template = 3", "template: 3 is no text"),
        ("template = 'Go.'", "template: 'Go.' names no field, such as {question}"),
        ("template = '{'", "template: '{' is no template"),
        ("template = '{}'", "template: '{}' is no template: {} is no field; write {{ and }}"),
        ("template = '{a.b}'", "template: '{a.b}' is no template"),
        ("template = '{a:b}'", "template: '{a:b}' is no template"),
        ("template = '{a!r}'", "template: '{a!r}' is no template"),
        ("template = '{prompt}'\nafter = 'x'", "after: a template already holds all that is said"),
        ("thoughts = 1", "thoughts: 1 is no whole number from 2 to 20"),
        ("thoughts = 3\nvotes = 3", "votes: thoughts are voted for"),
    ],
)
def test_a_bad_template_is_one_line_with_its_field(tmp_path: Path, field: str, said: str) -> None:
    path = tmp_path / "arms.toml"
    path.write_text(f"schema = 1\n[arms.a]\n{field}\n")
    with pytest.raises(BadInput) as refusal:
        read(path)
    assert str(refusal.value).startswith(f"{path}: arm 'a': ")
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_tree_of_ones_own_stands_on_the_familys_or_on_single_replies() -> None:
    known = GRAMMAR.spec.arms
    tree = arm(Definition("t", thoughts=3, thinking="low"), known)
    assert (tree.prompt, tree.strategy, tree.draws, tree.thinking) == (
        "tot",
        Strategy.TREE,
        3,
        "low",
    )
    assert arm(Definition("t", base="tot"), known).draws == 5
    bush = arm(Definition("t", base="cot", thoughts=2), known)
    assert (bush.prompt, bush.strategy, bush.draws) == ("cot", Strategy.TREE, 2)
    assert arm(Definition("t", thoughts=2), BARE).prompt == "cot"


def test_a_tree_of_ones_own_words_asks_for_its_thoughts_in_them(
    string: Item[GrammarPayload],
) -> None:
    known = GRAMMAR.spec.arms
    tree = arm(Definition("t", base="tot", after="In a line."), known)
    assert words(GRAMMAR, string, tree) == f"{thought_of(string)}\nIn a line."
    bush = arm(Definition("t", base="cot", thoughts=2), known)
    assert words(GRAMMAR, string, bush) == GRAMMAR.prompt(string, "cot")
