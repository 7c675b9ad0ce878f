"""What passes between a study and a browser: screens one way, answers the other; no truth in any.

A screen becomes JSON for the page, which draws it with the plugin named by its kind
(docs/study-protocol.md). What comes back is checked against the very screen it answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
LONGEST_TEXT = 20_000
"""Characters that a person may write in one field."""


@dataclass(frozen=True)
class Part:
    """A piece of what is shown: plain text (its line breaks kept), HTML that we rendered from a
    researcher's Markdown (already safe), text in a fixed-width face, or a picture as a data URI
    with what is said of it to who doesn't see it, and what stands below it for who does."""

    kind: str  # text, html, mono, picture
    text: str
    alt: str = ""
    caption: str = ""


@dataclass(frozen=True)
class Choice:
    """A button: what is sent, what stands on it, and the key that presses it as well."""

    value: str
    label: str
    key: str = ""


@dataclass(frozen=True)
class Page:
    """Something to read, then a button (or none, with `auto_ms`). Answer: {"value": a choice's}.

    Buttons come alive after `min_ms`; with `auto_ms` the page goes on by itself ("" is sent).
    """

    kind: ClassVar[str] = "page"
    body: tuple[Part, ...]
    choices: tuple[Choice, ...] = (Choice("next", "Continue", "Enter"),)
    title: str = ""
    min_ms: int = 0
    auto_ms: int | None = None


@dataclass(frozen=True)
class Ask:
    """A question with one answer. Answer: {"value": text}, or {"value": null} if time ran out.

    Either `choices` (buttons with keys), or none: then a whole number from `least` to `most` is
    typed. With `deadline_ms` the page sends null by itself when the time is over.
    """

    kind: ClassVar[str] = "ask"
    body: tuple[Part, ...]
    question: str
    choices: tuple[Choice, ...] = ()
    least: int | None = None
    most: int | None = None
    title: str = ""
    min_ms: int = 0
    deadline_ms: int | None = None


@dataclass(frozen=True)
class Write:
    """Free text. Answer: {"text": text}. Sent no earlier than `min_ms`, with `min_chars` at least.

    What is typed is kept in the browser until it is sent.
    """

    kind: ClassVar[str] = "write"
    body: tuple[Part, ...]
    label: str
    title: str = ""
    min_ms: int = 0
    min_chars: int = 1
    max_chars: int = LONGEST_TEXT
    rows: int = 8


@dataclass(frozen=True)
class Stream:
    """Things shown one after another, each for `each_ms`, with `gap_ms` of nothing between.

    It goes on by itself when the last was shown. Answer: {}. `label` stands above all of them.
    """

    kind: ClassVar[str] = "stream"
    shown: tuple[Part, ...]
    each_ms: int
    gap_ms: int = 0
    label: str = ""
    title: str = ""


@dataclass(frozen=True)
class NBack:
    """An n-back of letters, one at a time: press when it is the one of `n` back.

    Answer: {"pressed": [places in `letters`, from 0, in order]}.
    """

    kind: ClassVar[str] = "nback"
    letters: tuple[str, ...]
    n: int
    each_ms: int
    gap_ms: int
    body: tuple[Part, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class CheckQuestion:
    name: str
    text: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Check:
    """Questions whether the instructions were understood. Answer: {"values": {name: value}}."""

    kind: ClassVar[str] = "check"
    body: tuple[Part, ...]
    questions: tuple[CheckQuestion, ...]
    title: str = ""


@dataclass(frozen=True)
class GroundAction:
    """An action that may be picked: its words, and what it needs, adds and deletes, as places in
    the screen's `facts`. All of it follows from the domain, none of it from the solution."""

    name: str  # as in "(unstack b c)"
    label: str
    needs: tuple[int, ...]
    needs_not: tuple[int, ...]
    adds: tuple[int, ...]
    deletes: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """A plan to be put together from ground actions. Answer: {"steps": [names of actions]}.

    `facts` are the words of every fact, `state` the places of those that hold at first, `goal` the
    places of those that must. `drawing` names the way the state is drawn ("blocks": a picture,
    from `blocks` facts as [predicate, args…]; "" : a list of facts). `earlier` is what the person
    wrote in the first phase, shown beside. `goal_not` are places of facts that must not hold, and
    `denials` the words that say of each fact that it doesn't. `aid` is what the page makes of the
    steps: "state" (what they lead to), "hints" (also what can't be done, and whether the goal
    holds) or "nothing".
    """

    kind: ClassVar[str] = "plan"
    body: tuple[Part, ...]
    actions: tuple[GroundAction, ...]
    facts: tuple[str, ...]
    atoms: tuple[tuple[str, ...], ...]
    state: tuple[int, ...]
    goal: tuple[int, ...]
    drawing: str = ""
    earlier: str = ""
    title: str = ""
    most_steps: int = 200
    goal_not: tuple[int, ...] = ()
    denials: tuple[str, ...] = ()
    aid: str = "state"


@dataclass(frozen=True)
class End:
    """Where a way through the study ends; nothing is answered. `ending`: complete, screened_out,
    no_consent, timed_out, withdrawn, full or closed; `code` and `url` are the study file's."""

    kind: ClassVar[str] = "end"
    ending: str
    body: tuple[Part, ...]
    code: str = ""
    url: str = ""
    title: str = ""


Screen = Page | Ask | Write | Stream | NBack | Check | Plan | End


def plain(screen: Screen) -> dict[str, Json]:
    """The screen as JSON values, `kind` among them."""
    return {"kind": screen.kind, **asdict(screen)}


class Unfit(ValueError):
    """An answer that its screen can't have been given; says why in one line."""


def fit(screen: Screen, answer: object) -> dict[str, Json]:
    """The answer, known to be one that this screen can give; Unfit says what is wrong with it.

    A deadline or a least time is for the page to keep and for the times to show: it is not judged
    here, as a slow network is nobody's fault.
    """
    if not isinstance(answer, Mapping):
        raise Unfit(f"the answer is no object: {str(answer)[:60]!r}")
    match screen:
        case Page():
            return _fit_page(screen, answer)
        case Ask():
            return _fit_ask(screen, answer)
        case Write():
            return _fit_write(screen, answer)
        case Stream():
            return _fit_stream(answer)
        case NBack():
            return _fit_nback(screen, answer)
        case Check():
            return _fit_check(screen, answer)
        case Plan():
            return _fit_plan(screen, answer)
        case End():
            raise Unfit("the study is over: nothing is asked here")


def _keys(answer: Mapping[object, object], *names: str) -> None:
    if set(answer) != set(names):
        given = ", ".join(sorted(str(name)[:20] for name in answer))
        raise Unfit(f"the answer is not {{{', '.join(names)}}} but {{{given[:80]}}}")


def _fit_page(screen: Page, answer: Mapping[object, object]) -> dict[str, Json]:
    _keys(answer, "value")
    known = [choice.value for choice in screen.choices]
    if screen.auto_ms is not None:
        known.append("")
    return {"value": _one_of(answer["value"], known)}


def _fit_ask(screen: Ask, answer: Mapping[object, object]) -> dict[str, Json]:
    _keys(answer, "value")
    value = answer["value"]
    if value is None and screen.deadline_ms is not None:
        return {"value": None}
    if screen.choices:
        return {"value": _one_of(value, [choice.value for choice in screen.choices])}
    return {"value": _number(value, screen)}


def _number(value: object, screen: Ask) -> str:
    text = value.strip() if isinstance(value, str) else ""
    if not text.lstrip("-").isascii() or not text.lstrip("-").isdigit() or len(text) > 9:
        raise Unfit(f"value: {str(value)[:60]!r} is no whole number")
    number = int(text)
    if screen.least is not None and number < screen.least:
        raise Unfit(f"value: {number} is below {screen.least}")
    if screen.most is not None and number > screen.most:
        raise Unfit(f"value: {number} is above {screen.most}")
    return str(number)


def _fit_write(screen: Write, answer: Mapping[object, object]) -> dict[str, Json]:
    _keys(answer, "text")
    text = answer["text"]
    if not isinstance(text, str):
        raise Unfit(f"text: {str(text)[:60]!r} is no text")
    if len(text) > screen.max_chars:
        raise Unfit(f"text: {len(text)} characters, {screen.max_chars} at most")
    if len(text.strip()) < screen.min_chars:
        raise Unfit(f"text: {len(text.strip())} characters, {screen.min_chars} at least")
    return {"text": text}


def _fit_stream(answer: Mapping[object, object]) -> dict[str, Json]:
    _keys(answer)
    return {}


def _fit_nback(screen: NBack, answer: Mapping[object, object]) -> dict[str, Json]:
    _keys(answer, "pressed")
    pressed = answer["pressed"]
    if not isinstance(pressed, list):
        raise Unfit("pressed: no list")
    places = [one for one in pressed if type(one) is int and 0 <= one < len(screen.letters)]
    if len(places) != len(pressed) or places != sorted(set(places)):
        raise Unfit("pressed: not places of letters, each once, in order")
    return {"pressed": places}


def _fit_check(screen: Check, answer: Mapping[object, object]) -> dict[str, Json]:
    _keys(answer, "values")
    values = answer["values"]
    names = {question.name for question in screen.questions}
    if not isinstance(values, Mapping) or set(values) != names:
        raise Unfit("values: not an answer to each question")
    found = {
        question.name: _one_of(values[question.name], [one.value for one in question.choices])
        for question in screen.questions
    }
    return {"values": found}


def _fit_plan(screen: Plan, answer: Mapping[object, object]) -> dict[str, Json]:
    _keys(answer, "steps")
    steps = answer["steps"]
    if not isinstance(steps, list) or len(steps) > screen.most_steps:
        raise Unfit(f"steps: no list of at most {screen.most_steps} actions")
    known = {action.name for action in screen.actions}
    return {"steps": [_one_of(step, known) for step in steps]}


def _one_of(value: object, known: Sequence[str] | set[str]) -> str:
    if not isinstance(value, str) or value not in known:
        raise Unfit(f"value: {str(value)[:60]!r} is nothing that could be chosen")
    return value
