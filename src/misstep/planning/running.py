"""Runs a plan step by step in a world: what is wrong with a step, or what it changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from misstep.planning.evaluation import (
    Binding,
    Fact,
    NoValue,
    World,
    bindings,
    calculate,
    ground_terms,
    holds,
    value_of,
)
from misstep.planning.lexing import quoted
from misstep.planning.model import (
    Add,
    Assign,
    Atom,
    Delete,
    Effect,
    Formula,
    Number,
    Problem,
    Step,
)
from misstep.planning.schemas import Schema
from misstep.planning.substitution import substitute
from misstep.planning.writing import formula_text

_OPERATORS = {"increase": "+", "decrease": "-", "scale-up": "*", "scale-down": "/"}


class Verdict(StrEnum):
    """In a step with several faults, the one that stands first here from `unknown_action` on."""

    VALID = "valid"
    GOAL_NOT_REACHED = "goal_not_reached"
    UNKNOWN_ACTION = "unknown_action"
    WRONG_ARITY = "wrong_arity"
    UNKNOWN_OBJECT = "unknown_object"
    WRONG_TYPE = "wrong_type"
    PRECONDITION_FAILED = "precondition_failed"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a step, in one line too; `unmet` are its unmet preconditions."""

    kind: Verdict
    reason: str
    unmet: tuple[str, ...] = ()


def start(problem: Problem, *, keep_deleted: bool = False) -> World:
    """The world at the problem's start. `keep_deleted` makes one that forgets nothing."""
    facts = set(problem.start_facts)
    kept = set(facts) if keep_deleted else facts
    return World(problem, facts, kept, dict(problem.start_values))


def take(world: World, step: Step, *, check: bool = True) -> Fault | None:
    """Runs one step; with a fault the world stays as it was.

    Without `check`, unmet preconditions don't matter, only whether the step can be named at all.
    """
    problem = world.problem
    schema = problem.domain.schemas.get(step[0]) if step else None
    if schema is None or not _fits(problem, schema, step):
        lowered = tuple(word.lower() for word in step)
        return take(world, lowered, check=check) if lowered != step else misfit(problem, step)
    full = step + schema.symbols
    if check:
        facts = world.facts
        for need in schema.needs:
            if need(full) not in facts:
                return _unmet(world, schema, step)
        if schema.others and not _all_hold(schema.others, schema.bind(step), world):
            return _unmet(world, schema, step)
    try:
        _change(world, schema, step, full)
    except NoValue as error:
        return Fault(Verdict.PRECONDITION_FAILED, f"{error}", (f"{error}",))
    return None


def misfit(problem: Problem, step: Step) -> Fault | None:
    """The step's first fault that no state could mend, in the verdicts' order."""
    name = step[0] if step else ""
    schema = problem.domain.schemas.get(name)
    if schema is None:
        return Fault(Verdict.UNKNOWN_ACTION, f"unknown action {quoted(name)}")
    if len(step) - 1 != schema.arity:
        plural = "" if schema.arity == 1 else "s"
        reason = f"{name} takes {schema.arity} argument{plural}, found {len(step) - 1}"
        return Fault(Verdict.WRONG_ARITY, reason)
    for word in step[1:]:
        if word not in problem.types_of:
            return Fault(Verdict.UNKNOWN_OBJECT, f"unknown object {quoted(word)}")
    for word, types in zip(step[1:], schema.types, strict=False):
        if problem.types_of[word].isdisjoint(types):
            reason = f"{word} is not of type {' or '.join(types)}"
            return Fault(Verdict.WRONG_TYPE, reason)
    return None


def unmet(formulas: tuple[Formula, ...], binding: Binding, world: World) -> tuple[str, ...]:
    """Those that don't hold, as PDDL with objects put in, sorted, each once."""
    failed = (one for one in formulas if not _all_hold((one,), binding, world))
    return tuple(sorted({formula_text(substitute(one, binding)) for one in failed}))


def unmet_goals(world: World) -> tuple[str, ...]:
    """As `unmet` gives them."""
    goals = world.problem.goals
    if goals.facts <= world.facts and not goals.others:
        return ()
    return unmet(goals.parts, {}, world)


def cost_so_far(world: World, steps: int) -> Number | None:
    """The metric's value, or the number of steps where there is none; None if it has no value."""
    if world.problem.metric is None:
        return steps
    try:
        return value_of(world.problem.metric.expression, {}, world)
    except NoValue:
        return None


def _fits(problem: Problem, schema: Schema, step: Step) -> bool:
    if len(step) - 1 != schema.arity:
        return False
    types_of = problem.types_of
    for word in step[1:]:
        if word not in types_of:
            return False
    if schema.types:
        for word, types in zip(step[1:], schema.types, strict=True):
            if types_of[word].isdisjoint(types):
                return False
    return True


def _all_hold(formulas: tuple[Formula, ...], binding: Binding, world: World) -> bool:
    try:
        return all(holds(one, binding, world) for one in formulas)
    except NoValue:
        return False


def _unmet(world: World, schema: Schema, step: Step) -> Fault:
    failed = unmet(schema.conjuncts, schema.bind(step), world)
    return Fault(Verdict.PRECONDITION_FAILED, f"unmet: {', '.join(failed)}", failed)


def _change(world: World, schema: Schema, step: Step, full: tuple[str, ...]) -> None:
    """Everything is read before anything changes; deletes come before adds, so that adds win."""
    deletes = [pick(full) for pick in schema.deletes]
    adds = [pick(full) for pick in schema.adds]
    values: dict[Fact, Number] = {}
    if schema.effects:
        _read_effects(world, schema, step, adds, deletes, values)
    world.kept.difference_update(deletes)
    world.facts.update(adds)
    world.values.update(values)


def _read_effects(
    world: World,
    schema: Schema,
    step: Step,
    adds: list[Fact],
    deletes: list[Fact],
    values: dict[Fact, Number],
) -> None:
    """Appends to `adds` and `deletes` and sets in `values` what changes."""
    outer = schema.bind(step)
    for effect in schema.effects:
        for binding in bindings(world.problem, effect.variables, outer):
            if holds(effect.condition, binding, world):
                _read_change(world, effect, binding, values, adds, deletes)


def _read_change(
    world: World,
    effect: Effect,
    binding: Binding,
    values: dict[Fact, Number],
    adds: list[Fact],
    deletes: list[Fact],
) -> None:
    match effect.change:
        case Add(Atom(predicate, terms)):
            adds.append(ground_terms(predicate, terms, binding))
        case Delete(Atom(predicate, terms)):
            deletes.append(ground_terms(predicate, terms, binding))
        case Assign(operation, fluent, expression):
            key = ground_terms(fluent.function, fluent.terms, binding)
            before = values.get(key, world.values.get(key))
            values[key] = _assigned(key, before, operation, value_of(expression, binding, world))


def _assigned(key: Fact, before: Number | None, operation: str, amount: Number) -> Number:
    if operation == "assign":
        return amount
    if before is None:
        raise NoValue(f"({' '.join(key)}) has no value")
    return calculate(_OPERATORS[operation], [before, amount])
