"""One example of each planbench test for a domain folder: what `misstep plan check` shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import MisstepError

ARM = "direct"


@dataclass(frozen=True)
class Example:
    """Where none could be made, `reason` says why in one line, and the rest is empty."""

    test: str
    prompt: str = ""
    truth: str = ""
    reason: str = ""

    @property
    def row(self) -> dict[str, str]:
        if self.reason:
            return {"reason": self.reason}
        return {"prompt": self.prompt, "truth": self.truth}

    @property
    def text(self) -> str:
        if self.reason:
            return f"## {self.test}: no example: {self.reason}"
        return f"## {self.test}\n\n{self.prompt}\n\n--- right:\n{self.truth}"


def examples(folder: Path) -> Iterator[Example]:
    """Of every test, in the tests' order: the first question of seed 0."""
    from misstep.families.planbench.spec import TESTS

    return (_example(folder, test) for test in TESTS)


def _example(folder: Path, test: str) -> Example:
    from misstep.core.options import read_options
    from misstep.families.planbench import FAMILY
    from misstep.families.planbench.generate import first
    from misstep.planning import PlanningError

    # The whole path: a folder may have the name of a shipped domain.
    given = {"test": test, "domain": str(folder.resolve())}
    try:
        item = first(0, read_options(FAMILY.spec.options, given, FAMILY.spec.name))
        return Example(test, FAMILY.prompt(item, ARM), item.truth)
    except (MisstepError, PlanningError) as error:
        return Example(test, reason=" ".join(str(error).split()) + _shortage(folder))


def _shortage(folder: Path) -> str:
    """Why no instance may be found: most tests need one for the question and for each example."""
    from misstep.planning.folders import load_folder

    loaded = load_folder(folder)
    if loaded.generator is not None:
        return ""
    return f" (no generator, and problem*.pddl: {len(loaded.problems)})"
