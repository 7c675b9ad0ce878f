"""How far two people who labelled the same disagreements agree: Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from misstep.core.labels import Judgement, Label, labellers, latest


@dataclass(frozen=True)
class Agreement:
    """Of two labellers; `kappa` is None where chance alone would have them agree on everything.

    `conflicts` are the items of which they say different things.
    """

    first: str
    second: str
    both: int
    same: int
    kappa: float | None
    conflicts: tuple[str, ...]


def agreements(labels: Sequence[Label], among: Iterable[str]) -> tuple[Agreement, ...]:
    """Of each two labellers with a disagreement in common; `among` are the ids that count."""
    said, counted = latest(labels), set(among)
    kept = {name: own for name, own in said.items() if name in counted}
    items = {label.disagreement: label.item for label in labels}
    pairs = combinations(labellers(labels), 2)
    found = (_agreement(one, other, kept, items) for one, other in pairs)
    return tuple(agreement for agreement in found if agreement.both)


def _agreement(
    one: str,
    other: str,
    said: Mapping[str, Mapping[str, Judgement]],
    items: Mapping[str, str],
) -> Agreement:
    shared = {name: own for name, own in said.items() if one in own and other in own}
    first, second = ([own[who] for own in shared.values()] for who in (one, other))
    conflicts = [items[name] for name, own in shared.items() if own[one] != own[other]]
    same = len(shared) - len(conflicts)
    agreed = kappa(first, second) if shared else None
    return Agreement(one, other, len(shared), same, agreed, tuple(sorted(set(conflicts))))


def kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Cohen's kappa (1960) of two lists of categories, place by place."""
    n = len(first)
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / n
    counts, others = Counter(first), Counter(second)
    expected = sum(counts[name] * others[name] for name in counts) / n**2
    return None if expected == 1 else (observed - expected) / (1 - expected)
