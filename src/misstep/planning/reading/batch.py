"""Many replies at once: lines of JSON in, one reading for each out, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeAlias

from misstep.planning.cases import Fields, domain_of, results, shown, text_of
from misstep.planning.errors import PlanningError
from misstep.planning.model import Domain
from misstep.planning.parsing import read_problem
from misstep.planning.reading.lexicon import Lexicon, lexicon_for
from misstep.planning.reading.own_words import own_words
from misstep.planning.reading.reader import read_with
from misstep.planning.recognising import known_wording
from misstep.planning.wording import Wording

_Known: TypeAlias = tuple[Domain, Wording | None]


def read_lines(
    lines: Iterable[str],
    folder: Path,
    file: str = "",
    wording_of: Callable[[Domain], Wording | None] = known_wording,
) -> Iterator[dict[str, object]]:
    """Each line has `domain_pddl` (a file beside the lines, in `folder` or its `domains/`, or the
    text), `problem_pddl`, `response` and, if it is there, `query` and `stop_reason`.

    Replies are read by the words that `wording_of` gives for their domain, beside the published
    ones: by itself, those of a shipped domain or of its disguises. Out come `id`, `outcome`,
    `value` (plan, no_plan, null), `plan` (list of texts or null) and `line`. Raises PlanningError
    that names the line, in `file`, for anything that isn't such a case.
    """

    @lru_cache(maxsize=64)
    def known(text: str) -> _Known:
        domain = domain_of(text, folder)
        return domain, wording_of(domain)

    return results(lines, file, partial(_read, known=known))


def _read(fields: Fields, known: Callable[[str], _Known]) -> dict[str, object]:
    domain, wording = known(text_of(fields, "domain_pddl"))
    lexicon = _lexicon(domain, wording, text_of(fields, "problem_pddl"))
    reply = text_of(fields, "response")
    reading = read_with(
        reply, lexicon, _optional(fields, "query") or "", _optional(fields, "stop_reason")
    )
    return {
        "id": fields.get("id"),
        "outcome": reading.outcome,
        "value": reading.value,
        "plan": reading.texts,
        "line": reading.line,
    }


def _optional(fields: Fields, name: str) -> str | None:
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return value
    raise PlanningError(f"{name}: {shown(value)} is not text")


def _lexicon(domain: Domain, wording: Wording | None, problem_text: str) -> Lexicon:
    problem = read_problem(problem_text, domain, "problem_pddl")
    words = own_words(domain, wording, problem) if wording else None
    return lexicon_for(domain, problem, words)
