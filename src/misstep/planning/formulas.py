"""Reads formulas and numeric expressions, every name in them checked where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from misstep.planning.declarations import read_variables
from misstep.planning.errors import PddlError
from misstep.planning.lexing import LONGEST, Tokens, quoted
from misstep.planning.model import (
    OBJECT,
    And,
    Arithmetic,
    Atom,
    Compare,
    Constant,
    Equal,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Function,
    Imply,
    Not,
    Number,
    Or,
    Predicate,
    Term,
    Typed,
)
from misstep.planning.requirements import WORDS, refused

_NUMBER = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_ANY = (OBJECT,)
_OPERATORS = frozenset(("+", "-", "*", "/"))


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be named at a place. `variables` maps a name as written to the model's variable;
    a new variable gets none of the names that are `taken`."""

    tokens: Tokens
    types: Mapping[str, frozenset[str]]
    predicates: Mapping[str, Predicate]
    functions: Mapping[str, Function]
    objects: Mapping[str, frozenset[str]]
    variables: Mapping[str, Typed]
    taken: frozenset[str] = frozenset()

    def within(self, declared: tuple[Typed, ...]) -> tuple[Scope, tuple[Typed, ...]]:
        """The scope inside of a quantifier, and its variables, renamed if they shadow others."""
        taken = set(self.taken)
        renamed = []
        for one in declared:
            name, count = one.name, 1
            while name in taken:
                count += 1
                name = f"{one.name}_{count}"
            taken.add(name)
            renamed.append(one if name == one.name else Typed(name, one.types))
        names = (one.name for one in declared)
        variables = {**self.variables, **dict(zip(names, renamed, strict=True))}
        inner = Scope(
            self.tokens,
            self.types,
            self.predicates,
            self.functions,
            self.objects,
            variables,
            frozenset(taken),
        )
        return inner, tuple(renamed)


def read_formula(scope: Scope, start: int) -> Formula:
    """The formula that begins at `start`; nested only as deep as the tokens allow."""
    tokens = scope.tokens
    if not tokens.is_list(start):
        raise tokens.unexpected(start, "a formula in parentheses")
    reader = _READERS.get(tokens.words[start + 1])
    if reader is not None:
        return reader(scope, start)
    if tokens.ends[start] == start + 1:
        return And()
    return read_atom(scope, start)


def read_atom(scope: Scope, start: int) -> Atom:
    """A predicate with terms; the formula at `start` can be nothing else."""
    name = scope.tokens.words[start + 1]
    predicate = scope.predicates.get(name)
    if predicate is None:
        raise _not_a_predicate(scope, start)
    return Atom(name, _read_terms(scope, start, "predicate", predicate))


def read_expression(scope: Scope, start: int) -> Expression:
    tokens = scope.tokens
    word = tokens.words[start]
    if word != "(":
        if word in scope.functions and not scope.functions[word].parameters:
            return Fluent(word)
        if word in WORDS:
            raise refused(tokens, start, WORDS[word])
        return Constant(read_number(tokens, start))
    head = tokens.head(start)
    if head in _OPERATORS:
        return _read_arithmetic(scope, start, head)
    return read_fluent(scope, start)


def read_fluent(scope: Scope, start: int) -> Fluent:
    tokens = scope.tokens
    if not tokens.is_list(start):
        raise tokens.unexpected(start, "a function in parentheses")
    name = tokens.head(start)
    function = scope.functions.get(name)
    if function is None:
        if name in WORDS:
            raise refused(tokens, start + 1, WORDS[name])
        found = f"unknown function {quoted(tokens.words[start + 1])}"
        raise tokens.error(start + 1, found, _one_of(scope.functions, "a declared function"))
    return Fluent(name, _read_terms(scope, start, "function", function))


def read_number(tokens: Tokens, index: int) -> Number:
    """Exact: 0.1 is a tenth."""
    word = tokens.words[index]
    if _NUMBER.fullmatch(word) is None or len(word) > LONGEST:
        raise tokens.unexpected(index, "a number")
    value = Fraction(word.removesuffix("."))
    return value.numerator if value.denominator == 1 else value


def arguments(tokens: Tokens, start: int, count: int, what: str) -> list[int]:
    """Where the arguments of the list at `start` begin; there must be `count` of them."""
    parts = tokens.after_head(start)
    if len(parts) < count:
        raise tokens.unexpected(tokens.ends[start], what)
    if len(parts) > count:
        raise tokens.unexpected(parts[count], f"')' after {what}")
    return parts


def _read_terms(
    scope: Scope, start: int, what: str, declared: Predicate | Function
) -> tuple[Term, ...]:
    tokens, parameters = scope.tokens, declared.parameters
    first = start + 2
    terms = tokens.words[first : tokens.ends[start]]
    if "(" in terms:
        raise tokens.unexpected(first + terms.index("("), "an object or a variable")
    if len(terms) != len(parameters):
        raise _wrong_arity(tokens, start, what, declared, len(terms))
    variables, found = scope.variables, []
    for at, term in enumerate(terms):
        variable, wanted = variables.get(term), parameters[at].types
        if variable is not None and (wanted == _ANY or wanted == variable.types):
            found.append(variable.name)
        else:
            found.append(_read_term(scope, first + at, term, wanted))
    return tuple(found)


def _read_term(scope: Scope, index: int, term: str, wanted: tuple[str, ...]) -> Term:
    if term[0] == "?":
        variable = scope.variables.get(term)
        if variable is None:
            found = f"variable {quoted(term)} is not declared"
            raise scope.tokens.error(index, found, _one_of(scope.variables, "a parameter"))
        if wanted[0] != OBJECT and not _may_fit(scope, variable.types, wanted):
            raise _wrong_type(scope.tokens, index, wanted, variable.types)
        return variable.name
    kinds = scope.objects.get(term)
    if kinds is None:
        raise _no_object(scope, index)
    if wanted[0] != OBJECT and kinds.isdisjoint(wanted):
        raise _wrong_type(scope.tokens, index, wanted, sorted(kinds))
    return term


def _may_fit(scope: Scope, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Could an object of one of `types` belong to one of `wanted`? Types in common count."""
    if not scope.types[types[0]].isdisjoint(wanted):
        return True
    return any(
        not above.isdisjoint(types) and not above.isdisjoint(wanted)
        for above in (*scope.types.values(), *scope.objects.values())
    )


def _read_and(scope: Scope, start: int) -> Formula:
    return And(_read_parts(scope, start))


def _read_or(scope: Scope, start: int) -> Formula:
    return Or(_read_parts(scope, start))


def _read_parts(scope: Scope, start: int) -> tuple[Formula, ...]:
    return tuple([read_formula(scope, part) for part in scope.tokens.after_head(start)])


def _read_not(scope: Scope, start: int) -> Formula:
    (part,) = arguments(scope.tokens, start, 1, "one formula")
    return Not(read_formula(scope, part))


def _read_imply(scope: Scope, start: int) -> Formula:
    condition, conclusion = arguments(scope.tokens, start, 2, "two formulas")
    return Imply(read_formula(scope, condition), read_formula(scope, conclusion))


def _read_forall(scope: Scope, start: int) -> Formula:
    return Forall(*_read_quantified(scope, start))


def _read_exists(scope: Scope, start: int) -> Formula:
    return Exists(*_read_quantified(scope, start))


def _read_quantified(scope: Scope, start: int) -> tuple[tuple[Typed, ...], Formula]:
    parts = arguments(scope.tokens, start, 2, "variables and one formula")
    declared = read_variables(scope.tokens, parts[0], scope.types)
    inner, variables = scope.within(declared)
    return variables, read_formula(inner, parts[1])


def _read_equality(scope: Scope, start: int) -> Formula:
    """Of two terms or of two numbers; a name that is an object's is taken for a term."""
    tokens = scope.tokens
    left, right = arguments(tokens, start, 2, "two terms or two numbers")
    words = (tokens.words[left], tokens.words[right])
    if not any(_is_numeric(scope, word) for word in words):
        terms = [
            _read_term(scope, index, word, (OBJECT,))
            for index, word in zip((left, right), words, strict=True)
        ]
        return Equal(*terms)
    return _read_comparison(scope, start)


def _is_numeric(scope: Scope, word: str) -> bool:
    if word == "(":
        return True
    if word in scope.objects:
        return False
    return word in scope.functions or _NUMBER.fullmatch(word) is not None


def _read_comparison(scope: Scope, start: int) -> Formula:
    left, right = arguments(scope.tokens, start, 2, "two numbers")
    relation = scope.tokens.words[start + 1]
    return Compare(relation, read_expression(scope, left), read_expression(scope, right))


def _read_arithmetic(scope: Scope, start: int, operator: str) -> Expression:
    tokens = scope.tokens
    parts = tokens.after_head(start)
    if len(parts) < 2 and not (operator == "-" and parts):
        raise tokens.unexpected(tokens.ends[start], "two numbers")
    if len(parts) > 2 and operator in "-/":
        raise tokens.unexpected(parts[2], "')' after two numbers")
    return Arithmetic(operator, tuple(read_expression(scope, part) for part in parts))


_READERS: Mapping[str, Callable[[Scope, int], Formula]] = {
    "and": _read_and,
    "or": _read_or,
    "not": _read_not,
    "imply": _read_imply,
    "forall": _read_forall,
    "exists": _read_exists,
    "=": _read_equality,
    **dict.fromkeys(("<", ">", "<=", ">="), _read_comparison),
}


def _not_a_predicate(scope: Scope, start: int) -> PddlError:
    tokens, word = scope.tokens, scope.tokens.words[start + 1]
    if word in WORDS:
        return refused(tokens, start + 1, WORDS[word])
    if word == "(":
        return tokens.unexpected(start + 1, "a predicate's name")
    found = f"unknown predicate {quoted(word)}"
    return tokens.error(start + 1, found, _one_of(scope.predicates, "a declared predicate"))


def _no_object(scope: Scope, index: int) -> PddlError:
    word = scope.tokens.words[index]
    found = f"object {quoted(word)} is not declared"
    return scope.tokens.error(index, found, _one_of(scope.objects, "a declared object"))


def _wrong_arity(
    tokens: Tokens, start: int, what: str, declared: Predicate | Function, count: int
) -> PddlError:
    """Stands at the first argument too many, or at the ")" that comes too early."""
    wanted = len(declared.parameters)
    index = min(start + 2 + wanted, tokens.ends[start])
    found = f"{what} {quoted(declared.name)} with {count} argument{'' if count == 1 else 's'}"
    return tokens.error(index, found, f"{wanted}")


def _wrong_type(
    tokens: Tokens, index: int, wanted: tuple[str, ...], types: tuple[str, ...] | list[str]
) -> PddlError:
    found = f"{quoted(tokens.words[index])} is of type {' or '.join(types)}"
    return tokens.error(index, found, f"type {' or '.join(wanted)}")


def _one_of(names: Mapping[str, object], otherwise: str) -> str:
    """The first twenty of the names."""
    listed = list(names)
    if not listed:
        return otherwise
    return "one of " + ", ".join(listed[:20]) + (", ..." if len(listed) > 20 else "")
