"""Plan verification as published: what is true of the plan shown, and what a reply says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from misstep.planning.model import Problem, Step
from misstep.planning.published.facts import facts_said, without_tokens
from misstep.planning.reading.lexicon import Lexicon
from misstep.planning.reading.steps import read_steps
from misstep.planning.running import Verdict
from misstep.planning.validation import validate

VALID, FAILS, MISSES = (
    Verdict.VALID.value,
    Verdict.PRECONDITION_FAILED.value,
    Verdict.GOAL_NOT_REACHED.value,
)
INVALID = "invalid"
"""Said to be not valid, without saying of which kind."""

_GOES_ON = re.compile(r"\[(?:STATEMENT|ANSWER END|PLAN|VERIFICATION END)\]", re.IGNORECASE)
_OPEN = re.compile(r"\b(?:if|whether|determine|check)\b[^.\n:]{0,200}?\b(?:in)?valid\b", re.I)
_OTHER_PLAN = re.compile(
    r"\b(?:corrected|revised|new|modified|alternative|updated|fixed)\s+plan\b[^.\n]*", re.IGNORECASE
)
_PRONOUNCED = re.compile(
    r"\bplan\b(?P<lead>[^.\n]{0,200}?)\b(?P<word>invalid|valid|inexecutable)\b"
    r"|^\W*(?P<alone>invalid|valid)\W*$",
    re.IGNORECASE | re.MULTILINE,
)
_NOT = re.compile(r"(?:\bnot\b|n't\b)[^.\n]{0,12}$", re.IGNORECASE)
_LABEL = re.compile(
    r"\b(?:unmet|unsatisfied)\s+(?P<kind>goal|precondition)s?(?:\s+conditions?)?\b[^:\n]*:?",
    re.IGNORECASE,
)
_FAILS = re.compile(r"\bprecondition|\bcan(?:not|'t| not) be executed|\binexecutable\b", re.I)
_MISSES = re.compile(r"\bgoals?\b", re.IGNORECASE)
_NUMBER = re.compile(r"\b(?:step|action)\s*(?:number\s*)?#?\(?(\d{1,4})\b", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:[-*\u2022+]|\d{1,3}[.)])\s+")
_PARAGRAPH = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class PlanVerdict:
    """`kind` is valid, precondition_failed or goal_not_reached; of a reply also invalid. `number`
    and `step` are the failing action's, from 1; `facts` what is unmet, as PDDL."""

    kind: str
    number: int | None = None
    step: Step | None = None
    facts: tuple[str, ...] = ()

    @property
    def is_valid(self) -> bool:
        return self.kind == VALID

    @property
    def text(self) -> str:
        """In a line: "precondition_failed at 2 (stack a b): (holding a)"."""
        place = [f"at {self.number}"] if self.number is not None else []
        step = [f"({' '.join(self.step)})"] if self.step else []
        facts = f": {', '.join(self.facts)}" if self.facts else ""
        return " ".join([self.kind, *place, *step]) + facts


@dataclass(frozen=True, slots=True)
class VerdictScores:
    """The class decides. `is_action_right` is None where no action fails, `are_facts_right` where
    the plan is valid. `is_explained`: right in all of them."""

    is_validity_right: bool
    is_class_right: bool
    is_action_right: bool | None
    are_facts_right: bool | None

    @property
    def is_explained(self) -> bool:
        parts = (self.is_action_right, self.are_facts_right)
        return self.is_class_right and all(part is not False for part in parts)


def plan_verdict(problem: Problem, plan: Sequence[Step]) -> PlanVerdict:
    """What is true, by simulation. An action that is no action of the domain, or can't have such
    objects, fails like one whose preconditions aren't met."""
    found = validate(problem, plan)
    if found.failed_step is None:
        return PlanVerdict(found.verdict.value, facts=found.unmet)
    return PlanVerdict(FAILS, found.failed_step + 1, plan[found.failed_step], found.unmet)


def read_verdict(reply: str, problem: Problem, lexicon: Lexicon) -> PlanVerdict | None:
    """The last verdict that the reply pronounces before it invents further prompts; None where
    it pronounces none."""
    text = _own_part(without_tokens(reply))
    pronounced = list(_PRONOUNCED.finditer(_blanked(text)))
    if not pronounced:
        return None
    if _is_valid(pronounced[-1]):
        return PlanVerdict(VALID)
    after = text[pronounced[-1].start() :]
    told = after if _LABEL.search(after) else text
    labels = list(_LABEL.finditer(told))
    if not labels:
        return PlanVerdict(_kind(told), _number(told), _step(told, lexicon))
    if labels[0]["kind"].lower() == "goal":
        return PlanVerdict(MISSES, facts=_listed(told, labels[0], problem, lexicon))
    label = labels[:2][-1]  # the first may say of which action, and the second what
    before = told[: label.start()]
    facts = _listed(told, label, problem, lexicon)
    return PlanVerdict(FAILS, _number(before), _step(before, lexicon), facts)


def judge_verdict(said: PlanVerdict | None, truth: PlanVerdict) -> VerdictScores:
    """A reply that says none is wrong in all."""
    if said is None:
        action = None if truth.number is None else False
        return VerdictScores(False, False, action, None if truth.is_valid else False)
    facts = None if truth.is_valid else set(said.facts) == set(truth.facts)
    return VerdictScores(
        said.is_valid == truth.is_valid, said.kind == truth.kind, _is_action(said, truth), facts
    )


def _is_action(said: PlanVerdict, truth: PlanVerdict) -> bool | None:
    """Right in what is said of it, the number or the action or both."""
    if truth.number is None:
        return None
    pairs = ((said.number, truth.number), (said.step, truth.step))
    told = [one == other for one, other in pairs if one is not None]
    return bool(told) and all(told)


def _own_part(reply: str) -> str:
    """Up to the first marker that something has been said before."""
    ends = (mark.start() for mark in _GOES_ON.finditer(reply) if reply[: mark.start()].strip())
    return reply[: next(ends, len(reply))]


def _is_valid(pronounced: re.Match[str]) -> bool:
    word = (pronounced["word"] or pronounced["alone"]).lower()
    return word == "valid" and not _NOT.search(pronounced["lead"] or "")


def _kind(text: str) -> str:
    if _FAILS.search(text):
        return FAILS
    return MISSES if _MISSES.search(text) else INVALID


def _number(text: str) -> int | None:
    found = _NUMBER.search(text)
    return int(found[1]) if found else None


def _step(text: str, lexicon: Lexicon) -> Step | None:
    """The first piece that is an action."""
    for piece in _pieces(text):
        said = read_steps(piece, lexicon, due=True)
        if len(said.steps) == 1 and not (said.cut or said.unknown):
            return said.steps[0]
    return None


def _pieces(text: str) -> Iterator[str]:
    for line in text.splitlines():
        parts = re.split(r":\s", _NUMBERED.sub("", line))
        yield from filter(None, (part.strip(" \"'.`*") for part in parts))


def _listed(text: str, label: re.Match[str], problem: Problem, lexicon: Lexicon) -> tuple[str, ...]:
    """The facts in the rest of the label's paragraph."""
    rest = _PARAGRAPH.split(text[label.end() :].lstrip(), maxsplit=1)[0]
    return facts_said(rest, problem, lexicon).texts


def _blanked(text: str) -> str:
    """Without what is no verdict on the plan shown: questions, and talk of another plan."""
    for other in (_OPEN, _OTHER_PLAN):
        text = other.sub(lambda found: " " * len(found[0]), text)
    return text
