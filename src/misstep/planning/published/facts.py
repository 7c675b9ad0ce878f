"""Facts as published prompts and the replies to them say them, in words or in PDDL."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from misstep.planning.model import Atom, Problem
from misstep.planning.reading.lexicon import Lexicon

_SLOT = re.compile(r"\{(\d)(?::([\w-]+))?\}")
_BETWEEN = re.compile(r",\s*(?:and\s+)?|\s+and\s+|\s*[;\n]\s*")
_BULLET = re.compile(r"^[\s>]*(?:[-*\u2022+]|\d{1,3}[.)])\s+")
_EMPHASIS = re.compile(r"\*\*|__|`|\$")
_FORM = re.compile(r"\(\s*(not\s*\(\s*)?([^()]+?)\s*\)(?:\s*\))?")
_LONGEST = 200
_TOKENS = re.compile(r"</?s>|<\|\w+\|>")
_DENIAL = re.compile(r"\b(is|does) not\b")


@dataclass(frozen=True, slots=True)
class FactsSaid:
    """Each fact once, as it came; `unread` are the pieces that are no fact."""

    holding: tuple[Atom, ...] = ()
    denied: tuple[Atom, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """As PDDL, the denials too."""
        return (*(f.text for f in self.holding), *(f"(not {f.text})" for f in self.denied))


def facts_said(text: str, problem: Problem, lexicon: Lexicon) -> FactsSaid:
    """All that a list of facts says."""
    holding, denied, unread = dict[Atom, None](), dict[Atom, None](), list[str]()
    for piece, holds in _pieces(text):
        fact = fact_of(piece, problem, lexicon)
        if fact is None:
            unread.append(piece)
        else:
            (holding if holds else denied)[fact] = None
    return FactsSaid(tuple(holding), tuple(denied), tuple(unread))


def last_listed(text: str, problem: Problem, lexicon: Lexicon) -> FactsSaid:
    """The last run of lines that say nothing but facts, blank lines between them or not: where a
    reply tells state after state, the last one. All that is said, where no line is so."""
    run: list[str] = []
    is_open = False
    for line in map(_without_lead, filter(str.strip, text.splitlines())):
        said = facts_said(line, problem, lexicon)
        is_listed = bool(said.texts) and not said.unread
        if is_listed and not is_open:
            run = []
        run += [line] if is_listed else []
        is_open = is_listed
    return facts_said("\n".join(run) if run else text, problem, lexicon)


def fact_of(words: str, problem: Problem, lexicon: Lexicon) -> Atom | None:
    """The fact that the words are, of the problem's own objects; None where they are none."""
    words = words.strip().lower()
    if len(words) > _LONGEST:
        return None
    if form := _FORM.fullmatch(words):
        predicate, *objects = form[2].split()
        return _known(predicate, objects, problem)
    return next(filter(None, _read(words, problem, lexicon)), None)


def without_tokens(reply: str) -> str:
    """Without a model's own signs, such as "<s>", which some stored replies begin with."""
    return _TOKENS.sub("", reply)


def is_said(predicate: str) -> bool:
    """Whether prompts have words for such facts."""
    return predicate in _phrases()


def _read(words: str, problem: Problem, lexicon: Lexicon) -> Iterator[Atom | None]:
    for predicate, phrases in _phrases().items():
        if predicate not in lexicon.predicates:
            continue
        for phrase in phrases:
            if found := phrase.pattern.fullmatch(words):
                objects = [_named(said.removeprefix("the "), lexicon) for said in found.groups()]
                if phrase.fits(objects, lexicon):
                    yield _known(predicate, objects, problem)


def _known(predicate: str, objects: Sequence[str], problem: Problem) -> Atom | None:
    declared = problem.domain.predicate.get(predicate)
    if declared is None or len(declared.parameters) != len(objects):
        return None
    return Atom(predicate, tuple(objects)) if problem.types_of.keys() >= set(objects) else None


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Each with whether it is said to hold."""
    for line in _EMPHASIS.sub("", text).splitlines():
        bare = _BULLET.sub("", line).strip()
        if bare.startswith("("):
            yield from ((f"({form[2]})", not form[1]) for form in _FORM.finditer(bare))
            continue
        for part in filter(None, (piece.strip(" .:") for piece in _BETWEEN.split(bare))):
            said = _DENIAL.sub(r"\1", part, count=1)
            yield said, said == part


def _without_lead(line: str) -> str:
    """ "The resulting state is: …" without what stands before the colon."""
    lead, colon, rest = line.partition(": ")
    return rest if colon and rest.strip() and "(" not in lead else line


def _named(words: str, lexicon: Lexicon) -> str:
    """The object's name; "" for what is no object's name."""
    noun, _, rest = words.partition(" ")
    bare = rest if rest and noun in lexicon.nouns else words
    return lexicon.object_named(bare.replace(" ", "-")) or ""


@dataclass(frozen=True, slots=True)
class _Phrase:
    """`kinds`: what each object must be; "" where it may be anything."""

    pattern: re.Pattern[str]
    kinds: tuple[str, ...]

    def fits(self, objects: Sequence[str], lexicon: Lexicon) -> bool:
        return all(
            not kind or kind in lexicon.kinds.get(name, ())
            for name, kind in zip(objects, self.kinds, strict=True)
        )


@cache
def _phrases() -> dict[str, tuple[_Phrase, ...]]:
    text = resources.files(__package__).joinpath("statements.toml").read_text("utf-8")
    tables: dict[str, list[str]] = tomllib.loads(text)
    return {name: tuple(map(_compiled, phrases)) for name, phrases in tables.items()}


def _compiled(phrase: str) -> _Phrase:
    kinds = tuple(slot[2] or "" for slot in _SLOT.finditer(phrase))
    parts = [re.escape(part) for part in re.split(r"\{[^}]*\}", phrase)]
    return _Phrase(re.compile("(.+)".join(parts)), kinds)
