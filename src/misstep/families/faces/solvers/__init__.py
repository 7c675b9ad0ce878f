"""Reference solvers: they look at the pictures' pixels, and only at the part they are named for."""

from misstep.families.faces.solvers.references import REFERENCES, Reference

__all__ = ["REFERENCES", "Reference"]
