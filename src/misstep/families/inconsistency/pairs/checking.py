"""The validator of pairs, one for the shipped file and for made ones: what is wrong with which.

It sees form only. Whether A entails B, and B could be false, a person has to read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from misstep.families.inconsistency.pairs.casing import strange_sign, tidy
from misstep.families.inconsistency.pairs.files import Pair
from misstep.families.inconsistency.pairs.official import has_quotes, is_question
from misstep.families.inconsistency.pairs.words import FORM, SELF, base, words_of
from misstep.families.inconsistency.spec import MOST_WORDS

FEWEST_WORDS = 2
FEWEST_FRAMES = 3
"""So many pairs may share a frame in any file; in larger ones one pair in `FRAME_SHARE`."""
FRAME_SHARE = 20
ALIKE = 0.5
"""Two pairs are alike whose words, form words apart, are shared in this part or a larger one."""

_STEM = 5
_JOINTS = re.compile(
    r"[,;:()–—]|\s-\s|\b(?:because|although|though|unless|while|whereas|whenever|if|then|that is|"
    r"which|who|whose|when|so that)\b",
    re.IGNORECASE,
)
_SIDES = ("A", "B")


@dataclass(frozen=True)
class Fault:
    """`number` is the pair's place in the file, from 1."""

    number: int
    pair: Pair
    reason: str


def check_pairs(pairs: Sequence[Pair]) -> tuple[Fault, ...]:
    """Each pair's first fault, in the order of the pairs.

    Of pairs that are alike, or share a frame with too many, the later ones are at fault.
    """
    kept: list[Pair] = []
    faults: list[Fault] = []
    most = max(FEWEST_FRAMES, len(pairs) // FRAME_SHARE)
    frames: Counter[str] = Counter()
    for number, pair in enumerate(pairs, 1):
        reason = next(_faults(pair), None) or _repeats(pair, kept)
        if reason is None and frames[frame(pair)] >= most:
            reason = f"the frame “{frame(pair)}” is used {most} times before"
        if reason is not None:
            faults.append(Fault(number, pair, reason))
            continue
        frames[frame(pair)] += 1
        kept.append(pair)
    return tuple(faults)


def frame(pair: Pair) -> str:
    """The pair with a blank for every word that is not one of form: "the _ is _ → the _ is _"."""
    return " → ".join(_blanked(text) for text in (pair.a, pair.b))


def stems(pair: Pair) -> frozenset[str]:
    """The beginnings of the pair's words, form words apart; a rough measure of sameness."""
    words = [word.casefold() for text in (pair.a, pair.b) for word in words_of(text)]
    return frozenset(word[:_STEM] for word in words if word not in FORM)


def _faults(pair: Pair) -> Iterator[str]:
    texts = (pair.a, pair.b)
    for side, text in zip(_SIDES, texts, strict=True):
        yield from (f"{side}: {reason}" for reason in _clause_faults(text))
    if pair.a.casefold() == pair.b.casefold():
        yield "A and B are equal"


def _clause_faults(text: str) -> Iterator[str]:
    if not words_of(text):
        yield "no words"
        return
    count = len(text.split())
    if count < FEWEST_WORDS:
        yield f"{count} word is no clause"
    if count > MOST_WORDS:
        yield f"{count} words, more than {MOST_WORDS}"
    if is_question(text):
        yield "a question"
    if has_quotes((text,)):
        yield "quotes"
    if tidy(text) != " ".join(text.split()):
        yield f"ends in {text[-1]!r}"
    if text != " ".join(text.split()):
        yield "spaces to spare"
    strange = strange_sign(text)
    if strange is not None:
        yield f"a sign that can't be printed ({strange!a})"
    if re.search(r"[.!]\s", text):
        yield "more than one sentence"
    joint = _JOINTS.search(text)
    if joint:
        yield f"more than one clause ({joint[0].strip()!r})"
    first = words_of(text)[0]
    if first[0].isupper() and first not in SELF and base(first).casefold() in FORM:
        yield f"{first!r} has a capital that it wouldn't have inside a sentence"


def _repeats(pair: Pair, before: Sequence[Pair]) -> str | None:
    own = stems(pair)
    for other in before:
        if (pair.a.casefold(), pair.b.casefold()) == (other.a.casefold(), other.b.casefold()):
            return "the same pair came before"
        theirs = stems(other)
        if len(own & theirs) >= max(1.0, ALIKE * len(own | theirs)):
            return f"too like “{other.a} → {other.b}”"
    return None


def _blanked(text: str) -> str:
    words = (word.casefold() for word in text.split())
    return " ".join(word if word in FORM else "_" for word in words)
