"""A domain's own wording file as words to read replies by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from misstep.planning.model import Domain, Problem
from misstep.planning.reading.lexicon import ReadingWords
from misstep.planning.wording import Phrasebook, Template, Wording, phrasebook
from misstep.planning.wording.sorts import Sort, action_sorts

_ARTICLES = ("the ", "a ", "an ")


def own_words(domain: Domain, wording: Wording, problem: Problem | None = None) -> ReadingWords:
    """The templates by which its actions are said and read, its objects' phrases and nouns."""
    sorts = action_sorts(domain, wording)
    read = {
        name: tuple(_text(template, sorts[name]) for template in (action.say, *action.read))
        for name, action in wording.actions.items()
    }
    nouns = {word for kind in wording.kinds.values() for word in (kind.singular, kind.plural)}
    objects = dict(_phrases(phrasebook(problem, wording))) if problem else {}
    return ReadingWords(read=read, objects=objects, nouns=sorted(nouns), is_own=True)


def _text(template: Template, sorts: Sequence[Sort]) -> str:
    """With what each slot must be, where one word says it: "load {0} into {1:truck}"."""
    parts = (
        part if isinstance(part, str) else f"{{{part}{_kind(sorts[part])}}}"
        for part in template.parts
    )
    return "".join(parts)


def _kind(sort: Sort) -> str:
    allowed = sort.types if sort.marks is None else sort.marks
    only = sorted(allowed)[0] if len(allowed) == 1 else ""
    return f":{only}" if only and only != "object" else ""


def _phrases(book: Phrasebook) -> Iterator[tuple[str, str]]:
    for phrase, name in book.known.items():
        yield phrase, name
        for article in _ARTICLES:
            if phrase.startswith(article):
                yield phrase.removeprefix(article), name
