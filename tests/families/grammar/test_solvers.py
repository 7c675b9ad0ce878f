"""Reference solvers: each measure on strings small enough to do by hand, then the known figures."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import exp, isclose, log
from statistics import mean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misstep.core.family import Solution
from misstep.core.items import Group
from misstep.core.seeds import stream
from misstep.families.grammar.solvers import REFERENCES, automaton, chunking, exemplars, letters
from misstep.families.grammar.spec import GrammarPayload

Groups = list[Group[GrammarPayload]]


@pytest.fixture(scope="module")
def solved(paper_scale: Groups) -> dict[str, list[list[Solution]]]:
    return {
        name: [[reference.solve(item) for item in group] for group in paper_scale]
        for name, reference in REFERENCES.items()
    }


def split_accuracy(groups: Groups, solutions: list[list[Solution]]) -> float:
    """Above the group's median is Yes, below it No, and a tie is half right; without evidence
    the answers count as they are."""
    rights: list[float] = []
    for group, own in zip(groups, solutions, strict=True):
        scores = [solution.score for solution in own if solution.score is not None]
        for item, solution in zip(group, own, strict=True):
            if solution.score is None:
                rights.append(float(solution.answer == item.truth))
            elif solution.score == median(scores):
                rights.append(0.5)
            else:
                rights.append(float((solution.score > median(scores)) == (item.truth == "Yes")))
    return mean(rights)


@pytest.mark.parametrize("name", REFERENCES)
def test_a_solver_reaches_its_known_accuracy_over_100_grammars(
    name: str, paper_scale: Groups, solved: dict[str, list[list[Solution]]]
) -> None:
    accuracy = split_accuracy(paper_scale, solved[name])
    assert abs(accuracy - REFERENCES[name].accuracy) <= 0.02, accuracy


@pytest.mark.parametrize("name", REFERENCES)
def test_the_answers_themselves_come_close_without_the_other_questions(
    name: str, paper_scale: Groups, solved: dict[str, list[list[Solution]]]
) -> None:
    right = [
        solution.answer == item.truth
        for group, own in zip(paper_scale, solved[name], strict=True)
        for item, solution in zip(group, own, strict=True)
    ]
    assert abs(mean(right) - REFERENCES[name].accuracy) <= 0.03, mean(right)


def test_only_the_rule_has_no_evidence(solved: dict[str, list[list[Solution]]]) -> None:
    without = [name for name, groups in solved.items() if groups[0][0].score is None]
    assert without == ["bigram-rule"]


def test_an_answer_does_not_depend_on_the_grammar_or_the_truth(paper_scale: Groups) -> None:
    for item in paper_scale[1][:5]:
        payload = replace(item.payload, edges=(), original=None, changed_position=None)
        blind = replace(item, payload=payload, truth="No", factors={})
        for reference in REFERENCES.values():
            assert reference.solve(blind) == reference.solve(item)


def test_the_markov_chain_multiplies_smoothed_transitions() -> None:
    evidence = letters.bigram_markov(("AB", "AA"))
    # Two letters and the end can follow; A was left three times: to B, to A and to the end.
    expected = (log(2.1 / 2.3) + log(1.1 / 3.3) + log(1.1 / 1.3)) / 3
    assert isclose(evidence("AB"), expected)


def test_novel_trigrams_count_the_edges_twice() -> None:
    evidence = letters.novel_trigram(("ABC",))
    assert evidence("ABC") == 0
    assert evidence("ABD") == -3  # ABD, BD$, D$$
    assert evidence("XBC") == -3  # ^^X, ^XB, XBC


def test_chunk_strength_is_the_mean_count_of_bigrams_and_trigrams() -> None:
    evidence = letters.associative_chunk_strength(("ABA", "AB"))
    assert isclose(evidence("ABA"), (2 + 1 + 1) / 3)
    assert evidence("BB") == 0


def test_length_is_judged_by_its_distance_from_the_mean() -> None:
    assert letters.length(("AB", "ABCD"))("ABCDE") == -2


def test_exemplars_compare_by_edit_distance() -> None:
    training = ("ABC", "ABD")
    assert exemplars.nearest(training)("ABDD") == -1
    assert isclose(exemplars.context_model(training)("ABC"), 1 + exp(-1))


def slow_distance(one: str, other: str) -> int:
    if not one or not other:
        return len(one) + len(other)
    return min(
        slow_distance(one[1:], other) + 1,
        slow_distance(one, other[1:]) + 1,
        slow_distance(one[1:], other[1:]) + (one[0] != other[0]),
    )


@given(st.text("ABC", max_size=5), st.text("ABC", max_size=5))
def test_edit_distance_is_that_of_the_plain_recursion(one: str, other: str) -> None:
    assert exemplars.edit_distance(one, other) == slow_distance(one, other)


def test_chunks_grow_out_of_chunks() -> None:
    memory = chunking.ChunkMemory()
    memory.study("ABC")
    assert set(memory.uses) == {"AB"}
    memory.study("ABC")
    assert memory.perceive("ABCD")[0] == ["ABC", "D"]
    assert memory.perceive("DCBA")[0] == ["D", "C", "B", "A"]


def test_an_unused_chunk_loses_strength() -> None:
    memory = chunking.ChunkMemory()
    memory.study("AB")
    fresh = memory.strength("AB")
    memory.study("XY")
    assert memory.strength("AB") < fresh == 1


def likelihood(fit: automaton.Automaton, training: tuple[str, ...]) -> float:
    return sum(log(automaton.probability(fit, word, 0.0)) for word in training)


def test_no_round_of_em_makes_the_training_less_likely(paper_scale: Groups) -> None:
    training = paper_scale[2][0].payload.training
    fits = [automaton.fitted(training, stream("test", 1, 0), rounds) for rounds in range(21)]
    values = [likelihood(fit, training) for fit in fits]
    assert all(later >= earlier - 1e-3 for earlier, later in pairwise(values))
    assert values[-1] > values[0] + 50


def test_an_automaton_s_probabilities_add_up(paper_scale: Groups) -> None:
    training = paper_scale[2][0].payload.training
    fit = automaton.fitted(training, stream("test", 1, 0), 5)
    for state in range(automaton.STATES + 1):
        leaving = [
            weight for steps in fit.moves.values() for start, _, weight in steps if start == state
        ]
        assert isclose(sum(leaving) + fit.end[state], 1, abs_tol=1e-4)


def test_an_automaton_s_string_probability_is_the_sum_over_its_paths() -> None:
    moves = {"A": [(4, 0, 0.5), (4, 1, 0.5)], "B": [(0, 2, 0.4), (1, 2, 0.2), (2, 2, 0.1)]}
    fit = automaton.Automaton(moves, [0.6, 0.8, 0.9, 1.0, 0.0])
    found = automaton.probability(fit, "AB", 0.0)
    assert isclose(found, 0.5 * 0.4 * 0.9 + 0.5 * 0.2 * 0.9)
    assert automaton.probability(fit, "BA", 0.0) == 0
    assert automaton.probability(fit, "Z", 1e-8) > 0
