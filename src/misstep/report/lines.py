"""What is said of a comparison under its verdict, line by line, wherever it is printed."""

from __future__ import annotations

from misstep.analyse.comparison import Comparison
from misstep.report import paying, wording


def lines(one: Comparison) -> list[str]:
    """Everything but the verdict, the effect and the warnings."""
    found = (
        wording.p_line(one),
        wording.looks_line(one),
        wording.equivalence_line(one),
        *paying.non_inferiority_lines(one),
        wording.left_out_line(one),
        paying.replies_line(one),
        paying.learning_line(one),
        wording.needed_line(one),
    )
    return [line for line in found if line is not None]
