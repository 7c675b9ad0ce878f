"""A raw reply → numbered lines without markdown, LaTeX, thoughts, tables or JSON around them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_THOUGHTS = ("think", "thinking", "thought", "reasoning")
_LATEX = re.compile(r"\\(?:text(?:bf|it|tt|rm)?|math(?:rm|bf|it|tt)|boxed)\s*\{")
_TAG = re.compile(r"</?(?!plan)[a-z][a-z0-9]{0,9}\s{0,3}/?>", re.IGNORECASE)
_STRUCK = re.compile(r"~~[^~]*~~")
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+(?=\w)|(?<=[a-zA-Z.!:)])_+(?!\w)|[`“”„\"]")
_BULLET = re.compile(r"\s*(?:[-+*•◦▪–—●○]|[a-zA-Z]\)|[ivx]{1,4}[.)])\s+|\s*[•◦▪●○]\s*")
_TIME = re.compile(r"\s*\d{1,5}\.\d{1,6}\s*:\s*(?=\()")
_NUMBER = re.compile(
    r"\s*[\[(#]?(\d{1,6})\s*[.):\]]+(?!\d)\s*(?:[-–—|]\s+)?|\s*(\d{1,4})\s+[-–—]\s+"
)
_LABEL = re.compile(
    r"\s*(?:step|action|move|time\s?step|t)\s*(?:#|no\.?|number)?\s*"
    r"(\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten)\b\s*(?:[:.)\]=|–—-]+\s*|$)",
    re.IGNORECASE,
)
_WORTH = re.compile(r"\w|\.\.\.|…|\[\s*\]|\(\s*\)")
_WORD_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_INLINE = re.compile(r"(?<=[\s.,;])\(?(\d{1,3})[.)]\s+(?=[A-Za-z(*`])")
_LAST_WORD = re.compile(r"([^\W\d_]+)\s*\Z")
_LONGEST_NOUN = 40
_MARK = re.compile(
    r"[\[<]\s*/?\s*(?:(?:the|my|your|our|final|correct|corrected|new|revised|updated|begin|start|end|of"
    r"|solution)\s+){0,4}plan(?:\s+(?:end|start|begin|ends|starts))?\s*[\]>]|\[\s*statement\s*\]",
    re.IGNORECASE,
)
_PLAN_END_LINE = re.compile(
    r"\s*(?:\[\s*)?(?:plan\s+end|end\s+(?:of\s+)?plan)\s*\]?\s*[.:]?\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the reply (`number` counts from 1) in plain text.

    `mark`: "" or what the line is instead of text: "plan", "end", "statement", "fence".
    `ordinal`: its number in a numbered list or "Step 3:"; `bullet`: a list item of any kind.
    """

    number: int
    text: str
    indent: int = 0
    ordinal: int | None = None
    bullet: bool = False
    heading: bool = False
    fenced: bool = False
    mark: str = ""

    @property
    def is_blank(self) -> bool:
        return not self.text and not self.mark


@dataclass(frozen=True, slots=True)
class Tidy:
    """`thinking`: the reply ends inside a thought that was never closed; `is_open`: neither a
    full stop nor a line break ends it."""

    lines: tuple[Line, ...]
    thinking: bool
    is_open: bool


def tidy(reply: str, is_name: Callable[[str], object] = lambda _: False) -> Tidy:
    """Line numbers stay those of the reply as it was given; lines without words are left out.

    `is_name`: whether words name an object, as "place 2" in "to place 2. Then …", where 2 is no
    number of a list.
    """
    text = reply.replace("\r\n", "\n").replace("\r", "\n")
    text, thinking = _without_thoughts(unicodedata.normalize("NFKC", text))
    is_open = bool(re.search(r"[\w(,-]\Z", reply[-2:]))
    return Tidy(tuple(_lines(text, is_name)), thinking, is_open)


def _without_thoughts(text: str) -> tuple[str, bool]:
    """Thoughts in tags become as many blank lines; an opening tag may be missing."""
    lower, parts, at, thinking = text.lower(), [], 0, False
    for name in _THOUGHTS:
        close = lower.find(f"</{name}>")
        opening = lower.find(f"<{name}>")
        if close >= 0 and not 0 <= opening < close:
            at = close + len(name) + 3
            parts = ["\n" * text.count("\n", 0, at)]
            break
    for name in _THOUGHTS:
        while (start := lower.find(f"<{name}>", at)) >= 0:
            end = lower.find(f"</{name}>", start)
            thinking = thinking or end < 0
            stop = len(text) if end < 0 else end + len(name) + 3
            parts += [text[at:start], "\n" * text.count("\n", start, stop)]
            at = stop
    return "".join([*parts, text[at:]]), thinking


def _lines(text: str, is_name: Callable[[str], object]) -> Iterator[Line]:
    fenced = False
    for number, raw in _without_json(text):
        stripped = raw.strip()
        if stripped.startswith(("```", "~~~")):
            fenced = not fenced and stripped.count("```") < 2
            rest = stripped.strip("`~").strip()
            yield Line(number, "", fenced=fenced, mark="fence")
            if " " not in rest:
                continue
            raw = rest
        if not _WORTH.search(raw):
            continue
        for piece in _pieces(raw, is_name):
            yield _line(number, piece, fenced=fenced)


def _pieces(raw: str, is_name: Callable[[str], object]) -> Iterator[str]:
    """Markers such as [PLAN] and "1. … 2. …" in one line are lines of their own."""
    at = 0
    for mark in _MARK.finditer(raw):
        yield from _unnumbered(raw[at : mark.start()], bool(at), is_name)
        yield mark[0]
        at = mark.end()
    yield from _unnumbered(raw[at:], bool(at), is_name)


def _unnumbered(raw: str, is_rest: bool, is_name: Callable[[str], object]) -> Iterator[str]:
    if is_rest and not re.search(r"\w", raw):
        return
    cuts, expected = [0], None
    for found in _INLINE.finditer(" " + raw):
        number = int(found[1])
        noun = _LAST_WORD.search(raw, max(found.start() - _LONGEST_NOUN, 0), found.start() - 1)
        if noun and is_name(f"{noun[1]} {number}"):
            continue
        if number == (expected or number) and (expected or number in (1, 2)):
            cuts.append(max(found.start() - 1, 0))
            expected = number + 1
    if len(cuts) > 2 or (len(cuts) == 2 and _NUMBER.match(raw)):
        ends = [*cuts[1:], len(raw)]
        yield from (
            raw[a:b].rstrip(" ,;") for a, b in zip(cuts, ends, strict=True) if raw[a:b].strip()
        )
    else:
        yield raw


def _line(number: int, raw: str, *, fenced: bool) -> Line:
    stripped = raw.strip()
    if _MARK.fullmatch(stripped):
        return Line(number, "", fenced=fenced, mark=_mark_of(stripped.lower()))
    indent = len(raw.expandtabs(4)) - len(raw.expandtabs(4).lstrip())
    text = _plain(_row(stripped) if stripped.startswith("|") else stripped.lstrip("> "))
    if _PLAN_END_LINE.fullmatch(text):
        return Line(number, "", indent, fenced=fenced, mark="end")
    heading = bool(re.match(r"#{1,6}\s", stripped)) or bool(
        re.fullmatch(r"\*\*[^*]+\*\*:?", stripped)
    )
    text = re.sub(r"^#{1,6}\s*", "", text)
    text, ordinal, bullet = _without_list_marks(text)
    return Line(number, text.strip(), indent, ordinal, bullet, heading, fenced)


def _mark_of(mark: str) -> str:
    if "statement" in mark:
        return "statement"
    return "end" if re.search(r"\bend|/", mark) else "plan"


def _plain(text: str) -> str:
    if "\\" in text or "$" in text:
        text, opened = _LATEX.subn("", text)
        text = text.replace("}", "", opened) if opened else text
        text = re.sub(r"\\([_#%&{}])", r"\1", text)
        text = re.sub(r"\\(?:rightarrow|to|implies)\b", "→", text)
        text = re.sub(r"\\[()\[\],;]|\$", " ", text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "~~" in text:
        text = _STRUCK.sub("", text)
    if "*" in text and (bullet := re.match(r"\s*\*\s+", text)):
        text = "- " + text[bullet.end() :]
    return _EMPHASIS.sub("", text).replace("’", "'")


def _row(text: str) -> str:
    """A table's row: number, action, and what else stands there as a remark."""
    cells = [cell.strip() for cell in text.strip("|").split("|")]
    if not any(re.search(r"\w", cell) for cell in cells):
        return ""
    number = re.fullmatch(r"(?:step\s*)?(\d{1,4})\.?", cells[0], re.IGNORECASE)
    if number and len(cells) > 1:
        return f"{number[1]}. {cells[1]} : {' '.join(cells[2:])}"
    return " : ".join(cells)


def _without_list_marks(text: str) -> tuple[str, int | None, bool]:
    ordinal: int | None = None
    bullet = False
    text = _TIME.sub("", text, count=1) if _TIME.match(text) else text
    for _ in range(4):
        if (found := _LABEL.match(text)) is not None:
            ordinal = _number(found[1]) if ordinal is None else ordinal
        elif (found := _NUMBER.match(text)) is not None and ordinal is None:
            ordinal = int(found[1] or found[2])
        elif (found := _BULLET.match(text)) is None:
            break
        bullet = True
        text = text[found.end() :]
    return text, ordinal, bullet


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _WORD_NUMBERS.index(word.lower()) + 1


# JSON


_JSON_TRIES = 20


def _without_json(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines; a JSON list or object of steps becomes one step a line."""
    lines = text.split("\n")
    at, tries = 0, 0
    while at < len(lines):
        stripped = lines[at].strip()
        if stripped.startswith(("[", "{")) and tries < _JSON_TRIES and not _MARK.match(stripped):
            tries += 1
            found = _json_at(lines, at)
            if found is not None:
                steps, end = found
                yield from ((at + 1, step) for step in steps or ["[]"])
                at = end
                continue
        yield at + 1, lines[at]
        at += 1


def _json_at(lines: list[str], at: int) -> tuple[list[str], int] | None:
    """The steps in the JSON value that begins in that line, and the line after it."""
    text = "\n".join(lines[at:]).lstrip()
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    steps = _json_steps(value)
    if steps is None:
        return None
    return steps, at + 1 + text.count("\n", 0, end)


def _json_steps(value: object) -> list[str] | None:
    if isinstance(value, dict):
        inner = next((value[key] for key in _PLAN_KEYS if isinstance(value.get(key), list)), None)
        return _json_steps(inner) if inner is not None else None
    if not isinstance(value, list):
        return None
    steps = [_json_step(item) for item in value]
    return [step for step in steps if step] if all(steps) else None


_PLAN_KEYS = ("plan", "actions", "steps", "solution", "final_plan", "action_sequence", "sequence")


def _json_step(item: object) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, list) and item and all(isinstance(part, str) for part in item):
        return f"({' '.join(item)})"
    if isinstance(item, dict):
        name = next(
            (item[key] for key in ("action", "name", "step") if isinstance(item.get(key), str)), ""
        )
        keys = ("args", "arguments", "parameters", "objects", "params")
        listed: list[object] | dict[str, object] = next(
            (item[key] for key in keys if isinstance(item.get(key), list | dict)), []
        )
        parts = listed.values() if isinstance(listed, dict) else listed
        words = [name, *(str(part) for part in parts)]
        return f"({' '.join(words)})" if name and parts else name
    return ""
