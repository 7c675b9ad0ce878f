"""Word lists: words that carry a sentence's form, and names that keep their capital."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_NAMES = Path(__file__).parent / "names.txt"

_FORM = """
a an the this that these those some any each every all both no none neither either many much
more most few fewer several other another such own same
i you he she it we they me him her us them my your his its our their mine yours ours theirs
someone somebody something anyone anybody anything everyone everybody everything nobody nothing
one two three four five six seven eight nine ten eleven twelve first second third last
is are was were be been being am do does did done have has had having can could will would
shall should may might must need not never always
of in on at to from by with without for about into onto over under above below between among
through during before after since until against within across along around behind near off out
up down than as like per
and or but nor so yet if then because while when whenever where wherever although though unless
who whom whose which what why how there here now just only also too very quite even still again
yes no yeah yep oh ah well okay ok please perhaps maybe
"""
FORM = frozenset(_FORM.split())
"""Articles, pronouns, small numbers, auxiliaries, prepositions, conjunctions and the like."""

SELF = frozenset({"I", "I'm", "I've", "I'd", "I'll", "I’m", "I’ve", "I’d", "I’ll"})

_LETTERS = re.compile(r"[^\W\d_]+(?:['’.&-][^\W\d_]+)*")


@cache
def names() -> frozenset[str]:
    """The names of `names.txt`, where a # begins a remark."""
    lines = _NAMES.read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines for word in line.partition("#")[0].split())


def words_of(text: str) -> list[str]:
    """The words without marks around them: "don't", "U.S", "San'doro", "brown-haired"."""
    return _LETTERS.findall(text)


def base(word: str) -> str:
    """Without a possessive or a contracted end: "Tommy's" and "Tommy’s" as "Tommy"."""
    return re.sub(r"['’](?:s|d|ll|m|re|ve)?$", "", word)
