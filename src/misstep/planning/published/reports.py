"""What grading a published result file again comes to."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.planning.model import Step


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An instance on which our verdict and the stored one differ.

    `our_verdict` is the validator's verdict on `our_plan`; where the reply has no plan, how it was
    read (no_plan, unparsed, empty, truncated) and `our_plan` is None. Where the task asks for no
    plan, `ours` and `stored` say what each side read in the reply, and `our_verdict` what ours is.
    `score` names the further score that differs; empty: what the accuracies are of.
    """

    instance: str
    is_correct: bool
    stored_correct: bool
    our_verdict: str
    failed_step: int | None
    our_plan: tuple[Step, ...] | None
    stored_plan: tuple[Step, ...]
    reason: str
    ours: str = ""
    stored: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True)
class NotGraded:
    """An instance that can't be graded again, and why."""

    instance: str
    reason: str


@dataclass(frozen=True, slots=True)
class FurtherScore:
    """A mean over `count` replies beside the accuracy; `stored` is the original's own over the same
    replies, None where it has none."""

    name: str
    count: int
    ours: float
    stored: float | None = None


@dataclass(frozen=True, slots=True)
class FileReport:
    """Both accuracies are over the same instances, the `graded` ones.

    `reference_fails` are the instances whose stored reference plan doesn't solve what was asked, or
    whose stored truth on the actions shown isn't what simulating them gives. `scores` are what else
    was graded. `refused` says why nothing in the file was graded; empty where something could be.
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
    scores: tuple[FurtherScore, ...] = ()

    @property
    def accuracy(self) -> float | None:
        """Ours; None where nothing was graded."""
        return self.correct / self.graded if self.graded else None

    @property
    def stored_accuracy(self) -> float | None:
        return self.stored_correct / self.graded if self.graded else None

    @property
    def differing(self) -> int:
        """The instances on which the two accuracies differ."""
        return sum(not one.score for one in self.disagreements)
