"""Templates of a user's own: text with {fields}, where {{ and }} stand for braces themselves."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter


def fields(template: str) -> tuple[str, ...]:
    """The names of its fields, each once; ValueError says what is wrong with it."""
    found: dict[str, None] = {}
    for _, name, form, conversion in Formatter().parse(template):
        if name is None:
            continue
        if not name.isidentifier() or form or conversion:
            said = f"{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}"
            raise ValueError(
                f"{{{said[:60]}}} is no field; write {{{{ and }}}} for braces themselves"
            )
        found[name] = None
    return tuple(found)


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with each field's value, which is taken as it stands."""
    pieces = []
    for literal, name, _, _ in Formatter().parse(template):
        pieces.append(literal)
        if name is not None:
            pieces.append(values[name])
    return "".join(pieces)
