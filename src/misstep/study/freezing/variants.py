"""The variant of a block's items, by the name that their records have."""

from __future__ import annotations

from misstep.core.options import read_options
from misstep.registry import family
from misstep.study.course.nouns import Block


def variant_of(asked: Block) -> str:
    """Empty for the family's defaults."""
    room = family(asked.family)
    return room.variant(read_options(room.spec.options, asked.options, asked.family))
