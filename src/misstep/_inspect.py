"""The runner's entry point: opens every room's door and makes our providers known."""

from misstep.models import embedded
from misstep.registry import open_doors
from misstep.runner import solvers

open_doors()

__all__ = ["embedded", "solvers"]
