"""The door to the runner: `inspect eval misstep/inconsistency`."""

from misstep.families.inconsistency import FAMILY
from misstep.runner.doors import door

inconsistency = door(FAMILY)
