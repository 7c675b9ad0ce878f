"""Are the statistics what they promise? Seeded simulations, and the bounds that they must keep.

Everything goes through the functions that a comparison uses, or through twins of them that do many
experiments at once and that the tests hold against the originals.
"""

from misstep.analyse.calibration.bench import rows
from misstep.analyse.calibration.nouns import FULL, SHORT, Effort, Row

__all__ = ["FULL", "SHORT", "Effort", "Row", "rows"]
