"""The examples in the library's docstrings do what they say."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

import misstep.planning
import misstep.planning.parsing
import misstep.planning.validation


@pytest.mark.parametrize(
    "module",
    [misstep.planning, misstep.planning.parsing, misstep.planning.validation],
    ids=lambda module: module.__name__,
)
def test_examples_in_docstrings_are_right(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
