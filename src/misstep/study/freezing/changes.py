"""What differs between two frozen documents, a line for each, by the names of the study file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from misstep.study.freezing.document import Document
from misstep.study.screens import Json

_DIGESTS = ("digest", "consent_digest")
"""They follow from the rest, and from what isn't frozen."""
_MOST_SAID = 60


def changes(before: Document, after: Document) -> tuple[str, ...]:
    """None where the study is as it was frozen."""
    return tuple(_changes(before, after))


def _changes(before: Document, after: Document) -> Iterator[str]:
    yield from _differing("versions", before["versions"], after["versions"])
    yield from _differing("", _without(before["study"]), _without(after["study"]))
    for name in ("texts", "links", "bonus", "exclusions"):
        yield from _differing(name, before[name], after[name])
    yield from _blocks(_listed(before["blocks"]), _listed(after["blocks"]))
    yield from _analyses(_table(before["analysis"]), _table(after["analysis"]))
    yield from _counted(
        "who meets what", "places", _table(before["places"]), _table(after["places"])
    )


def _blocks(before: Sequence[Json], after: Sequence[Json]) -> Iterator[str]:
    if len(before) != len(after):
        yield f"blocks: {len(before)} → {len(after)}"
    for number, (one, other) in enumerate(zip(before, after, strict=False), start=1):
        old, new = dict(_table(one)), dict(_table(other))
        for name in ("trial_items", "practice_items"):
            what = f"{name.partition('_')[0]} items of block {number}"
            yield from _counted(what, "items", _table(old.pop(name)), _table(new.pop(name)))
        yield from _differing(f"block.{number}", old, new)


def _analyses(before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[str]:
    old, new = dict(before), dict(after)
    planned, found = _table(old.pop("contrasts")), _table(new.pop("contrasts"))
    for name in planned:
        if name not in found:
            yield f"planned contrast {name}: is gone"
    for name in found:
        if name not in planned:
            yield f"planned contrast {name}: is new"
        else:
            yield from _differing(f"planned contrast {name}", planned[name], found[name])
    yield from _differing("analysis", old, new)


def _counted(
    what: str, unit: str, before: Mapping[str, Json], after: Mapping[str, Json]
) -> Iterator[str]:
    """One line for however many of them."""
    differ = [name for name in before if name in after and before[name] != after[name]]
    gone = [name for name in before if name not in after]
    new = [name for name in after if name not in before]
    for names, said in ((differ, "differ"), (gone, "are gone"), (new, "are new")):
        if names:
            total = len(after if said == "are new" else before)
            yield f"{what}: {len(names)} of {total} {unit} {said}, first: {names[0]}"


def _differing(name: str, before: Json, after: Json) -> Iterator[str]:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys([*before, *after]):
            inner = f"{name}: {key}" if " " in name else f"{name}.{key}" if name else key
            yield from _differing(inner, before.get(key), after.get(key))
    elif _is_text(before) and _is_text(after):
        yield _text_line(name, _listed(before), _listed(after))
    else:
        yield f"{name}: {_said(before)} → {_said(after)}"


def _text_line(name: str, before: Sequence[Json], after: Sequence[Json]) -> str:
    pairs = list(zip_longest(before, after))
    differ = [place for place, (one, other) in enumerate(pairs) if one != other]
    old, new = pairs[differ[0]]
    many = f"{len(differ)} lines differ" if len(differ) > 1 else "a line differs"
    return f"{name}: {many}, first line {differ[0] + 1}: {_said(old)} → {_said(new)}"


def _is_text(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _said(value: Json) -> str:
    said = "none" if value is None else json.dumps(value, ensure_ascii=False)
    return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID]}…"


def _without(study: Json) -> Mapping[str, Json]:
    return {name: value for name, value in _table(study).items() if name not in _DIGESTS}


def _table(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _listed(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()
