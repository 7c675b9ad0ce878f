"""What goes wrong in planning: a text that can't be read, with its place, and all the rest."""

from __future__ import annotations


class PlanningError(Exception):
    """A problem, plan or number that can't be worked with; its message is one line."""


class PddlError(PlanningError):
    """PDDL that can't be read: where (line and column count from 1), what stands there or is
    wrong, and what was expected ("" where only one thing can be said)."""

    def __init__(self, file: str, line: int, column: int, found: str, expected: str = "") -> None:
        self.file = file
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        self.message = f"{file or '<text>'}:{line}:{column}: {found}"
        if expected:
            self.message += f"; expected {expected}"
        super().__init__(self.message)

    def __reduce__(self) -> tuple[type[PddlError], tuple[str, int, int, str, str]]:
        """Errors cross process borders: rebuilt from their parts, not from their message."""
        return (PddlError, (self.file, self.line, self.column, self.found, self.expected))
