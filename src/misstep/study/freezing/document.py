"""The frozen file: all that settles a study, in one JSON document (docs/study-freeze.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from misstep.core.items import Item, to_dict
from misstep.registry import family
from misstep.study.course.drawing import drawn, pool_of
from misstep.study.course.judging import counterpart
from misstep.study.course.nouns import Block, Study
from misstep.study.export.excluding import RULES
from misstep.study.freezing.analysis import analysis
from misstep.study.freezing.variants import variant_of
from misstep.study.screens import Json, Part
from misstep.study.trials.every import trial
from misstep.study.trials.nouns import Timing

SCHEMA, KIND = 1, "misstep study, frozen"
Document = Mapping[str, Json]


def frozen(study: Study) -> Document:
    """The same study gives the same document, whichever machine makes it. Completion codes are
    not in it, as it is to be published, nor is by what robots answer."""
    held = _held(study)
    return {"schema": SCHEMA, "kind": KIND, "sha256": digest(held), **held}


def digest(held: Document) -> str:
    """Of a document by what it says, its own digest apart, however it is laid out."""
    plain = {name: held[name] for name in held if name not in ("schema", "kind", "sha256")}
    return _hash(plain)


def text(document: Document) -> str:
    """As JSON to be read: what a person meets in an arm stands on one line."""
    return "".join(_written(document, "")) + "\n"


def hash_of(item: Item[Any]) -> str:  # Any: items of every payload
    """Of the whole item: id, version, group, payload, truth, lure, factors."""
    return _hash(to_dict(item))


def _held(study: Study) -> Document:
    return {
        "versions": {
            "misstep": version("misstep"),
            "families": {one.family: family(one.family).spec.version for one in study.blocks},
        },
        "study": {
            "title": study.title,
            "seed": study.seed,
            "people": study.people,
            "tries": study.tries,
            "minutes": study.minutes,
            "language": study.texts.language,
            "keeps_addresses": study.keep_addresses,
            "digest": study.digest,
            "consent_digest": study.consent_digest,
        },
        "texts": {
            "consent": study.texts.consent.splitlines(),
            "welcome": study.texts.welcome.splitlines(),
            "debriefing": study.texts.debriefing.splitlines(),
            **({"words": dict(sorted(study.texts.words.items()))} if study.texts.words else {}),
        },
        "links": {
            "back": study.links.back,
            "person": study.links.person,
            "study": study.links.study,
            "session": study.links.session,
        },
        "bonus": None if study.bonus is None else asdict(study.bonus),
        "exclusions": {**asdict(study.exclusions), "rules": dict(RULES)},
        "blocks": [_block(study, number) for number in range(len(study.blocks))],
        "analysis": analysis(study),
        "places": {str(slot): _place(study, slot) for slot in range(study.people)},
    }


def not_compared(document: Document) -> list[str]:
    """What of the study can't be compared, by the rehearsal of its analysis."""
    planned = document["analysis"]
    lines = planned["not_compared"] if isinstance(planned, Mapping) else []
    return [str(line) for line in lines] if isinstance(lines, list) else []


def _block(study: Study, number: int) -> Document:
    asked = study.blocks[number]
    room, met = family(asked.family), trial(asked.family)
    pool = pool_of(study, number)
    return {
        "family": asked.family,
        "version": room.spec.version,
        "variant": variant_of(asked),
        "scale": asked.scale,
        "pool": asked.pool,
        "draw": asked.draw.value,
        "design": asked.design.value,
        "items_each": asked.items,
        "practice_each": asked.practice,
        "arms": {name: _arm(asked, name) for name in asked.arms},
        "timing": {name: ms for name, ms in _times(asked, met.defaults) if ms is not None},
        "options": dict(sorted(asked.options.items())),
        "checks": [
            {
                "text": one.question.text,
                "choices": {choice.value: choice.label for choice in one.question.choices},
                "right": one.right,
            }
            for one in met.checks
        ],
        "practice_items": _hashes(pool.practice),
        "trial_items": _hashes(item for sheaf in pool.sheaves for item in sheaf),
    }


def _arm(asked: Block, name: str) -> Document:
    met = trial(asked.family)
    about = next(one.about for one in met.arms if one.name == name)
    return {
        "about": about,
        "in_records": counterpart(asked.family, name),
        "instructions": _words(met.instructions(name, asked.timing)),
    }


def _words(parts: Sequence[Part]) -> list[str]:
    said = [part.alt if part.kind == "picture" else part.text for part in parts]
    return [line for one in said for line in one.splitlines()]


def _times(asked: Block, usual: Timing) -> list[tuple[str, int | None]]:
    stated = asdict(asked.timing)
    return [
        (name, default if stated[name] is None else stated[name])
        for name, default in asdict(usual).items()
    ]


def _hashes(items: Iterable[Item[Any]]) -> Document:  # Any: items of every payload
    return {item.id: hash_of(item) for item in items}


def _place(study: Study, slot: int) -> list[Json]:
    """What a person at this place meets, arm after arm in the order of meeting them."""
    return [
        {
            "block": number + 1,
            "arm": one.arm,
            "practice": [item.id for item in one.practice],
            "trials": [item.id for item in one.trials],
        }
        for number in range(len(study.blocks))
        for one in drawn(study, number, slot)
    ]


def _hash(value: object) -> str:
    plain = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(plain.encode()).hexdigest()


def _written(value: Json, indent: str) -> Iterable[str]:
    inner = indent + "  "
    if isinstance(value, Mapping) and value and "trials" not in value:
        yield "{"
        for place, (key, one) in enumerate(value.items()):
            yield f"{',' if place else ''}\n{inner}{json.dumps(key)}: "
            yield from _written(one, inner)
        yield f"\n{indent}}}"
    elif isinstance(value, list) and value:
        yield "["
        for place, one in enumerate(value):
            yield f"{',' if place else ''}\n{inner}"
            yield from _written(one, inner)
        yield f"\n{indent}]"
    else:
        yield json.dumps(value, ensure_ascii=False)
