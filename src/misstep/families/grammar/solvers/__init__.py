"""Reference solvers: no language model, only the 15 training strings and the test string."""

from misstep.families.grammar.solvers.references import REFERENCES, Reference

__all__ = ["REFERENCES", "Reference"]
