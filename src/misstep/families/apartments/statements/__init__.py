"""The statements about apartments: the shipped ones, a user's own, and how they are checked."""

from misstep.families.apartments.statements.checking import problems, read_checked
from misstep.families.apartments.statements.reading import (
    FEATURES,
    LEVELS,
    SHIPPED,
    Feature,
    Statement,
    Statements,
    read_statements,
)
from misstep.families.apartments.statements.writing import write_statements

__all__ = [
    "FEATURES",
    "LEVELS",
    "SHIPPED",
    "Feature",
    "Statement",
    "Statements",
    "problems",
    "read_checked",
    "read_statements",
    "write_statements",
]
