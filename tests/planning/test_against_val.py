"""Our verdicts on random plans against VAL's, and on a part against unified-planning's.

`MISSTEP_REFERENCE_PLANS` sets how many plans are compared (2000 for the whole comparison).
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from misstep.planning import domains
from misstep.planning.model import Domain, Problem, Step
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.running import Verdict
from misstep.planning.validation import validate
from misstep.planning.writing import write_domain, write_problem
from random_problems import FEATURES, Case, random_case
from val import Val

PLANS = int(os.environ.get("MISSTEP_REFERENCE_PLANS", "150"))
JUDGED = (Verdict.VALID, Verdict.GOAL_NOT_REACHED, Verdict.PRECONDITION_FAILED)


def shipped() -> list[Domain]:
    paths = sorted(Path(str(domains.__path__[0])).glob("*/domain.pddl"))
    return [read_domain(path.read_text(encoding="utf-8"), path.name) for path in paths]


def cases(seed: int, count: int) -> list[Case]:
    """The domains in turn."""
    chance = Random(seed)
    every = [*shipped(), read_domain(FEATURES)]
    return [random_case(every[number % len(every)], chance) for number in range(count)]


def test_verdicts_steps_unmet_facts_and_costs_are_vals(tmp_path: Path) -> None:
    val = Val(tmp_path)
    seen: Counter[str] = Counter()
    for case in cases(seed=1, count=PLANS):
        domain, text = write_domain(case.problem.domain), write_problem(case.problem)
        problem = read_problem(text, read_domain(domain))
        theirs = val.judge(domain, text, problem, case.plan)
        ours = validate(problem, case.plan)
        case_text = f"{case.how}: {domain}\n{text}\n{case.plan}"
        assert (ours.verdict, ours.failed_step) == (theirs.verdict, theirs.failed_step), case_text
        if theirs.unmet and problem.domain.name != "features":
            assert tuple(sorted(set(ours.unmet))) == theirs.unmet, case_text
        if theirs.cost is not None:
            assert ours.cost == theirs.cost, case_text
        seen[ours.verdict] += 1
    assert set(seen) == {verdict.value for verdict in Verdict}, seen


def test_verdicts_are_unified_plannings(judge_by_unified_planning: Judge) -> None:
    """Steps that name an object twice are left out: it refuses those that delete and add the same
    fact, as driving from a place to itself does, where PDDL and VAL let the adding win."""
    seen: Counter[bool] = Counter()
    for case in cases(seed=2, count=max(28, PLANS // 10)):
        named = validate(case.problem, case.plan)
        if named.verdict in JUDGED and not any(len(set(step)) < len(step) for step in case.plan):
            theirs = judge_by_unified_planning(case.problem, case.plan)
            assert named.is_valid == theirs, f"{write_problem(case.problem)}\n{case.plan}"
            seen[theirs] += 1
    assert min(seen[True], seen[False]) > 0, seen


Judge = Callable[[Problem, tuple[Step, ...]], bool]


@pytest.fixture
def judge_by_unified_planning() -> Judge:
    from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus  # type: ignore[import-untyped]  # ships no types
    from unified_planning.io import PDDLReader  # type: ignore[import-untyped]  # ships no types
    from unified_planning.plans import ActionInstance, SequentialPlan  # type: ignore[import-untyped]  # ships no types
    from unified_planning.shortcuts import get_environment  # type: ignore[import-untyped]  # ships no types

    get_environment().credits_stream = None
    validator = SequentialPlanValidator()
    validator.skip_checks = True  # of costs it says that it can't judge them

    def judge(problem: Problem, plan: tuple[Step, ...]) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = PDDLReader().parse_problem_string(
                write_domain(problem.domain), write_problem(problem)
            )
            steps = [
                ActionInstance(
                    theirs.action(step[0]),
                    tuple(
                        theirs.environment.expression_manager.ObjectExp(theirs.object(word))
                        for word in step[1:]
                    ),
                )
                for step in plan
            ]
            result = validator.validate(theirs, SequentialPlan(steps))
        return bool(result.status is ValidationResultStatus.VALID)

    return judge
