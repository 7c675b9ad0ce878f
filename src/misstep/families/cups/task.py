"""The door to the runner: `inspect eval misstep/cups`."""

from misstep.families.cups import FAMILY
from misstep.runner.doors import door

cups = door(FAMILY)
