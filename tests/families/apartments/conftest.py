"""The questions that the tests of this room look at, and a file of statements to break."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from misstep.core.items import Item
from misstep.families.apartments.generate import generate
from misstep.families.apartments.spec import ApartmentsPayload
from misstep.families.apartments.statements import SHIPPED

Items = list[Item[ApartmentsPayload]]


@pytest.fixture(scope="session")
def paper_scale() -> Items:
    """Seed 0, 300 sets."""
    return [group[0] for group in islice(generate(0, {}), 300)]


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """A copy of the shipped statements."""
    path = tmp_path / "mine.toml"
    path.write_text(SHIPPED.read_text(encoding="utf-8"), encoding="utf-8")
    return path
