"""The door to the runner: `inspect eval misstep/faces`."""

from misstep.families.faces import FAMILY
from misstep.runner.doors import door

faces = door(FAMILY)
