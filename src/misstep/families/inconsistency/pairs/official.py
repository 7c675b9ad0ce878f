"""Official SNLI and MultiNLI files → pairs, and how many rows were dropped for which reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from misstep.families.inconsistency.pairs.casing import inside, look_over, strange_sign, tidy
from misstep.families.inconsistency.pairs.files import Pair
from misstep.families.inconsistency.pairs.lines import Line, read_lines
from misstep.families.inconsistency.spec import MOST_WORDS

NO_LABEL, OTHER_LABEL = "no gold label (-)", "another label than entailment"
EMPTY, TOO_LONG = "an empty sentence", f"more than {MOST_WORDS} words"
EQUAL, AGAIN = "A equal to B", "a pair that came before"
QUESTION, QUOTES = "a question", "quotes"
STRANGE = "a sign that can't be printed"
REASONS = (NO_LABEL, OTHER_LABEL, EMPTY, STRANGE, TOO_LONG, EQUAL, QUESTION, QUOTES, AGAIN)
"""In the order in which they are looked for; the first one found counts."""

_LABELS = ("entailment", "neutral", "contradiction", "-")

_ASKS = re.compile(
    r"(?:(?:so|well|oh|um|uh|hm+|and|but|yeah|now|uh-huh|um-hum)\b[, ]*)*"
    r"(?:(?:what|who|whom|whose|which|where|why|how)\b"
    r"|(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might)"
    r"(?:n['’]?t)?\s+(?:i|you|he|she|it|we|they|there|this|that|these|those|anyone|someone)\b"
    r"|(?:is|are|was|were|does|did)(?:n['’]?t)?\s+(?:the|a|an|my|your|his|our|their)\b)",
    re.IGNORECASE,
)
_QUOTES = re.compile(r"[\"“”„«»`]|(?:^|[\s(])['‘](?=\w)|[^\w\s]['’](?:$|\s)|(?:^|\s)['’](?:$|\s)")


@dataclass(frozen=True)
class Imported:
    """A file's pairs in its order; `dropped` counts its other rows by reason."""

    path: Path
    rows: int
    pairs: tuple[Pair, ...]
    dropped: Mapping[str, int]


@dataclass(frozen=True)
class _Row:
    label: str
    a: str
    b: str


def import_pairs(path: Path, source: str, *, is_paper: bool = False) -> Imported:
    """The pairs of one file. With `is_paper` only A equal to B is a reason beside label and
    length; the sentences are made to stand inside others all the same.

    How the file writes a word elsewhere helps to tell names, so a pair's text depends on its file,
    and on nothing else.
    """
    rows = [_row(line) for line in read_lines(path)]
    seen = look_over(sentence for row in rows for sentence in (row.a, row.b))
    dropped: Counter[str] = Counter()
    pairs: dict[tuple[str, str], Pair] = {}
    for row in rows:
        reason = _reason(row, is_paper=is_paper)
        if reason is None:
            made = Pair(inside(row.a, row.b, seen), inside(row.b, row.a, seen), source)
            reason = AGAIN if (made.a, made.b) in pairs else None
            pairs.setdefault((made.a, made.b), made)
        if reason is not None:
            dropped[reason] += 1
    counted = {reason: dropped[reason] for reason in REASONS if dropped[reason]}
    return Imported(path, len(rows), tuple(pairs.values()), counted)


def _row(line: Line) -> _Row:
    """BadInput where a field is missing, or a label is none of the corpora's."""
    label = line.text("gold_label").strip()
    if label not in _LABELS:
        line.refuse("gold_label", label, _LABELS)
    return _Row(label, line.text("sentence1"), line.text("sentence2"))


def _reason(row: _Row, *, is_paper: bool) -> str | None:
    """Why the row is no pair to ask about, or None."""
    if row.label != "entailment":
        return NO_LABEL if row.label == "-" else OTHER_LABEL
    if not tidy(row.a) or not tidy(row.b):
        return EMPTY
    if strange_sign(tidy(row.a) + tidy(row.b)) is not None:
        return STRANGE
    if max(len(row.a.split()), len(row.b.split())) > MOST_WORDS:
        return TOO_LONG
    if is_paper:
        return EQUAL if row.a.strip() == row.b.strip() else None
    if tidy(row.a).casefold() == tidy(row.b).casefold():
        return EQUAL
    if any(is_question(text) for text in (row.a, row.b)):
        return QUESTION
    return QUOTES if has_quotes((row.a, row.b)) else None


def is_question(text: str) -> bool:
    """By its mark, or, as MNLI's speech has no marks, by how it begins."""
    return "?" in text or _ASKS.match(text.strip()) is not None


def has_quotes(texts: Iterable[str]) -> bool:
    """Double ones anywhere; single ones where they can't be an apostrophe."""
    return any(_QUOTES.search(text) is not None for text in texts)


def totals(files: Sequence[Imported]) -> dict[str, int]:
    """The dropped rows of all files, by reason."""
    return {
        reason: count
        for reason in REASONS
        if (count := sum(file.dropped.get(reason, 0) for file in files))
    }
