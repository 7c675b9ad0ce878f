"""Reads what Fast Downward leaves behind: its plan file, its counts, its reasons for stopping."""

from __future__ import annotations

import re

from misstep.planning.model import Step

_COST = re.compile(r"; cost = (\d+) \((?:unit|general) cost\)")
_STEP = re.compile(r"\(([^()\s]+(?: [^()\s]+)*) ?\)")
_COUNT = re.compile(r"^(?:\[t=[^\]]*\] )?(Expanded|Evaluated|Generated) (\d+) state\(s\)\.$", re.M)
UNSOLVABLE = "Task is provably unsolvable."
_STAMP = re.compile(r"^\[t=[^\]]*\]\s*")
_CHATTER = ("Peak memory:", "Terminating", "=====", "Parsing...", "Traceback")


def read_plan_file(text: str) -> tuple[tuple[Step, ...], int] | None:
    """The steps and the cost stated below them; None where any line is something else."""
    lines = [line.strip() for line in text.splitlines()]
    cost = _COST.fullmatch(lines[-1]) if lines else None
    matches = [_STEP.fullmatch(line) for line in lines[:-1]]
    if cost is None or not all(matches):
        return None
    steps = tuple(tuple(match[1].lower().split()) for match in matches if match)
    return steps, int(cost[1])


def read_counts(printed: str) -> dict[str, int]:
    """ "expanded", "evaluated", "generated", as far as the search printed them."""
    return {name.lower(): int(number) for name, number in _COUNT.findall(printed)}


def last_words(out: str, err: str) -> str:
    """The planner's own last line that says something: of its errors, else of what it printed."""
    for printed in (err, out):
        for line in reversed(printed.splitlines()):
            words = _STAMP.sub("", line).strip()
            if words and not words.startswith(_CHATTER):
                return words[:200]
    return ""


def refusal(out: str, err: str) -> str:
    """Why the input was refused, in one line. The translator prints a path of headings ("Parsing
    …"), then what it expected and what it got; the search prints one sentence."""
    lines = [_STAMP.sub("", line).strip() for line in out.splitlines()]
    if any(line.startswith("Parsing") for line in lines[:1]):
        told = [line for line in lines if line and not line.startswith(("Parsing", "->"))]
        return "; ".join(told)[:300]
    unsupported = [
        line for line in (*lines, *err.splitlines()) if line.startswith("This configuration")
    ]
    return unsupported[0] if unsupported else last_words(out, err)
