"""Which answers a family's records may hold, and which of two is the positive one."""

from __future__ import annotations

from collections.abc import Iterable

from misstep.core.answers.vocabulary import VOCABULARIES
from misstep.core.family import Spec
from misstep.core.records import Record


def possible_answers(records: Iterable[Record], spec: Spec | None = None) -> tuple[str, ...]:
    """The vocabulary in its order: the spec's, else the smallest known one that holds all truths.

    Failing both, the truths themselves in alphabetical order. Of two answers the first is the
    positive one ("Yes", "A").
    """
    if spec is not None:
        return spec.vocabulary.answers
    truths = {record.truth for record in records if record.truth is not None}
    fitting = [known.answers for known in VOCABULARIES.values() if truths <= set(known.answers)]
    return min(fitting, key=len) if truths and fitting else tuple(sorted(truths))
