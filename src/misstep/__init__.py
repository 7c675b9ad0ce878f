"""misstep: where thinking makes a model worse, where it helps, and whether it is real."""

__version__ = "0.1.0"
