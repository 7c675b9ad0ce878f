"""The list of reference solvers, what each knows, and how well it is known to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from misstep.core.family import Solver
from misstep.families.grammar.solvers import automaton, chunking, exemplars, letters
from misstep.families.grammar.solvers.evidence import measured
from misstep.families.grammar.spec import GrammarPayload


@dataclass(frozen=True)
class Reference:
    """A solver, and its accuracy over 100 random grammars where each group is split at its median
    evidence, ties counting half (standard error at most .01)."""

    solve: Solver[GrammarPayload]
    accuracy: float
    about: str


REFERENCES: Mapping[str, Reference] = {
    "bigram-rule": Reference(
        letters.bigram_rule, 0.895, "Yes if no bigram is novel, start and end marks included"
    ),
    "bigram-markov": Reference(
        measured(letters.bigram_markov), 0.885, "mean log probability of the bigrams"
    ),
    "novel-trigram": Reference(
        measured(letters.novel_trigram), 0.831, "how few trigrams are novel"
    ),
    "acs": Reference(
        measured(letters.associative_chunk_strength),
        0.691,
        "associative chunk strength: mean frequency of the bigrams and trigrams in training",
    ),
    "chunking": Reference(
        measured(chunking.chunking), 0.653, "competitive chunking: how few parts are perceived"
    ),
    "gcm": Reference(
        measured(exemplars.context_model),
        0.620,
        "generalised context model: summed likeness to the training strings by edit distance",
    ),
    "nearest": Reference(
        measured(exemplars.nearest), 0.586, "edit distance to the nearest training string"
    ),
    "automaton": Reference(
        automaton.solve, 0.979, "automata of four states, fitted by EM from several starts"
    ),
    "length": Reference(
        measured(letters.length), 0.50, "closeness to the mean training length, nothing else"
    ),
}
