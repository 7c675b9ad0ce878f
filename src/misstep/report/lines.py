"""What is said of a comparison under its verdict, line by line, wherever it is printed."""

from __future__ import annotations

from collections.abc import Sequence

from misstep.analyse.comparison import ArmSummary, Comparison
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
        paying.right_line(one),
        paying.lure_line(one),
        wording.needed_line(one),
        paying.price_line(one),
    )
    return [line for line in found if line is not None]


def detection_line(sides: Sequence[tuple[str, ArmSummary]]) -> str | None:
    """How each side leans to one of two answers, and tells the two apart; None where not all can
    be said to."""
    found = []
    answer = ""
    for name, summary in sides:
        seen, bias = summary.detection, summary.bias
        if seen is None or bias is None:
            return None
        answer = seen.answer
        d_prime, criterion = (wording.signed(one, 2) for one in (seen.d_prime, seen.criterion))
        found.append(f"{name} {wording.signed(bias)} (d′ {d_prime}, c {criterion})")
    return f"bias to {answer}, points: {', '.join(found)}" if found else None
