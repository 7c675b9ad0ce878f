"""A probabilistic automaton of four states, fitted to the training strings by EM (Baum-Welch).

Letters stand on the transitions, as in the grammars; nothing else of the family's structures is
built in. Transitions that have vanished are dropped, which makes the later rounds fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import log
from operator import mul

from misstep.core.family import Solution
from misstep.core.items import Item
from misstep.core.seeds import Chance, stream
from misstep.families.grammar.solvers.evidence import GRAMMARS_KEPT, Training
from misstep.families.grammar.spec import SPEC, GrammarPayload

STATES = 4
FITS = 12
"""Fits from different random starts. All are kept: their mean judges better than the best one."""
ROUNDS = 20
VANISHED = 1e-6
FLOOR = 1e-8
"""Probability lent to every step, so that a string that a fit can't make still has a rank."""

_START = STATES
Move = tuple[int, int, float]
"""From, to, probability."""


@dataclass(frozen=True)
class Automaton:
    """Each letter's transitions and each state's probability of ending; the last state, which
    nothing leads to, is the start."""

    moves: dict[str, list[Move]]
    end: list[float]


def solve(item: Item[GrammarPayload]) -> Solution:
    """Yes if at least half of the fitted automata can make the string; the score is the mean,
    over the fits, of its log probability per step with the floor lent."""
    fits, test = _fits(item.payload.training), item.payload.test
    able = sum(probability(fit, test, 0.0) > 0 for fit in fits)
    score = sum(log(probability(fit, test, FLOOR)) for fit in fits) / len(fits) / (len(test) + 1)
    return Solution("Yes" if 2 * able >= len(fits) else "No", score)


@lru_cache(maxsize=GRAMMARS_KEPT)
def _fits(training: Training) -> tuple[Automaton, ...]:
    chances = (stream(SPEC.name, SPEC.version, 0, "automaton", fit) for fit in range(FITS))
    return tuple(fitted(training, chance, ROUNDS) for chance in chances)


def fitted(training: Training, chance: Chance, rounds: int) -> Automaton:
    letters = sorted({letter for word in training for letter in word})
    automaton = _random(letters, chance)
    for _ in range(rounds):
        automaton = refitted(automaton, training)
    return automaton


def _random(letters: list[str], chance: Chance) -> Automaton:
    moves = {
        letter: [
            (start, end, chance.uniform()) for start in range(STATES + 1) for end in range(STATES)
        ]
        for letter in letters
    }
    return _normalised(moves, [chance.uniform() for _ in range(STATES)] + [0.0])


def _normalised(moves: dict[str, list[Move]], end: list[float]) -> Automaton:
    totals = list(end)
    for steps in moves.values():
        for start, _, weight in steps:
            totals[start] += weight
    kept = {
        letter: [
            (start, after, weight / totals[start])
            for start, after, weight in steps
            if weight > VANISHED * totals[start]
        ]
        for letter, steps in moves.items()
    }
    # A state that nothing reaches any more ends for sure.
    return Automaton(
        kept, [e / total if total else 1.0 for e, total in zip(end, totals, strict=True)]
    )


def refitted(automaton: Automaton, training: Training) -> Automaton:
    """One round of EM: the expected uses of each transition and ending become its weight."""
    uses = {letter: [0.0] * len(steps) for letter, steps in automaton.moves.items()}
    ends = [0.0] * (STATES + 1)
    for word in training:
        _count(automaton, word, uses, ends)
    moves = {
        letter: [
            (start, after, use) for (start, after, _), use in zip(steps, uses[letter], strict=True)
        ]
        for letter, steps in automaton.moves.items()
    }
    return _normalised(moves, ends)


def _count(
    automaton: Automaton, word: str, uses: dict[str, list[float]], ends: list[float]
) -> None:
    """Adds the word's expected uses to `uses` and `ends`, which belong to one round of EM."""
    reached = _reached(automaton, word)
    total = sum(map(mul, reached[-1], automaton.end))
    onward = [end / total for end in automaton.end]
    for state, at in enumerate(reached[-1]):
        ends[state] += at * onward[state]
    for place in range(len(word) - 1, -1, -1):
        here, before = reached[place], [0.0] * (STATES + 1)
        counts = uses[word[place]]
        for index, (start, after, weight) in enumerate(automaton.moves[word[place]]):
            rest = weight * onward[after]
            before[start] += rest
            counts[index] += here[start] * rest
        onward = before


def _reached(automaton: Automaton, word: str) -> list[list[float]]:
    """The probability of having made each prefix and being in each state."""
    reached = [[0.0] * STATES + [1.0]]
    for letter in word:
        at, then = reached[-1], [0.0] * (STATES + 1)
        for start, after, weight in automaton.moves[letter]:
            then[after] += at[start] * weight
        reached.append(then)
    return reached


def probability(automaton: Automaton, word: str, floor: float) -> float:
    """Probability of making the word, where each step and ending is lent `floor`."""
    at = [0.0] * STATES + [1.0]
    for letter in word:
        lent = floor * sum(at)
        then = [lent] * STATES + [0.0]
        for start, after, weight in automaton.moves.get(letter, ()):
            then[after] += at[start] * weight
        at = then
    return sum(here * (end + floor) for here, end in zip(at, automaton.end, strict=True))
