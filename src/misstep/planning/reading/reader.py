"""A free reply → the plan it finally proposes, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from misstep.planning.model import Domain, Problem, Step, step_text
from misstep.planning.reading.endings import last_nothing_to_do, last_withdrawal
from misstep.planning.reading.lexicon import Lexicon, lexicon_for
from misstep.planning.reading.own_words import own_words
from misstep.planning.reading.runs import Entry, Run, find_runs
from misstep.planning.reading.sections import asked_part
from misstep.planning.reading.steps import read_steps
from misstep.planning.reading.tidy import Line, Tidy, tidy
from misstep.planning.reading.vocabulary import anywhere
from misstep.planning.wording import Wording

_CUT_SHORT = frozenset(("max_tokens", "length", "model_length", "truncated"))
_FILTERED = frozenset(("content_filter", "refusal"))


@dataclass(frozen=True, slots=True)
class PlanReading:
    """`outcome`: answered, unparsed, empty, truncated or refused.

    `plan` is the plan where the outcome is answered; None with answered means that the reply says
    no plan exists (`value` is then "no_plan"). `line` counts from 1: the first line of the plan
    that can't be read where unparsed, else the plan's first line (0: nothing to point at).
    `last` is the line where the plan ends. How the plan stands in the reply: `is_announced`, after
    a marker, in a fence, under words that introduce a plan, or at the very beginning, and not
    merely in passing; `is_marked`, under a "[PLAN]"; `is_ended`, above an end marker.
    """

    outcome: str
    plan: tuple[Step, ...] | None = None
    line: int = 0
    last: int = 0
    is_announced: bool = field(default=False, compare=False)
    is_marked: bool = field(default=False, compare=False)
    is_ended: bool = field(default=False, compare=False)

    @property
    def value(self) -> str | None:
        """ "plan", "no_plan", or None where nothing was answered."""
        if self.outcome != "answered":
            return None
        return "no_plan" if self.plan is None else "plan"

    @property
    def texts(self) -> list[str] | None:
        """The plan as "(action argument …)"."""
        return None if self.plan is None else [step_text(step) for step in self.plan]


def read_plan(
    reply: str,
    domain: Domain,
    wording: Wording | None = None,
    query: str = "",
    stop_reason: str | None = None,
    problem: Problem | None = None,
) -> PlanReading:
    """With the problem its objects are known by name, and a left-out city can be filled in."""
    words = own_words(domain, wording, problem) if wording is not None else None
    return read_with(reply, lexicon_for(domain, problem, words), query, stop_reason)


def read_with(
    reply: str, lexicon: Lexicon, query: str = "", stop_reason: str | None = None
) -> PlanReading:
    """As `read_plan`, for many replies to one task."""
    if not reply.strip():
        return PlanReading("refused" if stop_reason in _FILTERED else "empty")
    cleaned = tidy(reply, lexicon.object_named)
    lines = asked_part(cleaned.lines, query)
    runs = _without_further_text(find_runs(lines, lexicon), lines)
    is_cut = stop_reason in _CUT_SHORT or (stop_reason is None and _breaks_off(reply, cleaned))
    chosen = _choose(runs, is_cut=is_cut)
    if chosen is not None and is_cut and _is_doubted(chosen, lines):
        chosen = None
    if chosen is None and not is_cut and (told := _told_run(lines, lexicon)) is not None:
        chosen = told
    return _judge(chosen, lines, cleaned, stop_reason, is_cut=is_cut)


def _breaks_off(reply: str, cleaned: Tidy) -> bool:
    """The reply ends inside a sentence."""
    text = reply.rstrip()
    last = next((line for line in reversed(cleaned.lines) if not line.is_blank), None)
    if last is None or last.mark or last.ordinal is not None or len(last.text) < 2:
        return False
    return len(text) > _LONG and bool(re.search(r"[\w,]$", text)) and len(last.text.split()) > 2


_LONG = 600


def _without_further_text(runs: list[Run], lines: Sequence[Line]) -> list[Run]:
    """A reply that goes on with the prompt's "[PLAN]" ends at its first end marker."""
    if runs and runs[0].lead == "start" and not runs[0].marked and runs[0].ended:
        return runs[:1]
    first = next((line for line in lines if not line.is_blank), None)
    if first is not None and first.mark == "end":
        return runs[:1]
    return runs


def _is_doubted(run: Run, lines: Sequence[Line]) -> bool:
    """In a reply that breaks off: what follows the plan goes on thinking about it."""
    if run.marked or run.ended:
        return False
    after = " ".join(line.text for line in lines if line.number > _last_step(run)).lower()
    return anywhere("doubt").search(after[:_LONG]) is not None


# Which run is the plan


def _choose(runs: Sequence[Run], *, is_cut: bool) -> Run | None:
    graded = [(run, _grade(run)) for run in runs if _counts(run)]
    best = None
    for run, grade in graded:
        if grade < _INTRODUCED:
            continue
        if best is not None and _only_retells(run, best):
            continue
        best = run
    if best is None:
        best = next((run for run, grade in reversed(graded) if grade == 1), None)
    if best is None and not is_cut:
        best = next((run for run, _ in reversed(graded) if run.steps), None)
    return best


_INTRODUCED = 2


def _counts(run: Run) -> bool:
    """A list of all the actions without objects is the prompt's, not a plan."""
    if not run.entries:
        return run.marked and run.ended
    if any(entry.kind == "step" for entry in run.entries):
        return True
    hollow = [entry for entry in run.entries if entry.kind == "hollow"]
    if hollow:
        names = [step[0] for step in run.steps]
        return len(set(names)) < len(names) or run.marked
    return run.marked or run.lead in ("plan", "strong") or run.fenced


def _grade(run: Run) -> int:
    if run.marked or run.ended:
        return 3
    starts_late = bool(run.entries) and (run.entries[0].ordinal or 1) > 1
    if run.lead in ("explain", "tentative") or starts_late:
        return 0
    if run.lead in ("plan", "strong", "start") or run.fenced or run.revised:
        return _INTRODUCED
    return 1


def _only_retells(run: Run, earlier: Run) -> bool:
    """After a plan between markers, a list counts only as a new or final plan; and a list that
    breaks off doesn't replace the whole plan that it repeats."""
    if (
        run.entries
        and run.entries[-1].kind == "cut"
        and run.steps == earlier.steps[: len(run.steps)]
    ):
        return True
    if not run.steps and not run.marked:
        return True
    if earlier.ended and not (run.marked or run.ended):
        return run.lead != "strong" and not run.revised and not run.fenced
    return False


def _told_run(lines: Sequence[Line], lexicon: Lexicon) -> Run | None:
    """A plan told in sentences: "First, pick up the red block. Then put down the red block." """
    run = Run("plan")
    for line in lines:
        unread: list[Entry] = []
        for sentence in re.split(r"(?<=[.!?;:])\s+", line.text) if line.text else ():
            if anywhere("tentative").search(sentence.lower()):
                continue
            said = read_steps(sentence, lexicon, due=False)
            if said.begun or said.cut:
                unread.append(Entry(line.number, "unread"))
            if said.steps and not said.hollow:
                run.entries += [*unread, Entry(line.number, "step", said.steps)]
                unread = []
                run.first = run.first or line.number
                run.last = line.number
        run.entries += unread if run.entries and run.entries[-1].line == line.number else ()
    return run if len(run.steps) > 1 or (run.steps and len(lines) < _FEW) else None


_FEW = 4


# What the reading is


def _judge(
    run: Run | None, lines: Sequence[Line], cleaned: Tidy, stop_reason: str | None, *, is_cut: bool
) -> PlanReading:
    withdrawn, nothing = last_withdrawal(lines), last_nothing_to_do(lines)
    if (run is not None and withdrawn > _last_step(run)) or (run is None and withdrawn > nothing):
        return PlanReading("answered", None, withdrawn, withdrawn)
    if run is not None and withdrawn and not _is_asserted(run):
        return PlanReading("answered", None, withdrawn, withdrawn)
    if (
        run is not None
        and (run.steps or not nothing)
        and not (nothing > _last_step(run) and _grade(run) < 1)
    ):
        return _as_plan(run, lines, stop_reason, is_open=cleaned.is_open)
    if nothing:
        return PlanReading("answered", (), nothing, nothing)
    return _without_plan(lines, cleaned, stop_reason, is_cut=is_cut)


def _last_step(run: Run) -> int:
    return run.entries[-1].line if run.entries else run.first


def _is_asserted(run: Run) -> bool:
    return _grade(run) >= _INTRODUCED or not run.entries


def _as_plan(
    run: Run, lines: Sequence[Line], stop_reason: str | None, *, is_open: bool
) -> PlanReading:
    end = next((line.number for line in reversed(lines) if not line.is_blank), 0)
    entries = run.entries
    if entries and entries[-1].line == end and not run.ended:
        entries = _without_cut(entries, stop_reason, is_open=is_open)
    bad = next((entry for entry in entries if entry.kind in ("cut", "unread")), None)
    if bad is not None:
        return _standing(run, PlanReading("unparsed", None, bad.line, run.last))
    steps = tuple(step for entry in entries for step in entry.steps)
    if not steps and run.entries:
        return PlanReading("truncated", None, run.first, run.last)
    first = entries[0].line if entries else run.first
    return _standing(run, PlanReading("answered", steps, first, run.last))


def _standing(run: Run, reading: PlanReading) -> PlanReading:
    return replace(
        reading, is_announced=_is_asserted(run), is_marked=run.marked, is_ended=run.ended
    )


def _without_cut(entries: list[Entry], stop_reason: str | None, *, is_open: bool) -> list[Entry]:
    """Without a last step that the token limit cut. `is_open`: no stop or line break follows."""
    last, limited = entries[-1], stop_reason in _CUT_SHORT
    if (last.kind == "cut" and (limited or stop_reason is None)) or (
        last.kind == "unread" and limited
    ):
        return entries[:-1]
    if last.short and len(entries) > 1 and (limited or (stop_reason is None and is_open)):
        kept = replace(last, steps=last.steps[:-1])
        return [*entries[:-1], kept] if kept.steps else entries[:-1]
    return entries


def _without_plan(
    lines: Sequence[Line], cleaned: Tidy, stop_reason: str | None, *, is_cut: bool
) -> PlanReading:
    text = " ".join(line.text for line in lines[:20]).lower()
    if stop_reason in _FILTERED or anywhere("refuse").search(text):
        return PlanReading("refused")
    if cleaned.thinking or is_cut:
        return PlanReading("truncated")
    return PlanReading("unparsed", None, next((line.number for line in lines if line.text), 1))
