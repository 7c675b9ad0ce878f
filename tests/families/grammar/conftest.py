"""The questions that the tests of this room look at, made once."""

from __future__ import annotations

from itertools import islice

import pytest

from misstep.core.items import Group
from misstep.families.grammar.generate import generate
from misstep.families.grammar.spec import GrammarPayload

Groups = list[Group[GrammarPayload]]


@pytest.fixture(scope="session")
def paper_scale() -> Groups:
    """Seed 0, 100 grammars, 4,400 questions."""
    return list(islice(generate(0, {}), 100))
