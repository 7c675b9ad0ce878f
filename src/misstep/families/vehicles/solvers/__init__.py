"""Reference solvers: learners with no language model, that play the conversation turn by turn."""

from misstep.families.vehicles.solvers.references import REFERENCES, solver

__all__ = ["REFERENCES", "solver"]
