"""The door to the runner: `inspect eval misstep/vehicles`."""

from misstep.families.vehicles import FAMILY
from misstep.runner.doors import door

vehicles = door(FAMILY)
