"""Groups: every printed invariant of A.1 on 4,400 questions, and each option's promise."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from statistics import mean

import pytest

from misstep.core.errors import BadInput
from misstep.core.items import Group, Item, to_dict
from misstep.families.grammar.generate import generate
from misstep.families.grammar.spec import SPEC, GrammarPayload
from misstep.families.grammar.structures import FIXED, REBER, Edge

Question = Item[GrammarPayload]
HERE = Path(__file__).parent
VARIANTS: dict[str, dict[str, str | int | bool]] = {
    "default": {},
    "paired": {"negatives": "paired"},
    "paper": {"protocol": "paper"},
    "deterministic": {"deterministic": True},
    "five letters": {"alphabet": "PSTVX"},
    "five letters, deterministic": {"alphabet": "PSTVX", "deterministic": True},
    "reber": {"structure": "reber"},
    "memorize": {"wording": "memorize"},
}


def digest(groups: Iterable[Group[GrammarPayload]]) -> str:
    text = json.dumps([to_dict(item) for group in groups for item in group], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def made(name: str, seed: int = 0, groups: int = 10) -> list[Group[GrammarPayload]]:
    return list(islice(generate(seed, VARIANTS[name]), groups))


def spelled(edges: tuple[Edge, ...], string: str) -> bool:
    """Membership by backtracking over single paths: slow, and unlike the generator's."""

    def leads(node: str, rest: str) -> bool:
        if not rest:
            return node == "t"
        return any(a == node and on == rest[0] and leads(b, rest[1:]) for a, b, on in edges)

    return leads("s", string)


def of_truth(group: Group[GrammarPayload], truth: str) -> list[Question]:
    return [item for item in group if item.truth == truth]


def test_the_paper_scale_is_4400_questions_on_100_grammars(
    paper_scale: list[Group[GrammarPayload]],
) -> None:
    assert SPEC.scales["paper"].groups == len(paper_scale) == 100
    assert sum(len(group) for group in paper_scale) == 4_400
    for group in paper_scale:
        assert len(of_truth(group, "Yes")) == len(of_truth(group, "No")) == 22


def test_the_37_strings_of_a_grammar_are_unique_grammatical_and_up_to_eight_long(
    paper_scale: list[Group[GrammarPayload]],
) -> None:
    for group in paper_scale:
        payload = group[0].payload
        words = [*payload.training, *(item.payload.test for item in of_truth(group, "Yes"))]
        assert len(payload.training) == 15
        assert len(set(words)) == len(words) == 37
        assert all(3 <= len(word) <= 8 and spelled(payload.edges, word) for word in words)


def test_a_negative_is_a_grammatical_string_with_one_letter_of_the_grammar_changed(
    paper_scale: list[Group[GrammarPayload]],
) -> None:
    for group in paper_scale:
        negatives = of_truth(group, "No")
        assert len({item.payload.test for item in negatives}) == 22
        for item in negatives:
            payload, original = item.payload, item.payload.original
            assert original is not None
            differing = [
                at
                for at, pair in enumerate(zip(original, payload.test, strict=True))
                if len(set(pair)) == 2
            ]
            assert differing == [payload.changed_position]
            assert payload.test[differing[0]] in {letter for _, _, letter in payload.edges}
            assert spelled(payload.edges, original)
            assert not spelled(payload.edges, payload.test)


def test_every_grammar_has_the_nodes_and_fixed_edges_of_the_paper(
    paper_scale: list[Group[GrammarPayload]],
) -> None:
    for group in paper_scale:
        pairs = [(start, end) for start, end, _ in group[0].payload.edges]
        assert set(FIXED) <= set(pairs)
        assert len(set(pairs)) == len(pairs)
        assert {node for pair in pairs for node in pair} <= {"s", "x1", "x2", "x3", "x4", "t"}
        assert not any(end == "s" or start == "t" for start, end in pairs)


def test_no_structure_comes_twice(paper_scale: list[Group[GrammarPayload]]) -> None:
    odd, even = {"x1": "x3", "x3": "x1"}, {"x2": "x4", "x4": "x2"}
    relabelings: list[dict[str, str]] = [{}, odd, even, odd | even]
    seen: set[frozenset[tuple[str, str]]] = set()
    for group in paper_scale:
        pairs = [(start, end) for start, end, _ in group[0].payload.edges]
        images = {frozenset((to.get(a, a), to.get(b, b)) for a, b in pairs) for to in relabelings}
        assert not images & seen
        seen |= images


def test_letters_are_drawn_from_the_whole_alphabet_for_each_edge() -> None:
    groups = list(islice(generate(5, {}), 400))
    letters = [letter for group in groups for _, _, letter in group[0].payload.edges]
    shares = {letter: letters.count(letter) / len(letters) for letter in set(letters)}
    assert len(shares) == 26
    assert all(0.025 < share < 0.053 for share in shares.values())


def test_about_four_grammars_in_ten_are_nondeterministic() -> None:
    groups = list(islice(generate(6, {}), 400))
    kinds = [group[0].factors["deterministic"] for group in groups]
    assert 0.32 < kinds.count(False) / len(kinds) < 0.48


def test_length_and_place_carry_almost_nothing(paper_scale: list[Group[GrammarPayload]]) -> None:
    items = [(place, item) for group in paper_scale for place, item in enumerate(group)]
    for value in ("length", "place"):
        means = [
            mean(
                place if value == "place" else len(item.payload.test)
                for place, item in items
                if item.truth == truth
            )
            for truth in ("Yes", "No")
        ]
        assert abs(means[0] - means[1]) < (1.3 if value == "place" else 0.15), value


def test_a_changed_position_may_be_any_of_the_string() -> None:
    groups = islice(generate(7, {}), 50)
    places = [item.factors["changed_position"] for group in groups for item in group]
    assert {place for place in places if place is not None} == set(range(1, 9))


def test_factors_say_what_the_payload_shows(paper_scale: list[Group[GrammarPayload]]) -> None:
    for item in paper_scale[3]:
        payload, factors = item.payload, item.factors
        training = [f"^{word}$" for word in payload.training]
        test = f"^{payload.test}$"
        novel = sum(
            not any(test[at : at + 2] in word for word in training) for at in range(len(test) - 1)
        )
        assert factors["novel_bigrams"] == novel
        assert factors["grammatical"] == item.truth.lower()
        assert factors["length"] == len(payload.test)
        assert factors["edges"] == len(payload.edges)


def test_ids_name_seed_grammar_and_place_only(paper_scale: list[Group[GrammarPayload]]) -> None:
    assert paper_scale[17][5].id == "grammar-0-017-05"
    assert paper_scale[17][5].group == "grammar-0-017"
    orders = {tuple(item.truth for item in group) for group in paper_scale}
    assert len(orders) == 100


def test_paired_negatives_repeat_the_lengths_of_the_positives() -> None:
    for group in made("paired"):
        positives = {item.payload.test for item in of_truth(group, "Yes")}
        assert {item.payload.original for item in of_truth(group, "No")} == positives


def test_the_deterministic_option_gives_no_node_a_letter_twice() -> None:
    for name in ("deterministic", "five letters, deterministic"):
        for group in made(name, groups=40):
            edges = group[0].payload.edges
            assert len({(start, letter) for start, _, letter in edges}) == len(edges)


def test_a_small_alphabet_labels_all_edges_and_still_yields_true_negatives() -> None:
    for group in made("five letters", groups=40):
        edges = group[0].payload.edges
        assert {letter for _, _, letter in edges} <= set("PSTVX")
        assert not any(spelled(edges, item.payload.test) for item in of_truth(group, "No"))


def test_reber_groups_are_fresh_samples_of_one_grammar() -> None:
    groups = made("reber")
    assert {group[0].payload.edges for group in groups} == {REBER}
    assert len({group[0].payload.training for group in groups}) == 10


def test_the_paper_protocol_favours_strings_that_several_paths_spell() -> None:
    def several(name: str) -> float:
        counts = [
            sum(1 for _ in ways(item.payload.edges, "s", item.payload.test)) > 1
            for group in made(name, groups=150)
            for item in of_truth(group, "Yes")
        ]
        return mean(counts)

    def ways(edges: tuple[Edge, ...], node: str, rest: str) -> Iterable[None]:
        if not rest and node == "t":
            yield None
        for start, end, letter in edges:
            if rest and start == node and letter == rest[0]:
                yield from ways(edges, end, rest[1:])

    assert several("paper") > several("default") > 0


def test_the_wording_changes_neither_strings_nor_order() -> None:
    def strings(name: str) -> list[tuple[tuple[str, ...], str]]:
        items = (item for group in made(name) for item in group)
        return [(item.payload.training, item.payload.test) for item in items]

    assert strings("memorize") == strings("default")


def test_the_subset_is_the_first_ten_grammars(paper_scale: list[Group[GrammarPayload]]) -> None:
    assert list(generate(0, {"subset": True})) == paper_scale[:10]


def test_variants_never_share_an_id() -> None:
    ids = [item.id for name in VARIANTS for group in made(name) for item in group]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", VARIANTS)
def test_two_seeds_share_no_question(name: str) -> None:
    first, second = (
        {
            (item.payload.training, item.payload.test)
            for group in made(name, seed, 50)
            for item in group
        }
        for seed in (1, 2)
    )
    assert first
    assert not first & second


def test_changed_items_bump_the_version() -> None:
    stored = json.loads((HERE / "digests.json").read_text(encoding="utf-8"))
    found = {name: digest(made(name)) for name in VARIANTS}
    assert found == stored.get(str(SPEC.version)), "changed items bump the version"


def test_a_fresh_process_with_another_hash_seed_makes_the_same_bytes() -> None:
    program = (
        "import json; from itertools import islice; from misstep.core.items import to_dict\n"
        "from misstep.families.grammar.generate import generate\n"
        "groups = islice(generate(0, {}), 10)\n"
        "print(json.dumps([to_dict(item) for group in groups for item in group], sort_keys=True))"
    )
    for hash_seed in ("1", "77"):
        out = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        assert hashlib.sha256(out.encode()).hexdigest() == digest(made("default"))


def test_4400_questions_take_well_under_five_seconds() -> None:
    start = time.process_time()
    assert sum(len(group) for group in islice(generate(9, {}), 100)) == 4_400
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alphabet": "abcde"}, "-T alphabet: 'abcde' must be capital letters A to Z, each once"),
        ({"alphabet": "AABCDE"}, "-T alphabet: 'AABCDE' must be capital letters"),
        ({"alphabet": "PSTV"}, "-T alphabet: 'PSTV' has fewer than 5 letters"),
        ({"negatives": "training"}, "-T negatives: 'training' is not one of language, paired"),
        ({"structure": "reber", "alphabet": "ABCDE"}, "ABCDE contradicts structure=reber (PSTVX)"),
        ({"protocol": "paper", "negatives": "paired"}, "paired contradicts protocol=paper"),
        ({"protocol": "paper", "structure": "reber"}, "-T structure: reber contradicts"),
    ],
)
def test_a_bad_option_is_one_line_and_said_at_once(options: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput) as raised:
        generate(0, options)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_order_of_the_alphabet_makes_no_variant() -> None:
    one, other = (next(generate(0, {"alphabet": letters})) for letters in ("PSTVX", "XVTSP"))
    assert one == other
