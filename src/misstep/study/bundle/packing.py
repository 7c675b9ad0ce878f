"""The tables of all places as one script that a page can load from anywhere, a disk too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from misstep.study.bundle.table import Way, way_of
from misstep.study.course.nouns import Ending, Study
from misstep.study.course.way import end
from misstep.study.screens import Json, plain

SCHEMA = 1
NAME = "MISSTEP_SCREENS"
_LONG = 200
"""Characters from which a text is kept once for all screens: pictures, instructions."""


def packed(study: Study, places: int) -> str:
    """A script of plain ASCII; the same study and places give the same text."""
    pack = _Pack()
    ways = [pack.way(way_of(study, slot)) for slot in range(places)]
    table: dict[str, Json] = {
        "schema": SCHEMA,
        "study": study.digest,
        "consent": study.consent_digest,
        "places": places,
        "withdrawn": pack.shared(plain(end(study, Ending.WITHDRAWN))),
        "ways": ways,
        "shared": list(pack.texts),
        "screens": pack.screens,
    }
    # "<" can't end the script where the text is put into a page by somebody.
    said = json.dumps(table, separators=(",", ":")).replace("<", "\\u003c")
    return f"window.{NAME} = {said};\n"


def unpacked(script: str) -> Mapping[str, Json]:
    """What `packed` said."""
    found: Mapping[str, Json] = json.loads(script.partition(" = ")[2].rstrip().rstrip(";"))
    return found


class _Pack:
    """Texts and screens by what they say, numbered as they are first met."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.screens: list[Json] = []
        self._numbers: dict[str, int] = {}

    def way(self, way: Way) -> Mapping[str, Json]:
        found: dict[str, Json] = {}
        for name in sorted(way):
            node = way[name]
            step: dict[str, Json] = {
                "key": node.key,
                "part": node.part,
                "done": node.done,
                "total": node.total,
                "trial": node.trial,
                "screen": self._screen(node.screen),
                "next": node.next,
                "by": dict(sorted(node.by.items())),
            }
            if node.next is None and isinstance(node.screen, Mapping):
                step["ending"] = node.screen["ending"]
            found[name] = step
        return found

    def _screen(self, screen: Json) -> int:
        said = json.dumps(screen, sort_keys=True)
        if said not in self._numbers:
            self._numbers[said] = len(self.screens)
            self.screens.append(self.shared(screen))
        return self._numbers[said]

    def shared(self, value: Json) -> Json:
        if isinstance(value, str):
            if len(value) < _LONG:
                return value
            return {"shared": self.texts.setdefault(value, len(self.texts))}
        if isinstance(value, Mapping):
            return {name: self.shared(one) for name, one in value.items()}
        if isinstance(value, Sequence):
            return [self.shared(one) for one in value]
        return value
