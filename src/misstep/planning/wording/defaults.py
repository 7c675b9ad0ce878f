"""A first wording made of a domain's own names, for what its wording file leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from misstep.planning.model import OBJECT, Domain, Typed
from misstep.planning.wording.guessing import as_words
from misstep.planning.wording.nouns import Kind


def parameter_names(parameters: Sequence[Typed]) -> tuple[str, ...]:
    """Without their question marks, as slots have them."""
    return tuple(parameter.name.removeprefix("?") for parameter in parameters)


def denial_template(fact: str) -> str:
    """A fact's template turned to its opposite: the first "is" or "am" becomes "is not"."""
    for verb in (" is ", " am ", " are "):
        if verb in fact:
            return fact.replace(verb, f"{verb}not ", 1)
    return f"it is not the case that {fact}"


def function_template(name: str, parameters: Sequence[str]) -> str:
    """ "the distance of {x} and {y}"."""
    slots = " and ".join(f"{{{parameter}}}" for parameter in parameters)
    return f"the {as_words(name)} of {slots}" if slots else f"the {as_words(name)}"


def default_kind(name: str) -> Kind:
    """A type said by its own name, with a plain English plural."""
    singular = as_words(name)
    return Kind(name, singular, plural_of(singular))


def plural_of(noun: str) -> str:
    """Regular English plurals; others are for the wording file."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def type_names(domain: Domain) -> tuple[str, ...]:
    """The declared types, or `object` alone where there are none."""
    return tuple(typed.name for typed in domain.types) or (OBJECT,)
