"""The other way to put a domain: plain PDDL, through the same doors as the English wording."""

from __future__ import annotations

from collections.abc import Sequence

from misstep.planning.model import Domain
from misstep.planning.wording.defaults import plural_of, type_names
from misstep.planning.wording.guessing import as_words
from misstep.planning.wording.nouns import ActionWording, FactWording, Kind, Wording
from misstep.planning.wording.templates import Template
from misstep.planning.writing import write_domain


def pddl_wording(domain: Domain, title: str = "") -> Wording:
    """Actions as "(stack a b)", facts as "(on a b)", objects by name, the domain as its text."""
    return Wording(
        title=title or domain.name,
        introduction=write_domain(domain).strip(),
        kinds={name: _kind(name) for name in type_names(domain)},
        facts={each.name: _fact(each.name, each.parameters) for each in domain.predicates},
        actions={
            each.name: ActionWording(_template(each.name, each.parameters))
            for each in domain.actions
        },
        functions={each.name: _template(each.name, each.parameters) for each in domain.functions},
        style="pddl",
    )


def _kind(name: str) -> Kind:
    return Kind(name, as_words(name), plural_of(as_words(name)), say="{name}")


def _fact(name: str, parameters: Sequence[object]) -> FactWording:
    say = _template(name, parameters)
    denial = Template(f"(not {say.text})", ("(not ", *say.parts, ")"))
    return FactWording(say, denial)


def _template(name: str, parameters: Sequence[object]) -> Template:
    """ "(stack {1} {2})"; spaces stand between the parts."""
    parts: list[str | int] = [f"({name}"]
    for place in range(len(parameters)):
        parts += [" ", place]
    text = f"({' '.join((name, *(f'{{{place + 1}}}' for place in range(len(parameters)))))})"
    return Template(text, (*parts, ")"))
