"""A domain told in words: its introduction, its rules written out, what its actions cost."""

from __future__ import annotations

from misstep.planning.model import (
    TOTAL_COST,
    TRUE,
    Action,
    Add,
    And,
    Assign,
    Constant,
    Delete,
    Domain,
    Effect,
    Expression,
    Number,
)
from misstep.planning.wording.formulas import (
    Scope,
    is_plain,
    listed,
    say_effect,
    say_formula,
    say_number,
)
from misstep.planning.wording.nouns import Wording
from misstep.planning.wording.sorts import conjuncts
from misstep.planning.writing import number_text

_BOTH = "A fact that one action both ends and brings about holds afterwards."


def introduction(domain: Domain, wording: Wording) -> str:
    """The rules and restrictions: the wording's own words, or the rules written out."""
    return wording.introduction or say_rules(domain, wording)


def say_rules(domain: Domain, wording: Wording) -> str:
    """Every action with its conditions and effects, from the domain itself."""
    actions = [_action_rules(domain, wording, action) for action in domain.actions]
    return "\n".join(["These actions can be done, under these conditions:", *actions, _BOTH])


def say_costs(domain: Domain, wording: Wording, *, uniform: bool = False) -> str:
    """A line for each action. Where the domain has no costs, or `uniform` says so, every action
    costs 1."""
    if uniform or TOTAL_COST not in domain.function:
        return f"Every action costs {_amount(wording, Constant(1), _scope(domain, wording))}."
    return "\n".join(_cost(domain, wording, action) for action in domain.actions)


def say_amount(wording: Wording, amount: Number) -> str:
    """ "1 minute", "5 minutes", or the bare number where the wording has no unit."""
    singular, plural = wording.cost_unit
    return f"{number_text(amount)} {singular if amount == 1 else plural}".rstrip()


def _scope(domain: Domain, wording: Wording) -> Scope:
    return Scope(domain, wording, {})


def _action_rules(domain: Domain, wording: Wording, action: Action) -> str:
    scope = _scope(domain, wording).within(action.parameters)
    lines = [f"To {_said(wording, action, scope)}:"]
    if action.precondition != TRUE:
        needed = say_formula(scope, And(conjuncts(action.precondition)))
        lines.append(f"- these must hold before: {needed}")
    for change, lead in ((Add, "these hold"), (Delete, "these no longer hold")):
        facts = [
            say_formula(scope, effect.change.atom)
            for effect in action.effects
            if is_plain(effect, change) and not isinstance(effect.change, Assign)
        ]
        lines += [f"- {lead} afterwards: {listed(facts)}"] if facts else []
    return "\n".join([*lines, *(f"- afterwards, {said}" for said in _other(scope, action))])


def _other(scope: Scope, action: Action) -> list[str]:
    """Effects with conditions or for all objects, and changes of numbers."""
    rest = [e for e in action.effects if not is_plain(e, Add) and not is_plain(e, Delete)]
    return [said for said in (say_effect(scope, effect) for effect in rest) if said is not None]


def _said(wording: Wording, action: Action, scope: Scope) -> str:
    called = [scope.call(parameter.name) for parameter in action.parameters]
    return wording.actions[action.name].say.fill(called)


def _cost(domain: Domain, wording: Wording, action: Action) -> str:
    scope = _scope(domain, wording).within(action.parameters)
    said = _said(wording, action, scope)
    costs = [effect for effect in action.effects if _is_cost(effect)]
    if not costs:
        return f"To {said} costs nothing."
    amounts = [_conditional_amount(wording, scope, effect) for effect in costs]
    return f"To {said} costs {listed(amounts)}."


def _is_cost(effect: Effect) -> bool:
    change = effect.change
    return isinstance(change, Assign) and change.fluent.function == TOTAL_COST


def _conditional_amount(wording: Wording, scope: Scope, effect: Effect) -> str:
    change = effect.change
    inner = scope.within(effect.variables)
    amount = _amount(wording, change.value, inner) if isinstance(change, Assign) else ""
    if effect.variables:
        amount += f" for every {listed([inner.call(each.name) for each in effect.variables])}"
    if effect.condition != TRUE:
        amount += f" if {say_formula(inner, effect.condition)}"
    return amount


def _amount(wording: Wording, value: Expression, scope: Scope) -> str:
    if isinstance(value, Constant):
        return say_amount(wording, value.value)
    unit = wording.cost_unit[1]
    return say_number(scope, value) + (f" in {unit}" if unit else "")
