"""The door to the runner: `inspect eval misstep/apartments`."""

from misstep.families.apartments import FAMILY
from misstep.runner.doors import door

apartments = door(FAMILY)
