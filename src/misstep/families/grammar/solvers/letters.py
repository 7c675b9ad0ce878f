"""Solvers that know pieces of the training strings: bigrams, trigrams, or only the length."""

from __future__ import annotations

from collections import Counter
from math import log

from misstep.core.family import Solution
from misstep.core.items import Item
from misstep.families.grammar.ngrams import marked, ngrams
from misstep.families.grammar.solvers.evidence import Evidence, Training
from misstep.families.grammar.spec import GrammarPayload

SMOOTHING = 0.1
"""What the Markov chain adds to the count of each transition."""


def bigram_rule(item: Item[GrammarPayload]) -> Solution:
    """Yes if every bigram, start and end included, occurs in training. A rule answers, and has
    no degrees: no score, so that no split is made either."""
    known = {pair for word in item.payload.training for pair in ngrams(marked(word), 2)}
    is_known = all(pair in known for pair in ngrams(marked(item.payload.test), 2))
    return Solution("Yes" if is_known else "No")


def bigram_markov(training: Training) -> Evidence:
    """Mean log probability of a string's transitions, start and end included."""
    pairs = Counter(pair for word in training for pair in ngrams(marked(word), 2))
    starts = Counter(pair[0] for pair in pairs.elements())
    total = len({letter for word in training for letter in word}) + 1

    def evidence(string: str) -> float:
        seen = ngrams(marked(string), 2)
        odds = ((pairs[pair] + SMOOTHING) / (starts[pair[0]] + SMOOTHING * total) for pair in seen)
        return sum(log(each) for each in odds) / len(seen)

    return evidence


def novel_trigram(training: Training) -> Evidence:
    """Minus the number of trigrams not seen in training; two marks at each end."""
    known = {run for word in training for run in ngrams(marked(marked(word)), 3)}
    return lambda string: -sum(run not in known for run in ngrams(marked(marked(string)), 3))


def associative_chunk_strength(training: Training) -> Evidence:
    """ACS: mean frequency in training of a string's bigrams and trigrams, pooled; no marks."""
    counts = Counter(run for size in (2, 3) for word in training for run in ngrams(word, size))

    def evidence(string: str) -> float:
        runs = [run for size in (2, 3) for run in ngrams(string, size)]
        return sum(counts[run] for run in runs) / len(runs)

    return evidence


def length(training: Training) -> Evidence:
    """Minus the distance from the mean length of the training strings."""
    mean = sum(len(word) for word in training) / len(training)
    return lambda string: -abs(len(string) - mean)
