"""What the words of a reply can mean in one task: actions by their templates, objects by name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from misstep.planning.model import Domain, Problem
from misstep.planning.reading.vocabulary import words_of

_SLOT = re.compile(r"\{(\d+)(?::([\w-]+))?\}")
_NUMBER = re.compile(r"\d+")
_BORDER = re.compile(r"(?<=\d)[\s_-]+(?=\d)")
_GAP = re.compile(r"[\s_-]+")
_WORD = re.compile(r"\w+(?:-\w+)*")
_TOKEN = re.compile(r"\w+(?:[-']\w+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Slot:
    """An action's object in a template, with the words before it and the kind it must be."""

    index: int
    before: frozenset[str]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A template: its first words (`head`, see `squeeze`), then its objects as they are said.

    `after` is a word that must follow the last object ("put {0} down"). `loose` marks a wording
    of ours that the prompt doesn't use: it counts only where a step is due, and only whole.
    `parts` has the whole template, word by word, with its objects' numbers between.
    """

    action: str
    arity: int
    head: str
    slots: tuple[Slot, ...]
    ignore: frozenset[str] = frozenset()
    loose: bool = False
    after: str = ""
    parts: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fill:
    """A left-out object: the second term of the fact whose first is the step's object `of`."""

    slot: int
    of: int
    fact: str


@dataclass(frozen=True)
class Lexicon:
    """`said` maps what an object is called (squeezed) to its name; `kinds` its types and facts."""

    patterns: Mapping[str, tuple[Pattern, ...]]
    arities: Mapping[str, int]
    predicates: frozenset[str]
    said: Mapping[str, str]
    shapes: Mapping[str, str]
    nouns: frozenset[str]
    kinds: Mapping[str, frozenset[str]]
    joints: frozenset[str]
    places: Mapping[tuple[str, str], str] = field(default_factory=dict)
    fills: Mapping[str, Fill] = field(default_factory=dict)
    facts: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def object_named(self, words: str) -> str | None:
        """The object that is called so, or a name in the pattern of the task's objects."""
        key = squeeze(words)
        if (found := self.said.get(key)) is not None:
            return found
        stem, _, noun = words.replace("_", "-").rpartition("-")
        if stem and noun in self.nouns:
            return self.object_named(stem)
        numbers = _NUMBER.findall(words)
        if not numbers:
            return None
        shape = self.shapes.get(
            squeeze(_NUMBER.sub("#", words.replace("-", "_").replace(" ", "_")))
        )
        if shape is None or shape.count("#") != len(numbers):
            return None
        for number in numbers:
            shape = shape.replace("#", number, 1)
        return shape


@lru_cache(maxsize=1 << 16)
def squeeze(words: str) -> str:
    """Case, blanks, hyphens and underscores make no difference between names in a reply; but
    between two numbers a border stays ("1-11" is not "11-1")."""
    return _GAP.sub("", _BORDER.sub(".", words.lower()))


@dataclass(frozen=True)
class ReadingWords:
    """How a domain's actions and objects are said, beside their names in PDDL.

    `read` has each action's templates, in which {0} is its first object; `objects` has what
    objects are called, # standing for a number. `is_own`: every template is the prompt's own.
    """

    read: Mapping[str, Sequence[str]] = field(default_factory=dict)
    objects: Mapping[str, str] = field(default_factory=dict)
    nouns: Sequence[str] = ()
    kinds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ignore: Mapping[str, Sequence[str]] = field(default_factory=dict)
    places: Mapping[tuple[str, str], str] = field(default_factory=dict)
    fills: Mapping[str, Fill] = field(default_factory=dict)
    is_own: bool = False


@cache
def published_wordings() -> tuple[tuple[frozenset[str], ReadingWords], ...]:
    """The wordings of published prompts, each with the actions its domain must have."""
    text = resources.files(__package__).joinpath("published.toml").read_text("utf-8")
    tables = tomllib.loads(text)["wording"]
    return tuple((frozenset(table["actions"]), reading_words_of(table)) for table in tables)


def reading_words_of(table: Mapping[str, Any]) -> ReadingWords:  # Any: a table just read from TOML
    """From a table in the form of `published.toml`."""
    places = {
        (squeeze(head), at): place["action"]
        for place in table.get("place", ())
        for head in place["head"]
        for at in place["at"]
    }
    fills = {action: Fill(**fill) for action, fill in table.get("fill", {}).items()}
    return ReadingWords(
        read=table.get("read", {}),
        objects={said: name for name, said in _turned(table.get("objects", {}))},
        nouns=table.get("nouns", ()),
        kinds=table.get("kinds", {}),
        ignore=table.get("ignore", {}),
        places=places,
        fills=fills,
    )


def _turned(objects: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    return ((name, said) for said, name in objects.items())


def lexicon_for(
    domain: Domain, problem: Problem | None = None, wording: ReadingWords | None = None
) -> Lexicon:
    """The task's own names, the wording given, and the published wordings of such a domain."""
    names = frozenset(domain.action)
    wordings = [wording] if wording else []
    wordings += [found for actions, found in published_wordings() if actions <= names]
    arities = {action.name: len(action.parameters) for action in domain.actions}
    patterns: dict[str, list[Pattern]] = {}
    for pattern in _patterns(arities, wordings):
        patterns.setdefault(pattern.head, []).append(pattern)
    objects = tuple(item.name for item in problem.all_objects) if problem else ()
    said, shapes = _object_words(objects, wordings)
    places = {key: action for found in reversed(wordings) for key, action in found.places.items()}
    return Lexicon(
        patterns={head: tuple(found) for head, found in patterns.items()},
        arities=arities,
        predicates=frozenset(predicate.name for predicate in domain.predicates),
        said=said,
        shapes=shapes,
        nouns=_nouns(domain, wordings),
        kinds=_kinds(problem, wordings),
        joints=_joints(patterns),
        places=places,
        fills={name: fill for found in reversed(wordings) for name, fill in found.fills.items()},
        facts=_facts(problem),
    )


def _patterns(arities: Mapping[str, int], wordings: Sequence[ReadingWords]) -> Iterable[Pattern]:
    for action, arity in arities.items():
        ignore = frozenset(word for found in wordings for word in found.ignore.get(action, ()))
        bare = tuple(Slot(index, frozenset()) for index in range(arity))
        published = [
            _compiled(text, action, arity, ignore, is_own=found.is_own)
            for found in wordings
            for text in found.read.get(action, ())
        ]
        slots = next((p.slots for p in published if len(p.slots) == arity), bare)
        if [slot.index for slot in slots] != list(range(arity)):
            slots = bare
        yield Pattern(action, arity, squeeze(action), slots, ignore)
        yield from published


def _compiled(
    text: str, action: str, arity: int, ignore: frozenset[str], *, is_own: bool
) -> Pattern:
    """A template such as "unstack {0} from on top of {1}"."""
    pieces = list(_SLOT.finditer(text))
    head = text[: pieces[0].start()] if pieces else text
    slots = []
    for before, piece in zip([None, *pieces], pieces, strict=False):
        words = text[before.end() : piece.start()] if before else ""
        slots.append(Slot(int(piece[1]), frozenset(_WORD.findall(words.lower())), piece[2] or ""))
    said = action.split("-", maxsplit=1)[0] in squeeze(head) or re.search(r"\d", head)
    loose = not (is_own or said)
    after = text[pieces[-1].end() :].strip().lower() if pieces else ""
    parts = _parts(text)
    return Pattern(action, arity, squeeze(head), tuple(slots), ignore, loose, after, parts)


def _parts(text: str) -> tuple[str | int, ...]:
    parts: list[str | int] = []
    end = 0
    for piece in _SLOT.finditer(text):
        parts += [*_TOKEN.findall(text[end : piece.start()].lower()), int(piece[1])]
        end = piece.end()
    return (*parts, *_TOKEN.findall(text[end:].lower()))


def _object_words(
    objects: Sequence[str], wordings: Sequence[ReadingWords]
) -> tuple[dict[str, str], dict[str, str]]:
    said: dict[str, str] = {}
    shapes: dict[str, str] = {}
    for wording in reversed(wordings):
        for words, name in wording.objects.items():
            (shapes if "#" in words else said)[squeeze(words)] = name
    said.update({squeeze(name): name for name in objects})
    return said, shapes


def _nouns(domain: Domain, wordings: Sequence[ReadingWords]) -> frozenset[str]:
    types = {typed.name for typed in domain.types}
    return frozenset(types | {"object"} | {noun for found in wordings for noun in found.nouns})


def _kinds(problem: Problem | None, wordings: Sequence[ReadingWords]) -> dict[str, frozenset[str]]:
    if problem is None:
        return {}
    kinds = {name: set(types) for name, types in problem.types_of.items()}
    for atom in problem.init:
        if len(atom.terms) == 1 and atom.terms[0] in kinds:
            kinds[atom.terms[0]].add(atom.predicate)
    for wording in wordings:
        for kind, names in wording.kinds.items():
            for found in kinds.values():
                if not found.isdisjoint(names):
                    found.add(kind)
    return {name: frozenset(found) for name, found in kinds.items()}


def _facts(problem: Problem | None) -> dict[tuple[str, str], str]:
    """Two-place facts at the start: (predicate, first term) → second term."""
    init = problem.init if problem else ()
    return {(atom.predicate, atom.terms[0]): atom.terms[1] for atom in init if len(atom.terms) == 2}


def _joints(patterns: Mapping[str, Sequence[Pattern]]) -> frozenset[str]:
    """Words that may stand between an action's objects."""
    own = {
        word
        for group in patterns.values()
        for pattern in group
        for slot in pattern.slots
        for word in slot.before
    }
    return words_of("joints") | own
