"""Where a reply mentions an answer of the vocabulary, and whether the mention stands by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from misstep.core.answers.vocabulary import Vocabulary

NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
ORDINALS = {
    "first": "1",
    "second": "2",
    "third": "3",
    "fourth": "4",
    "fifth": "5",
    "1st": "1",
    "2nd": "2",
    "3rd": "3",
    "4th": "4",
    "5th": "5",
}
_PICTURES = "image|picture|photo|photograph|candidate|person|face|apartment|apt\\.?|flat|unit"
_LABELS = (
    "class|option|choice|mark|marking|label|letter|level|height|line|category|type|group|answer|"
    f"number|no\\.|statement|position|{_PICTURES}"
)
# Each run of spaces has an end and a next step, so that no input makes the search go back far.
_LABEL = (
    rf"(?:\b(?:{_LABELS})(?:e?s)?[ \t]{{0,24}}(?:(?:number\b|no\.)[ \t]{{0,8}})?"
    r"(?:[:#(-][ \t]{0,24})?|#[ \t]?)"
)
_COUNTED = rf"one|option|choice|{_PICTURES.replace('|person', '|person|woman|man')}"
# A bare number word counts only where an answer is due: "one" is a pronoun, "first" a beginning.
_NUMBER_WORD = rf"\b(?:{'|'.join(NUMBERS)})\b"
_ORDINAL = rf"\b(?:{'|'.join(ORDINALS)})\b"
# Scripts without spaces between words may touch an answer.
_LETTER = r"[^\W_\u2e80-\u9fff\u3040-\u30ff\uac00-\ud7af]"
_BEFORE = rf"(?<!{_LETTER})(?<!{_LETTER}-)(?<!{_LETTER}['.])(?<!\d[,/:])"
_AFTER = rf"(?!{_LETTER})(?!'[a-z])"


@dataclass(frozen=True)
class Mention:
    """A word of the reply that means an answer. `start`, `end` hold the word, without its label."""

    answer: str
    start: int
    end: int
    label_start: int
    is_labelled: bool
    is_number_word: bool

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end


def find_mentions(text: str, vocabulary: Vocabulary, start: int, end: int) -> list[Mention]:
    """The mentions within a stretch of plain text, in order."""
    return list(_mentions(text, vocabulary, start, end))


def _mentions(text: str, vocabulary: Vocabulary, start: int, end: int) -> Iterator[Mention]:
    for match in _pattern(vocabulary).finditer(text, start, end):
        kind = "core" if match["core"] is not None else "word" if match["word"] else "ordinal"
        answer = canonical(match[kind], vocabulary)
        labelled = bool(match["label"]) or bool(match["counted"])
        if answer is not None:
            yield Mention(
                answer=answer,
                start=match.start(kind),
                end=match.end(kind),
                label_start=match.start(),
                is_labelled=labelled,
                is_number_word=kind != "core",
            )


def canonical(word: str, vocabulary: Vocabulary) -> str | None:
    """The vocabulary's spelling of a word, None if it has no such answer."""
    folded = " ".join(word.split()).casefold()
    for answer in vocabulary.answers:
        if " ".join(answer.split()).casefold() == folded:
            return answer
    number = NUMBERS.get(folded) or ORDINALS.get(folded)
    return number if number in vocabulary.answers else None


@lru_cache(maxsize=64)
def _pattern(vocabulary: Vocabulary) -> re.Pattern[str]:
    """Longest answers first, so that "no plan" is never read as "plan"."""
    answers = sorted(vocabulary.answers, key=len, reverse=True)
    core = "|".join(r"\s{1,4}".join(map(re.escape, answer.split())) for answer in answers)
    core = f"(?P<core>{core}){_AFTER}"
    if is_numeric(vocabulary):
        core += r"(?![.,:/]\d)(?!%)(?!x\b)"
        core = r"(?<![+\d]\.)(?<!\+)(?<![ \t(]-)(?<!/)" + core
        word = f"(?P<word>{_NUMBER_WORD})"
        ordinal = f"(?P<ordinal>{_ORDINAL})(?P<counted>[ \\t]{{1,8}}(?:{_COUNTED})\\b)?"
    else:
        core += r"(?!['.][^\W_])(?![+#-][^\W_])"
        word, ordinal = "(?P<word>(?!))", "(?P<ordinal>(?!))(?P<counted>(?!))"
    label = "(?!)"
    if is_numeric(vocabulary):
        label = _LABEL
    elif is_lettered(vocabulary):
        label = f"{_LABEL}(?<!{_LETTER})"  # or "lined" would be line D
    return re.compile(f"(?:(?P<label>{label})|{_BEFORE})(?:{core}|{word}|{ordinal})", re.IGNORECASE)


def is_numeric(vocabulary: Vocabulary) -> bool:
    return all(answer.isdigit() for answer in vocabulary.answers)


def is_lettered(vocabulary: Vocabulary) -> bool:
    return all(len(answer) == 1 and answer.isalpha() for answer in vocabulary.answers)


_MARK = r"\s*(?:\Z|\n|[.,:;!?)(|=→—–/]|-)"
_REASON = (
    r"\s*\b(?:because|since|as|due|based|given|but|so|although|though|while|whereas|here|and|"
    r"overall|therefore|with|if|when|for|is|was|would|it|this|these|i)\b"
)
_PRONOUNS = (
    r"\s*\b(?:because|since|as|due|based|given|it|its|it's|the|this|that|these|those|they|there|"
    r"both|i|i'm|we|you|he|she|statement|string|if|but|although|though|so|according|when|not|"
    r"from)\b"
)
_VERB = (
    r"\s*\b(?:is|was|would|because|since|as|due|based|given|seems|matches|has|looks|for|and|"
    r"but|or)\b"
)
_MARK_FOLLOWS = re.compile(_MARK)
_MAY_FOLLOW_NUMBER = re.compile(f"{_MARK}|{_REASON}", re.IGNORECASE)
_MAY_FOLLOW_NUMBER_WORD = re.compile(
    rf"{_MARK}|\s*\b(?:because|since|as|due|based)\b", re.IGNORECASE
)
_MAY_FOLLOW_NO = re.compile(f"{_MARK}|{_PRONOUNS}", re.IGNORECASE)
_MAY_FOLLOW_ARTICLE = re.compile(f"{_MARK}|{_VERB}", re.IGNORECASE)
_MAY_FOLLOW_LABELLED = re.compile(
    rf"{_MARK}|\s*\b(?:because|since|as|due|based|given|but|so)\b", re.IGNORECASE
)
_MAY_PRECEDE = re.compile(
    r"(?:^|[.,:;!?()|=→>\ue000—–/]|\s-|^-|\b(?:is|be|was|it's|that's|so|thus|therefore|hence|then|"
    r"say|says|answer|answering|answered|but|with|choose|pick|select|guess|as|definitely|clearly|"
    r"probably|likely|perhaps|maybe|simply|conclude|conclusion|believe|think|towards?|at|for|mark|"
    r"mean|means|meant|still|indeed|just|actually|rather|or|and|a|an|the|to|hmm|wait|no|sorry|"
    r"prefer|recommend|assume|ultimately|finally|overall|est|es|ist|是|选|选择))\s*$",
    re.IGNORECASE,
)


def stands_after(text: str, mention: Mention) -> bool:
    """Whether what follows lets the mention be an answer, not part of a phrase ("no rule")."""
    raw = text[mention.start : mention.end]
    if mention.is_number_word:
        return mention.is_labelled or _MAY_FOLLOW_NUMBER_WORD.match(text, mention.end) is not None
    if mention.is_labelled:
        return True
    if raw.isdigit():
        return _MAY_FOLLOW_NUMBER.match(text, mention.end) is not None
    if raw.casefold() == "no":
        return _MAY_FOLLOW_NO.match(text, mention.end) is not None
    if raw == "A" or raw.casefold() == "i":
        return _MAY_FOLLOW_ARTICLE.match(text, mention.end) is not None
    if len(raw) == 1 and raw.islower():
        return _MARK_FOLLOWS.match(text, mention.end) is not None
    return True


def stands_before(text: str, mention: Mention, start: int) -> bool:
    """Whether what precedes it, back to `start`, lets the mention be an answer."""
    raw = text[mention.start : mention.end]
    if len(raw) == 1 and raw.isupper():
        return True
    before = text[max(start, mention.label_start - 60) : mention.label_start]
    if not before.strip():
        return True
    return _MAY_PRECEDE.search(before) is not None


def stands_as_sentence(text: str, mention: Mention) -> bool:
    """Whether the mention is followed as an answer is that opens a reply ("Yes, because …")."""
    if mention.is_labelled or mention.is_number_word:
        return _MAY_FOLLOW_LABELLED.match(text, mention.end) is not None
    return stands_after(text, mention)
