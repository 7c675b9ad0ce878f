"""Lines → runs: the stretches of a reply that may be its plan, with what leads to each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from misstep.planning.model import Step
from misstep.planning.reading.leads import lead_kind
from misstep.planning.reading.lexicon import Lexicon, squeeze
from misstep.planning.reading.steps import read_steps
from misstep.planning.reading.tidy import Line
from misstep.planning.reading.vocabulary import anywhere, at_start
from misstep.planning.reading.words import Said

_ACTION_LABEL = re.compile(
    r"\s*(?:\w+\s+){0,2}(?:action|pddl|command|move)\b[\w\s-]{0,20}:", re.IGNORECASE
)
_NOTE_LABEL = re.compile(r"\s*[\w\s()'/-]{1,40}:\s")
_FEW_WORDS = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a run. `kind`: step, hollow, unknown (an action the domain doesn't have), cut,
    unread, head (a numbered line whose steps stand in the lines under it). `short`: its last step
    ends before all objects are named."""

    line: int
    kind: str
    steps: tuple[Step, ...] = ()
    ordinal: int | None = None
    indent: int = 0
    bullet: bool = False
    short: bool = False


@dataclass
class Run:
    """`lead` says what the words before it make of it: plan, strong (a final or corrected plan),
    start (the reply begins with it), phase (a part of the plan above), explain, tentative, prose,
    none."""

    lead: str = "none"
    marked: bool = False
    fenced: bool = False
    ended: bool = False
    revised: bool = False
    first: int = 0
    last: int = 0
    entries: list[Entry] = field(default_factory=list)
    item: Entry | None = None
    """The last numbered line."""

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(step for entry in self.entries for step in entry.steps)

    @property
    def ordinal(self) -> int | None:
        """Of the last numbered line."""
        return self.item.ordinal if self.item else None

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.last = entry.line
        self.item = entry if entry.ordinal is not None else self.item

    def cut_back(self, ordinal: int) -> None:
        """Without the steps from that number on."""
        at = next(
            (
                i
                for i, e in enumerate(self.entries)
                if e.ordinal is not None and e.ordinal >= ordinal
            ),
            len(self.entries),
        )
        del self.entries[at:]
        numbered = (e for e in reversed(self.entries) if e.ordinal is not None)
        self.item = next(numbered, None)


def find_runs(lines: Sequence[Line], lexicon: Lexicon) -> list[Run]:
    """In the order of the reply; a run that names no step is kept where a marker opened it."""
    gatherer = _Gatherer(lexicon)
    for line in lines:
        gatherer.take(line)
    gatherer.close()
    return gatherer.runs


class _Gatherer:
    """Goes through the lines; `open` is the run that the next step may join."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.runs: list[Run] = []
        self.open: Run | None = None
        self.lead = "start"
        self.firm = False
        self.revised = False
        self.skipped: int | None = None
        self.doubted: list[Entry] = []
        self.known: dict[tuple[str, bool], Said] = {}

    def close(self) -> None:
        """What stands right under the last step as a step belongs to the plan, if unread."""
        for entry in self.doubted:
            if self.open is not None and entry.line == self.open.last + 1:
                self.open.add(entry)
        self.doubted, self.open = [], None

    def take(self, line: Line) -> None:
        if line.mark:
            self._take_mark(line)
        elif line.text:
            due = self._is_due(line)
            said = self._said(line.text, due)
            if said.steps and (not said.hollow or due):
                self._take_steps(line, said)
            elif said.cut and due:
                self._add(line, "cut")
            else:
                self._take_words(line, said)

    def _said(self, text: str, due: bool) -> Said:
        """Lines come again and again in long replies."""
        key = (text, due)
        if key not in self.known:
            self.known[key] = read_steps(text, self.lexicon, due=due)
        return self.known[key]

    def _is_due(self, line: Line) -> bool:
        inside = self.open is not None and self.open.marked
        return (
            line.ordinal is not None
            or line.fenced
            or line.bullet
            or inside
            or bool(_ACTION_LABEL.match(line.text))
        )

    # Markers

    def _take_mark(self, line: Line) -> None:
        if line.mark == "plan":
            self._begin(line, marked=True)
        elif line.mark == "end":
            self._end(line)
        elif line.mark == "statement":
            self.close()
        else:
            self._take_fence(line)

    def _take_fence(self, line: Line) -> None:
        if line.fenced and not (
            self.open is not None and self.open.marked and not self.open.entries
        ):
            if not (
                self.open is not None
                and self.open.entries
                and self.open.item is not None
                and line.indent
            ):
                self.close()
        elif not line.fenced and self.open is not None and self.open.fenced:
            self.close()

    def _end(self, line: Line) -> None:
        run = self.open or (self.runs[-1] if self.runs and not self.runs[-1].ended else None)
        if run is None and not self.runs:
            run = self._begin(line, marked=True)
        if run is not None:
            run.ended = True
            run.last = line.number
        self.close()

    def _begin(self, line: Line, *, marked: bool = False) -> Run:
        run = Run(
            self.lead,
            marked,
            line.fenced,
            revised=self.revised,
            first=line.number,
            last=line.number,
        )
        self.runs.append(run)
        self.open, self.lead, self.revised = run, "none", False
        self.firm = False
        return run

    # Steps

    def _take_steps(self, line: Line, said: Said) -> None:
        if said.unknown and not (line.fenced or (self.open is not None and self.open.entries)):
            said = Said(said.steps, unknown=True)
        run = self._run_for(line)
        item = run.item
        if item is not None and line.ordinal is None and self._is_under(line, item):
            if item.kind in ("step", "unknown"):
                return
            self._replace_item(run, item)
        elif run.entries and self._repeats_above(line, run.entries[-1]):
            return
        kind = "hollow" if said.hollow else "unknown" if said.unknown else "step"
        self._append(run, line, kind, said.steps, short=said.cut)
        if said.begun:
            run.add(Entry(line.number, "unread"))

    @staticmethod
    def _is_under(line: Line, item: Entry) -> bool:
        return (
            line.indent > item.indent
            or (line.bullet and not item.bullet)
            or bool(line.bullet or _ACTION_LABEL.match(line.text))
        )

    @staticmethod
    def _repeats_above(line: Line, above: Entry) -> bool:
        """A list item's own items say more about it."""
        return (
            above.ordinal is None
            and above.bullet
            and line.bullet
            and (line.ordinal is None and line.indent > above.indent + 1 and above.kind == "step")
        )

    @staticmethod
    def _replace_item(run: Run, item: Entry) -> None:
        """The numbered line is a heading: its steps stand under it."""
        if item.kind == "head":
            return
        at = max(i for i, entry in enumerate(run.entries) if entry is item)
        run.entries[at] = replace(item, kind="head", steps=())
        run.item = run.entries[at]

    def _add(self, line: Line, kind: str) -> None:
        self._append(self._run_for(line), line, kind, ())

    def _append(
        self, run: Run, line: Line, kind: str, steps: tuple[Step, ...], *, short: bool = False
    ) -> None:
        for entry in self._doubted_above(line, is_first=not run.entries):
            run.add(entry)
        self.doubted = []
        run.add(Entry(line.number, kind, steps, line.ordinal, line.indent, line.bullet, short))
        run.fenced = run.fenced or line.fenced
        self.skipped = None

    def _run_for(self, line: Line) -> Run:
        """The run that the line belongs to: an open one, the last one it goes on to count, a new
        one."""
        if self.open is not None and self.open.marked and not self.open.entries:
            return self.open
        last = self.open or (self.runs[-1] if self.runs else None)
        if last is None or last.ended:
            return self._begin(line) if self.open is None else self.open
        if self.lead == "phase" and not self.revised and last.lead not in ("explain", "tentative"):
            self.open, self.lead = last, "none"
            return last
        if line.ordinal is not None and last.ordinal is not None:
            return self._run_counting(line, last)
        if self.open is None or self.revised:
            return self._begin(line)
        under = self.open.item is not None and self._is_under(line, self.open.item)
        if self.open.item is not None and not under and not (self.open.marked or self.open.fenced):
            return self._begin(line)
        if self.open.item is None and line.ordinal is not None and self.open.entries:
            return self._begin(line)
        return self.open

    def _run_counting(self, line: Line, last: Run) -> Run:
        counted = self.skipped or last.ordinal or 0
        if line.ordinal == counted + 1:
            self.open = last
            self.lead, self.revised = "none", False
            return last
        if line.ordinal == 1 and counted == 1 and self.open is not None and self.lead == "none":
            return last
        if self.revised and line.ordinal is not None and 1 < line.ordinal <= counted:
            return self._recounted(last, line.ordinal)
        return self._begin(line) if line.ordinal == 1 or self.open is None else self.open

    def _recounted(self, last: Run, ordinal: int) -> Run:
        """ "3. … Wait, no. 3. …": from there on the steps are said anew."""
        last.cut_back(ordinal)
        self.open, self.revised = last, False
        return last

    # Everything else

    def _take_words(self, line: Line, said: Said) -> None:
        text = line.text.lower()
        if said.denied:
            self.skipped = line.ordinal if line.ordinal is not None else self.skipped
        elif self._stands_in_plan(line) and (said.begun or self._looks_like_a_step(line)):
            self._add(line, self._unread_kind(line))
        elif line.ordinal is not None and not line.heading:
            self.skipped = line.ordinal
        elif (said.begun or said.hollow or said.cut) and self._may_be_a_step(line):
            kind = "cut" if said.cut else "unread"
            self.doubted.append(Entry(line.number, kind, (), None, line.indent, line.bullet))
        self._take_lead(line, text)

    def _doubted_above(self, line: Line, *, is_first: bool) -> Sequence[Entry]:
        """What can't be read belongs to the plan between its steps, or right above the first."""
        alike = [e for e in self.doubted if (e.bullet, e.indent) == (line.bullet, line.indent)]
        if line.ordinal is not None or (is_first and alike and alike[-1].line != line.number - 1):
            return ()
        return alike

    def _may_be_a_step(self, line: Line) -> bool:
        if line.heading or line.ordinal is not None or line.text.endswith((":", "?")):
            return False
        above = self.open.entries[-1:] if self.open is not None else []
        return all(
            (e.ordinal, e.bullet, e.indent) == (None, line.bullet, line.indent) for e in above
        )

    def _stands_in_plan(self, line: Line) -> bool:
        if line.ordinal is not None and not line.heading:
            return True
        run = self.open
        if run is None or not run.entries:
            return run is not None and run.marked and not run.ended
        above = run.entries[-1]
        alike = above.bullet == line.bullet and above.indent == line.indent
        return alike and (run.marked or line.fenced or (line.bullet and above.ordinal is None))

    def _looks_like_a_step(self, line: Line) -> bool:
        text = line.text
        if anywhere("orders").match(text.lower()) or text.startswith(("...", "…")):
            return True
        if at_start("remarks").match(text) or text.endswith((":", "?")) or _NOTE_LABEL.match(text):
            return False
        first = re.match(r"\(?\s*([\w-]+)", text)
        if first is None or first[1].lower() in self.lexicon.predicates or text.startswith("(:"):
            return False
        words = len(text.split())
        return self._names_an_object(text) or (line.fenced and 1 < words <= _FEW_WORDS)

    def _unread_kind(self, line: Line) -> str:
        """A last line such as "pick u" or "stack the re" was cut rather than garbled; one that ends
        in an object's whole name, "stack it on the red block", was not."""
        words = re.findall(r"[\w-]+", line.text.lower())
        ends = (" ".join(words[-size:]) for size in range(1, 4))
        if len(words) > 2 and any(self.lexicon.object_named(end) is not None for end in ends):
            return "unread"
        words = words[:4]
        said = squeeze(" ".join(words))
        heads = self.lexicon.patterns
        begins = any(squeeze(" ".join(words[:size])) in heads for size in range(1, len(words) + 1))
        return "cut" if begins or any(head.startswith(said) for head in heads) else "unread"

    def _names_an_object(self, text: str) -> bool:
        words = re.findall(r"[\w-]+", text.lower())[1:40]
        names = [word for word in words if len(word) > 1 or word != "a"]
        pairs = (" ".join(pair) for pair in pairwise(names))
        return any(self.lexicon.object_named(name) is not None for name in (*names, *pairs))

    def _take_lead(self, line: Line, text: str) -> None:
        under = (
            self.open is not None
            and self.open.entries
            and (line.bullet or line.indent > self.open.entries[-1].indent)
        )
        if line.fenced or (under and not line.heading):
            return
        if anywhere("revise").search(text):
            self.revised = True
        is_lead = text.endswith(":") or line.heading
        kind = lead_kind(text)
        if is_lead:
            self._part(line, kind)
        if kind == "prose" and is_lead and self._is_phase(text):
            kind = "phase"
        if kind not in ("prose", "phase") or not self.firm:
            self.lead = kind
            self.firm = is_lead and kind not in ("prose", "phase")

    def _part(self, line: Line, kind: str) -> None:
        """A lead ends the run above it, unless it is a step's note or stands in a marked plan."""
        noted = at_start("notes").match(line.text) and not line.heading
        if self.open is None or (noted and kind != "explain"):
            return
        if kind == "explain" or not self.open.marked:
            self.close()
        elif self.open.entries and self.revised:
            self._begin(line, marked=True)

    def _is_phase(self, text: str) -> bool:
        return at_start("phases").match(text) is not None or self._names_an_object("of " + text)
