"""Print what people are told and shown in each arm of the deliberation tasks, as Markdown.

`python tools/people_words.py` prints what stands at the end of docs/people.md, from "## Arms and
times" on; a test holds the two together. Reads the source tree beside it, whatever is installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

if TYPE_CHECKING:
    from misstep.study.screens import Part, Screen
    from misstep.study.trials.nouns import Trial

FAMILIES = ("grammar", "faces", "vehicles", "inconsistency", "cups", "apartments")
WIDTH = 98
SHOWN = 2
"""Screens printed of a trial that has very many."""


def words() -> str:
    families = (line for name in FAMILIES for line in _family(name))
    return "\n".join((*_arms(), *_times(), "## Word for word", "", *families)).rstrip() + "\n"


def _arms() -> Iterator[str]:
    from misstep.study.trials.every import trial

    yield from (
        "## Arms and times",
        "",
        "| family | arm for people | what they do | beside the arm |",
    )
    yield "|---|---|---|---|"
    for name in FAMILIES:
        for arm in trial(name).arms:
            beside = f"`{arm.counterpart}`" if arm.counterpart else "none, keeps its name"
            yield f"| {name} | `{arm.name}` | {arm.about} | {beside} |"
    yield ""


def _times() -> Iterator[str]:
    from dataclasses import asdict

    from misstep.study.trials.every import trial
    from misstep.study.trials.nouns import Timing

    names = tuple(asdict(Timing()))
    yield from (
        f"| family | {' | '.join(f'`{one}`' for one in names)} |",
        "|---|" + "---|" * len(names),
    )
    for name in FAMILIES:
        times = asdict(trial(name).defaults)
        shown = ("–" if times[one] is None else f"{times[one] / 1000:g}" for one in names)
        yield f"| {name} | {' | '.join(shown)} |"
    yield ""


def _family(name: str) -> Iterator[str]:
    from misstep.registry import family
    from misstep.study.trials.every import trial
    from misstep.study.trials.nouns import Timing

    asked = trial(name)
    told = {
        arm.name: [part.text for part in asked.instructions(arm.name, Timing())]
        for arm in asked.arms
    }
    first = next(iter(told.values()))
    shared = [text for text in first if all(text in texts for texts in told.values())]
    spec = family(name).spec
    yield from (f"### {name}: {spec.title}", "")
    again = f"; {spec.prediction.replication}" if spec.prediction.replication else ""
    yield from _wrapped(f"Found: {spec.prediction.effect}{again}. {spec.source}.", "", "")
    yield from ("", "Told in all arms:", "")
    yield from _quoted(shared)
    yield from _opening(asked)
    for arm, texts in told.items():
        yield from (f"**{arm}**: told besides, then the screens of the first item of seed 0", "")
        yield from _quoted([text for text in texts if text not in shared])
        for screen in _screens(asked, arm):
            yield from _wrapped(_said(screen), "1. ", "   ")
        yield ""
    yield from ("Asked before the first trial; the right answer is in bold:", "")
    yield from _checks(asked)
    yield ""


def _opening(asked: Trial[Any]) -> Iterator[str]:  # Any: families of every payload
    """The same in all arms, as a test says."""
    from misstep.registry import family
    from misstep.study.trials.nouns import Timing

    item = next(family(asked.family).generate(0, asked.options))[0]
    screens = asked.opening(item, asked.arms[0].name, Timing())
    if screens:
        yield from ("Shown once, before the first item of a group:", "")
        for screen in screens:
            yield from _wrapped(_said(screen), "1. ", "   ")
        yield ""


def _quoted(texts: Sequence[str]) -> Iterator[str]:
    for number, text in enumerate(texts):
        if number:
            yield ">"
        yield from _wrapped(text, "> ", "> ")
    yield ""


def _checks(asked: Trial[Any]) -> Iterator[str]:  # Any: families of every payload
    for one in asked.checks:
        choices = (
            f"**{choice.label}**" if choice.value == one.right else choice.label
            for choice in one.question.choices
        )
        yield from _wrapped(f"{one.question.text} {' / '.join(choices)}", "- ", "  ")


def _screens(asked: Trial[Any], arm: str) -> Iterator[Screen]:  # Any: likewise
    """Those of a trial, as a solver meets them."""
    from misstep.registry import family
    from misstep.study.trials.nouns import Given, Timing

    room = family(asked.family)
    item = next(room.generate(0, asked.options))[0]
    solver = next(iter(room.solvers))
    given: list[Given] = []
    while (screen := asked.screen(item, arm, Timing(), given)) is not None:
        yield screen
        if room.conversation and len(given) == SHOWN - 1:
            return
        given.append(Given("", asked.solve(item, arm, given, solver)))


def _said(screen: Screen) -> str:
    from misstep.study.screens import Ask, NBack, Page, Stream, Write
    from misstep.study.trials.pieces.timing import said

    match screen:
        case Page(auto_ms=int(time)):
            return f"To read, for {said(time)}: {_body(screen.body)}"
        case Page(min_ms=least):
            wait = f", for at least {said(least)}" if least else ""
            return f"To read{wait}: {_body(screen.body)} [Continue]"
        case Stream():
            first = _body(screen.shown[:1])
            more = f" … {len(screen.shown)} in all" if len(screen.shown) > 1 else ""
            return f"One after another, for {said(screen.each_ms)} each: {first}{more}"
        case Write():
            return (
                f"To write, for at least {said(screen.min_ms)}: {_body(screen.body)} {screen.label}"
            )
        case NBack():
            letters = f"{len(screen.letters)} letters, {said(screen.each_ms + screen.gap_ms)} each"
            return f"{screen.n}-back of {letters}: {_body(screen.body)}"
        case Ask():
            limit = f", within {said(screen.deadline_ms)}" if screen.deadline_ms else ""
            buttons = " ".join(f"[{choice.label}]" for choice in screen.choices)
            return f"To answer{limit}: {_body(screen.body)} {screen.question} {buttons}"
    raise ValueError(f"a trial of these families has no screen of kind {screen.kind}")


def _body(parts: tuple[Part, ...]) -> str:
    return " · ".join(
        f"(picture{f' {part.caption}' if part.caption else ''}: {part.alt})"
        if part.kind == "picture"
        else part.text.replace("\n", " · ")
        for part in parts
    )


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    joined = " ".join(text.split())
    return wrap(
        joined,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


if __name__ == "__main__":
    sys.stdout.write(words())
