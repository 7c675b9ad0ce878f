"""What goes wrong with words: a wording file that can't be used, a phrase that can't be read."""

from __future__ import annotations

from misstep.planning.errors import PlanningError


class WordingError(PlanningError):
    """A wording file's field that can't be used; one line with file, field and reason."""

    def __init__(self, file: str, field: str, reason: str) -> None:
        self.file = file
        self.field = field
        self.reason = reason
        super().__init__(": ".join(part for part in (file, field, reason) if part))

    def __reduce__(self) -> tuple[type[WordingError], tuple[str, str, str]]:
        """Errors cross process borders: rebuilt from their parts."""
        return (WordingError, (self.file, self.field, self.reason))


class UnreadError(PlanningError):
    """A phrase that is no action, fact or object of the problem, or that could be several.

    `readings` holds what it could be, as PDDL; empty where nothing fits.
    """

    def __init__(self, kind: str, text: str, readings: tuple[str, ...] = ()) -> None:
        self.kind = kind
        self.text = text
        self.readings = readings
        reason = f"could be {' or '.join(readings)}" if readings else "not understood"
        super().__init__(f"{kind} {text!r}: {reason}")

    def __reduce__(self) -> tuple[type[UnreadError], tuple[str, str, tuple[str, ...]]]:
        """Errors cross process borders: rebuilt from their parts."""
        return (UnreadError, (self.kind, self.text, self.readings))
