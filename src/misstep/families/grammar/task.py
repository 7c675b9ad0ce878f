"""The door to the runner: `inspect eval misstep/grammar`."""

from misstep.families.grammar import FAMILY
from misstep.runner.doors import door

grammar = door(FAMILY)
