"""What grading a published result file again comes to."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.planning.model import Step


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An instance on which our verdict and the stored one differ.

    `our_verdict` is the validator's verdict on `our_plan`; where the reply has no plan, how it was
    read (no_plan, unparsed, empty, truncated) and `our_plan` is None.
    """

    instance: str
    is_correct: bool
    stored_correct: bool
    our_verdict: str
    failed_step: int | None
    our_plan: tuple[Step, ...] | None
    stored_plan: tuple[Step, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class NotGraded:
    """An instance that can't be graded again, and why."""

    instance: str
    reason: str


@dataclass(frozen=True, slots=True)
class FileReport:
    """Both accuracies are over the same instances, the `graded` ones.

    `reference_fails` are the instances whose stored reference plan doesn't solve what was asked.
    `refused` says why nothing in the file was graded; empty where something could be.
    """

    file: str
    domain: str
    engine: str
    task: str
    graded: int = 0
    correct: int = 0
    stored_correct: int = 0
    disagreements: tuple[Disagreement, ...] = ()
    not_graded: tuple[NotGraded, ...] = ()
    reference_fails: tuple[str, ...] = ()
    refused: str = ""

    @property
    def accuracy(self) -> float | None:
        """Ours; None where nothing was graded."""
        return self.correct / self.graded if self.graded else None

    @property
    def stored_accuracy(self) -> float | None:
        return self.stored_correct / self.graded if self.graded else None
