"""Pairs of clauses of which the first entails the second: shipped, imported, made and checked."""

from misstep.families.inconsistency.pairs.checking import Fault, check_pairs
from misstep.families.inconsistency.pairs.files import Pair, read_pairs, shipped_pairs, write_pairs
from misstep.families.inconsistency.pairs.making import Draft, making_prompt, read_reply
from misstep.families.inconsistency.pairs.official import Imported, import_pairs

__all__ = [
    "Draft",
    "Fault",
    "Imported",
    "Pair",
    "check_pairs",
    "import_pairs",
    "making_prompt",
    "read_pairs",
    "read_reply",
    "shipped_pairs",
    "write_pairs",
]
