"""The door to the runner: `inspect eval misstep/planbench`."""

from misstep.families.planbench import FAMILY
from misstep.runner.doors import door

planbench = door(FAMILY)
