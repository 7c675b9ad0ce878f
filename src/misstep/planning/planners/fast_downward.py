"""Fast Downward as a process: where its programs are, how they're called, what their ending means.

Found in the wheel `up-fast-downward` without importing it; it is under the GPL and stays a
separate program. Its two parts are called directly (translator, then search), which spares the
driver's start; the exit codes are the documented ones of the driver.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from misstep.planning.errors import PlanningError
from misstep.planning.planners.answers import Answer, Outcome, Statistics
from misstep.planning.planners.printed import (
    UNSOLVABLE,
    last_words,
    read_counts,
    read_plan_file,
    refusal,
)
from misstep.planning.planners.processes import FILE_BYTES, Call, Ended, Finished, Job

WHEEL = "up-fast-downward"
_UNSUPPORTED, _INCOMPLETE = 34, 12
_OUTCOME_OF_EXIT = {
    0: Outcome.SOLVED,
    10: Outcome.UNSOLVABLE,
    11: Outcome.UNSOLVABLE,
    12: Outcome.GAVE_UP,
    13: Outcome.GAVE_UP,
    20: Outcome.OUT_OF_MEMORY,
    21: Outcome.OUT_OF_TIME,
    22: Outcome.OUT_OF_MEMORY,
    23: Outcome.OUT_OF_TIME,
    24: Outcome.OUT_OF_MEMORY,
    31: Outcome.REFUSED,
    34: Outcome.REFUSED,
}
_NO_MEMORY = ("MemoryError", "std::bad_alloc")


class PlannerMissing(PlanningError):
    """A planner that was asked for isn't installed."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Searches in the planner's own words; a later one is tried where the one before doesn't
    support the problem or ended without a proof. `is_optimal`: a plan found has proven least cost.
    """

    name: str
    searches: tuple[str, ...]
    is_optimal: bool


OPTIMAL = Configuration("seq-opt-lmcut, else blind", ("astar(lmcut())", "astar(blind())"), True)
"""LM-cut supports neither axioms (which quantifiers and disjunctions become) nor conditional
effects; blind search supports both."""

ANY_PLAN = Configuration(
    "greedy ff, else blind", ("eager_greedy([ff()],preferred=[ff()])", "astar(blind())"), False
)
"""Some plan, mostly much sooner."""


@dataclass(frozen=True, slots=True)
class FastDownward:
    """The planner's two programs, each as the beginning of a command line. `version` is part of
    what cached answers are kept under."""

    translate: tuple[str, ...]
    search: tuple[str, ...]
    version: str
    python_path: str = ""

    def job(self, domain: str, problem: str, configuration: Configuration) -> Job:
        """Both texts are PDDL."""
        # A fixed hash seed, so that the same problem gives the same plan.
        environment = {"PYTHONPATH": self.python_path, "PYTHONHASHSEED": "0", "LC_ALL": "C"}
        translate = Call(
            (*self.translate, "--sas-file", "task.sas", "domain.pddl", "problem.pddl"),
            environment=environment,
            go_on=(0,),
        )
        searches = tuple(
            Call(
                (*self.search, "--search", words, "--internal-plan-file", "plan"),
                stdin="task.sas",
                environment=environment,
                go_on=(_UNSUPPORTED, _INCOMPLETE),
            )
            for words in configuration.searches
        )
        return Job(
            files=(("domain.pddl", domain), ("problem.pddl", problem)),
            calls=(translate, *searches),
            result="plan",
        )


def find_fast_downward() -> FastDownward:
    """The planner of the installed wheel; raises `PlannerMissing`."""
    spec = importlib.util.find_spec("up_fast_downward")
    if spec is None or not spec.submodule_search_locations:
        raise PlannerMissing(f"Fast Downward isn't installed: pip install {WHEEL}")
    programs = Path(spec.submodule_search_locations[0], "downward", "builds", "release", "bin")
    search = programs / "downward"
    if not search.is_file():
        raise PlannerMissing(f"the installed {WHEEL} has no planner in it: {search} isn't there")
    return FastDownward(
        translate=(sys.executable, "-S", "-m", "fast_downward.translate"),
        search=(str(search),),
        version=f"{WHEEL} {importlib.metadata.version(WHEEL)}",
        python_path=str(programs),
    )


def read_answer(planner: FastDownward, configuration: Configuration, finished: Finished) -> Answer:
    """What the calls came to. A claim counts only with what must come with it: a plan that can be
    read for success, the planner's words for a proof that there is none."""
    if not finished.ended:
        return Answer(Outcome.CRASHED, planner.version, said="the planner's guard was ended")
    last = finished.ended[-1]
    outcome, said = _ending(last)
    if outcome is Outcome.SOLVED:
        return _solved(planner, configuration, finished)
    if outcome is Outcome.UNSOLVABLE and UNSOLVABLE not in last.out:
        outcome = Outcome.NONSENSE
        said = f"exit code {last.exit_code} without the words of a proof: {_heard(last)}"
    return Answer(
        outcome,
        planner.version,
        said=said,
        exit_code=last.exit_code,
        statistics=_statistics(finished),
    )


def _solved(planner: FastDownward, configuration: Configuration, finished: Finished) -> Answer:
    last = finished.ended[-1]
    read = None if finished.result is None else read_plan_file(finished.result)
    searched = len(finished.ended) > 1
    if read is None or not searched:
        wrote = "no plan" if finished.result is None else "a plan that can't be read"
        return Answer(
            Outcome.NONSENSE,
            planner.version,
            said=f"exit code 0 with {wrote}: {_heard(last)}",
            exit_code=last.exit_code,
            statistics=_statistics(finished),
        )
    plan, cost = read
    return Answer(
        Outcome.SOLVED,
        planner.version,
        plan=plan,
        cost=cost,
        is_optimal=configuration.is_optimal,
        exit_code=0,
        statistics=_statistics(finished),
    )


def _ending(last: Ended) -> tuple[Outcome, str]:
    """The outcome that the way of ending claims, and why nothing was decided."""
    if last.stopped == "missing":
        return Outcome.MISSING, "the planner's program isn't there, or can't be executed"
    if last.stopped == "input":
        return Outcome.NONSENSE, "the translator's exit code was 0, but it wrote no task"
    if last.stopped == "wall":
        return Outcome.OUT_OF_TIME, f"still running after {last.wall_seconds:.0f} s by the clock"
    if last.exit_code == -signal.SIGXFSZ:
        return Outcome.CRASHED, f"wrote a file of more than {FILE_BYTES >> 20} MiB"
    if last.stopped == "cpu":
        return Outcome.OUT_OF_TIME, f"used up its {last.cpu_seconds:.0f} s of processor time"
    if last.exit_code < 0:
        return Outcome.CRASHED, f"ended by signal {signal.Signals(-last.exit_code).name}"
    outcome = _OUTCOME_OF_EXIT.get(last.exit_code, Outcome.CRASHED)
    if outcome is Outcome.CRASHED and any(words in last.err for words in _NO_MEMORY):
        outcome = Outcome.OUT_OF_MEMORY
    return outcome, _reason(outcome, last)


def _reason(outcome: Outcome, last: Ended) -> str:
    if outcome in (Outcome.SOLVED, Outcome.UNSOLVABLE):
        return ""
    if outcome is Outcome.REFUSED:
        return refusal(last.out, last.err)
    if outcome is Outcome.OUT_OF_TIME:
        return f"used up its processor time after {last.cpu_seconds:.0f} s"
    if outcome is Outcome.OUT_OF_MEMORY:
        return f"used up its memory at {last.peak_kib >> 10} MiB"
    if outcome is Outcome.GAVE_UP:
        return "the search ended with neither a plan nor a proof"
    return f"exit code {last.exit_code}: {_heard(last)}"


def _heard(last: Ended) -> str:
    words = last_words(last.out, last.err)
    return f"its last words: {words}" if words else "it printed nothing"


def _statistics(finished: Finished) -> Statistics:
    counts = read_counts(finished.ended[-1].out)
    return Statistics(
        expanded=counts.get("expanded"),
        evaluated=counts.get("evaluated"),
        generated=counts.get("generated"),
        cpu_seconds=sum(ended.cpu_seconds for ended in finished.ended),
        wall_seconds=sum(ended.wall_seconds for ended in finished.ended),
        peak_kib=max(ended.peak_kib for ended in finished.ended),
    )
