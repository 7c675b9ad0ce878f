"""A line in plain words → the steps it says: an action's first words, then objects and joints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from misstep.planning.model import Step
from misstep.planning.reading.assigning import Mention, assign
from misstep.planning.reading.lexicon import Lexicon, Pattern, squeeze
from misstep.planning.reading.vocabulary import anywhere, words_of
from misstep.planning.reading.whole import ARTICLES, Whole, whole_step

_TOKEN = re.compile(r"\w+(?:[-']\w+)*|[^\w\s]")
_CLAUSE = re.compile(r"[.!?](?:\s|$)")
_PLACES = frozenset(("table", "ground", "floor"))
_PRONOUNS = frozenset(("it", "them"))
_OTHERS = frozenset(("another", "other", "some", "any", "each", "one"))
_LONGEST_NAME = 4
_TAIL = 240
_LONGEST_REMARK = 12
_LONGEST_HEAD = 4


@dataclass(frozen=True, slots=True)
class Said:
    """What a line says: its steps, and where none, why not.

    `hollow`: no object is named ("Attack object"). `cut`: the line breaks off inside a step.
    `denied`: an action stands there, but is denied or talked about. `unknown`: a step in PDDL
    style whose action the domain doesn't have. `begun`: an action's first words stand there,
    but what they say can't be read.
    """

    steps: tuple[Step, ...] = ()
    hollow: bool = False
    cut: bool = False
    denied: bool = False
    unknown: bool = False
    begun: bool = False


NOTHING = Said()


@dataclass(frozen=True, slots=True)
class _Found:
    """A step, whether it names no object though it should, whether it breaks off, and the place
    after it."""

    step: Step
    is_empty: bool
    is_cut: bool
    end: int


class WordReader:
    """Goes through one line's words from the front."""

    def __init__(self, text: str, lexicon: Lexicon, *, due: bool) -> None:
        self.text = text
        self.lexicon = lexicon
        self.due = due
        self.tokens: list[str] = []
        self.ends: list[int] = []
        self.last = ""

    def read(self) -> Said:
        may_begin_with_an_object = "" in self.lexicon.patterns
        if not self._starts_like_an_action() and not may_begin_with_an_object:
            return NOTHING
        for token in _TOKEN.finditer(self.text):
            self.tokens.append(token[0].lower())
            self.ends.append(token.end())
        steps: list[Step] = []
        hollow, at = True, 0
        while (found := self._step_at(at)) is not None:
            if found.is_cut and found.end >= len(self.tokens):
                return self._cut(steps, found)
            verdict = self._tail(found.end)
            if verdict != "fine" or (found.is_empty and not self._is_bare(found.end)):
                denied = verdict == "denied"
                return Said(tuple(steps), denied=denied and not steps, begun=not denied)
            steps.append(found.step)
            hollow &= found.is_empty
            at = self._next_action(found.end)
            if at < 0 and not self.due:
                at = self._later_sentence(found.end)
            if at < 0:
                break
        begun = found is None and self._begins_step(at)
        return Said(tuple(steps), hollow=hollow and bool(steps), begun=begun)

    def _cut(self, steps: Sequence[Step], found: _Found) -> Said:
        """The line ends before the step has all its objects; whether the reply was cut there or
        the object left out, the place of the line tells."""
        is_open = self.tokens[-1] in self.lexicon.joints | ARTICLES
        if is_open or (found.is_empty and not steps and not self.due):
            return Said(tuple(steps), cut=True)
        is_hollow = found.is_empty and not steps
        return Said((*steps, found.step), hollow=is_hollow, cut=not found.is_empty)

    def _starts_like_an_action(self) -> bool:
        """Cheap: most lines of a long reply end here."""
        words = [token[0] for token in _TOKEN.finditer(self.text[:120])][:_LONGEST_HEAD]
        return self._is_head(words)

    def _heads(self, words: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Actions' first words there and how many they are, the longest first."""
        for length in range(min(_LONGEST_HEAD, len(words)), 0, -1):
            key = squeeze(" ".join(words[:length]))
            if key in self.lexicon.patterns or (self.due and (key, "table") in self.lexicon.places):
                yield key, length

    def _is_head(self, words: Sequence[str]) -> bool:
        return next(self._heads(words), None) is not None

    def _step_at(self, at: int) -> _Found | None:
        """By a whole template; else by the longest first words after which an object follows:
        "load package 0" is "load"."""
        whole = self._whole_at(at)
        if whole is not None and not whole.misfits and self._ends_there(whole.end):
            return self._found(whole)
        first = None
        for key, length in self._heads(self.tokens[at : at + _LONGEST_HEAD]):
            found = self._step_with(key, at + length)
            if found is not None and not found.is_empty:
                self.last = found.step[1] if len(found.step) > 1 else self.last
                return found
            first = first or found
        return first if first or whole is None else self._found(whole)

    def _found(self, whole: Whole) -> _Found:
        self.last = whole.step[1] if len(whole.step) > 1 else self.last
        return _Found(whole.step, False, False, whole.end)

    def _whole_at(self, at: int) -> Whole | None:
        heads = [key for key, _ in self._heads(self.tokens[at : at + _LONGEST_HEAD])]
        group = (p for key in (*heads, "") for p in self.lexicon.patterns.get(key, ()))
        counting = (p for p in group if self.due or not p.loose)
        return whole_step(counting, self.tokens, at, self.lexicon)

    def _ends_there(self, at: int) -> bool:
        """No word follows that may belong to the step."""
        word = self._word(at)
        return not re.match(r"\w", word) or word in _LINKS or word in words_of("sentence")

    def _step_with(self, key: str, at: int) -> _Found | None:
        at += self._word(at) == "action"
        opened = self._word(at) == "("
        group = [p for p in self.lexicon.patterns.get(key, ()) if self.due or not p.loose]
        most = max((pattern.arity for pattern in group), default=2)
        mentions, end, is_open = self._mentions(at + opened, most, closed=opened)
        place = next((m.name for m in mentions if m.name in _PLACES), "")
        if (action := self.lexicon.places.get((key, place))) and mentions[0].name not in _PLACES:
            group = list(self.lexicon.patterns[squeeze(action)])
        group = [pattern for pattern in group if self._is_whole(pattern, mentions, end)]
        if not group:
            return None
        step = assign(group, mentions, self.lexicon)
        arity = self.lexicon.arities[step[0]]
        short = len(mentions) < arity and len(step) - 1 < arity
        is_cut = short and (is_open or end >= len(self.tokens))
        return _Found(step, len(step) == 1 and arity > 0, is_cut, end)

    def _is_whole(self, pattern: Pattern, mentions: Sequence[Mention], end: int) -> bool:
        if pattern.after and self._word(end) != pattern.after:
            return False
        return not pattern.loose or len(mentions) >= len(pattern.slots)

    def _word(self, at: int) -> str:
        return self.tokens[at] if at < len(self.tokens) else ""

    def _mentions(self, at: int, arity: int, *, closed: bool) -> tuple[list[Mention], int, bool]:
        """The objects said from there on, where they end, and whether the text ends in a joint."""
        found: list[Mention] = []
        while True:
            here = self._past_joint(at)
            joint = tuple(self.tokens[at:here])
            mention = self._mention(here, joint)
            if here >= len(self.tokens) or (mention is None and self._ends_in_article(here)):
                return found, len(self.tokens), True
            full = len(found) >= arity
            bare = not joint and bool(found) and not closed
            listed = "," in joint and set(joint) <= {",", "and"}
            if mention is None or (full and (listed or bare)):
                break
            # "on the red block on the table" says where the red block is.
            if not (full and arity > 1 and mention.name in _PLACES):
                found.append(mention)
            at = mention.end if closed else self._past_remark(mention.end)
        return found, at + (closed and self._word(at) == ")"), False

    def _past_joint(self, at: int) -> int:
        while self._word(at) in self.lexicon.joints or self._word(at) in ("and", ","):
            if self._word(at) not in (",", "and") and self._mention(at, ()) is not None:
                break
            at += 1
        return at

    def _past_remark(self, at: int) -> int:
        """The place after "(…)" where the step's objects go on there; else the same place."""
        if self._word(at) != "(":
            return at
        inside = self.tokens[at : at + _LONGEST_REMARK]
        after = at + inside.index(")") + 1 if ")" in inside else at
        return after if self._word(after) in self.lexicon.joints else at

    def _ends_in_article(self, at: int) -> bool:
        return at + 2 >= len(self.tokens) and all(word in ARTICLES for word in self.tokens[at:])

    def _mention(self, at: int, joint: tuple[str, ...]) -> Mention | None:
        """An object, said with or without article and noun."""
        word, nouns = self._word(at), self.lexicon.nouns
        if word in _PRONOUNS and self.last:
            return Mention(joint, self.last, at + 1)
        if word in ("a", "an") and (self._word(at + 1) in nouns or self._word(at + 1) in _OTHERS):
            return Mention(joint, "", at + 2 + (self._word(at + 2) in nouns))
        if word in ARTICLES:
            at, word = at + 1, self._word(at + 1)
        if word in _OTHERS and self._word(at + 1) in nouns:
            return Mention(joint, "", at + 2)
        if (whole := self._name(at)) is not None:
            end = whole[1] + (self._word(whole[1]) in nouns)
            return Mention(joint, whole[0], end)
        if word in nouns:
            return self._after_noun(at + 1, joint)
        if (
            self._word(at + 1) in nouns
            and re.fullmatch(r"[^\W\d_]+", word)
            and not self._common(word)
        ):
            return Mention(joint, word, at + 2)
        if word in _PLACES:
            return Mention(joint, "table" if word == "table" else word, at + 1)
        return None

    def _after_noun(self, at: int, joint: tuple[str, ...]) -> Mention:
        """ "object b", "package 3"; the noun alone names nothing."""
        for length in (3, 2, 1):
            if self.lexicon.nouns.intersection(self.tokens[at : at + length]):
                continue
            words = "_".join(self.tokens[at - 1 : at + length])
            if (name := self.lexicon.object_named(words)) is not None:
                return Mention(joint, name, at + length)
        if (whole := self._name(at)) is not None:
            return Mention(joint, *whole)
        word = self._word(at)
        literal = re.fullmatch(r"[\w-]*\d[\w-]*|[^\W\d_]", word) and word not in ("a", "i")
        return Mention(joint, word, at + 1) if literal else Mention(joint, "", at)

    def _name(self, at: int) -> tuple[str, int] | None:
        for length in range(min(_LONGEST_NAME, len(self.tokens) - at), 0, -1):
            words = self.tokens[at : at + length]
            if length > 1 and not all(re.match(r"\w", word) for word in words):
                continue
            name = self.lexicon.object_named(" ".join(words))
            if name is not None:
                return name, at + length
        return None

    def _common(self, word: str) -> bool:
        return word in self.lexicon.joints or word in words_of("sentence") or word in _OTHERS

    # What stands after a step

    def _tail(self, at: int) -> str:
        """ "fine": a new clause, a remark or nothing; "denied": taken back or talked about;
        "odd": something else."""
        start = self.ends[at - 1] if at else 0
        rest = self.text[start : start + _TAIL]
        first = _CLAUSE.split(rest.lower(), maxsplit=1)[0]
        if anywhere("undone").search(first) or "?" in first or "? " in rest[:3]:
            return "denied"
        word = self._word(at)
        if not word or not re.match(r"\w", word):
            return "fine"
        if word in words_of("sentence") or "n't" in word:
            return "denied"
        if self._next_action(at) >= 0 or word in words_of("fine_after"):
            return "fine"
        return "fine" if self.due and " not " not in f" {first} " else "odd"

    def _is_bare(self, at: int) -> bool:
        """A step that names no object stands alone on its line."""
        return all(not re.match(r"\w", token) for token in self.tokens[at:])

    def _next_action(self, at: int) -> int:
        """Where another action begins, joined by "and", "then", a comma or the like; else -1."""
        joined = False
        while self._word(at) in _LINKS:
            at, joined = at + 1, True
        return at if joined and self._begins_step(at) else -1

    def _later_sentence(self, at: int) -> int:
        """Where the next sentence that begins like an action begins; else -1."""
        for stop in range(at, len(self.tokens)):
            if self.tokens[stop] in _STOPS:
                begin = stop + 1
                while self._word(begin) in _LINKS or self._word(begin) in _AFTERWARDS:
                    begin += 1
                if self._word(begin) and self._begins_step(begin):
                    return begin
        return -1

    def _begins_step(self, at: int) -> bool:
        return self._is_head(self.tokens[at : at + _LONGEST_HEAD]) or (
            "" in self.lexicon.patterns and self._whole_at(at) is not None
        )


_STOPS = frozenset((".", "!", ";"))
_AFTERWARDS = frozenset(("after", "afterwards", "that", "this", "lastly", "now"))
_LINKS = frozenset(
    (
        ",",
        ";",
        ".",
        "→",
        ">",
        "-",
        "=",
        "and",
        "then",
        "next",
        "finally",
        "followed",
        "by",
        "&",
        "|",
        ")",
    )
)
