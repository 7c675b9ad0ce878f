"""Were the arms what they claim? Records in, what contradicts the arms' names out.

An answer says how it came about: thinking tokens that the provider reports, thinking that can be
read, temperature and token limit as they took effect, what the request said about thinking. An arm
that thinks although it should not, or not as it should, makes a comparison of something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from misstep.core.answers.refusals import CUT_SHORT
from misstep.core.arms import LEVELS, NO_THINKING
from misstep.core.records import Record

DIRECT = "direct"
"""The arm that every family has as its baseline, and that answers at once."""

OVER = 1.25
"""Thinking beyond this share of its budget, on average, has ignored it."""

SAME = 1.05
"""A level must take more than this share of what the level below takes, on average."""

RARE = 0.05
"""What at most this share of an arm's answers does isn't named."""

SPARE_TOKENS = 50
"""No token is shorter than a byte, so a reply of n bytes has at most n tokens and a few of markup;
what is beyond that was thought."""


class Kind(StrEnum):
    """What an arm does that it shouldn't."""

    THINKS_ANYWAY = "thinks_anyway"
    OVER_BUDGET = "over_budget"
    NO_MORE_THAN_LESS = "no_more_than_less"
    SAME_REQUEST = "same_request"
    TEMPERATURE = "temperature"
    HIDDEN_THINKING = "hidden_thinking"
    NO_THINKING = "no_thinking"
    CUT_WHILE_THINKING = "cut_while_thinking"


@dataclass(frozen=True)
class ArmFacts:
    """What one arm's answers say of how they came about; means over answers, per call.

    `thinking`: as asked. `tokens`: thinking tokens, as reported or, of thinking that is only read,
    by its share of the reply; None: nothing known. `hidden`: tokens that neither the reply nor the
    reported thinking accounts for. `temperatures`, `caps`: all that took effect.
    """

    family: str
    version: int
    variant: str
    who: str
    arm: str
    thinking: str | None
    n: int
    tokens: float | None
    output_tokens: float | None
    hidden: float | None
    asked_temperatures: tuple[float | None, ...]
    temperatures: tuple[float | None, ...]
    caps: tuple[int | None, ...]
    sent: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """One arm that isn't what it claims, and the sentence that says so."""

    family: str
    version: int
    variant: str
    who: str
    arm: str
    kind: Kind
    said: str


@dataclass(frozen=True)
class Claims:
    """The arms as they were, and what contradicts them."""

    arms: tuple[ArmFacts, ...]
    findings: tuple[Finding, ...]

    @property
    def is_told(self) -> bool:
        """Whether there is anything to say: an arm about thinking, or a finding."""
        return bool(self.findings) or any(one.thinking is not None for one in self.arms)


@dataclass(frozen=True)
class _Arm:
    facts: ArmFacts
    records: tuple[Record, ...]


def check(records: Iterable[Record]) -> Claims:
    """Every arm of every model, in the order in which they come."""
    subjects: dict[tuple[str, int, str, str], dict[str, list[Record]]] = {}
    for record in records:
        subject = (record.family, record.version, record.variant, record.who)
        subjects.setdefault(subject, {}).setdefault(record.arm, []).append(record)
    all_arms: list[ArmFacts] = []
    findings: list[Finding] = []
    for by_arm in subjects.values():
        arms = [_Arm(_facts(own), tuple(own)) for own in by_arm.values()]
        all_arms += [arm.facts for arm in arms]
        findings += [found for arm in arms for found in _findings(arm, arms)]
    return Claims(tuple(all_arms), tuple(findings))


def thinking_tokens(record: Record) -> float | None:
    """Thinking tokens of an answer, all calls together; None where nothing is known.

    What the provider reports; where it reports none but thinking could be read, the tokens of the
    answer by the thinking's share of its text.
    """
    if record.reasoning_tokens or not record.thinking_chars:
        return record.reasoning_tokens
    if record.output_tokens is None:
        return None
    whole = record.thinking_chars + (record.visible_bytes or 0)
    return record.output_tokens * record.thinking_chars / whole


def hidden_tokens(record: Record) -> float | None:
    """Output tokens that neither the text nor the reported thinking accounts for; None: unknown."""
    if record.output_tokens is None or record.visible_bytes is None:
        return None
    reported = record.reasoning_tokens or 0
    text = record.visible_bytes + (0 if reported else record.thinking_chars or 0)
    spare = SPARE_TOKENS * (record.calls or 1)
    return max(record.output_tokens - reported - text - spare, 0)


def _facts(records: Sequence[Record]) -> ArmFacts:
    first = records[0]
    return ArmFacts(
        family=first.family,
        version=first.version,
        variant=first.variant,
        who=first.who,
        arm=first.arm,
        thinking=first.thinking,
        n=len(records),
        tokens=_mean(records, thinking_tokens),
        output_tokens=_mean(records, lambda record: record.output_tokens),
        hidden=_mean(records, hidden_tokens),
        asked_temperatures=tuple(dict.fromkeys(record.asked_temperature for record in records)),
        temperatures=tuple(dict.fromkeys(record.temperature for record in records)),
        caps=tuple(dict.fromkeys(record.max_tokens for record in records)),
        sent=tuple(
            dict.fromkeys(one.thinking_sent for one in records if one.thinking_sent is not None)
        ),
    )


def _mean(records: Iterable[Record], value: Callable[[Record], float | None]) -> float | None:
    """Over the answers that have the value, each by its number of calls."""
    pairs = [(value(record), record.calls or 1) for record in records]
    known = [number / calls for number, calls in pairs if number is not None]
    return sum(known) / len(known) if known else None


def _findings(arm: _Arm, arms: Sequence[_Arm]) -> Iterator[Finding]:
    facts = arm.facts
    for kind, said in (
        (Kind.THINKS_ANYWAY, _thinks_anyway(arm)),
        (Kind.OVER_BUDGET, _over_budget(facts)),
        (Kind.NO_MORE_THAN_LESS, _no_more_than_less(arm, arms)),
        (Kind.SAME_REQUEST, _same_request(facts, [one.facts for one in arms])),
        (Kind.TEMPERATURE, _temperature(facts)),
        (Kind.HIDDEN_THINKING, _hidden(arm)),
        (Kind.NO_THINKING, _no_thinking(arm)),
        (Kind.CUT_WHILE_THINKING, _cut_while_thinking(arm)),
    ):
        if said is not None:
            yield Finding(
                facts.family, facts.version, facts.variant, facts.who, facts.arm, kind, said
            )


def _is_to_answer_at_once(facts: ArmFacts) -> bool:
    is_direct = facts.thinking is None and facts.arm.split("+")[0] == DIRECT
    return is_direct or facts.thinking == NO_THINKING


def _is_to_think(facts: ArmFacts) -> bool:
    return facts.thinking is not None and facts.thinking != NO_THINKING


def _thinks_anyway(arm: _Arm) -> str | None:
    if not _is_to_answer_at_once(arm.facts):
        return None
    thought = [one for one in arm.records if (thinking_tokens(one) or one.thinking_chars or 0) > 0]
    if len(thought) > RARE * arm.facts.n:
        mean = _mean(thought, thinking_tokens)
        amount = "" if mean is None else f", {mean:,.0f} tokens a call"
        return f"thinks although it is to answer at once: {len(thought)} of {_n(arm)}{amount}"
    if _hides(arm):
        return (
            f"seems to think although it is to answer at once: {arm.facts.output_tokens:,.0f} "
            f"tokens for replies of {_size(arm)} bytes"
        )
    return None


def _over_budget(facts: ArmFacts) -> str | None:
    if facts.thinking is None or not facts.thinking.isdigit() or facts.tokens is None:
        return None
    budget = int(facts.thinking)
    if facts.tokens <= OVER * budget:
        return None
    return f"ignores its budget: {facts.tokens:,.0f} thinking tokens a call, {budget:,} allowed"


def _no_more_than_less(arm: _Arm, arms: Sequence[_Arm]) -> str | None:
    """The nearest lower level that, on the same items, takes as much thinking or more."""
    facts = arm.facts
    if facts.thinking not in LEVELS:
        return None
    lower = [one for one in arms if _is_lower(one.facts, facts)]
    lower.sort(key=lambda one: LEVELS.index(str(one.facts.thinking)), reverse=True)
    for one in lower:
        items = {record.item for record in one.records} & {record.item for record in arm.records}
        less, more = (_mean(_only(side, items), thinking_tokens) for side in (one, arm))
        if less and more is not None and more <= SAME * less:
            return (
                f"takes no more thinking than {one.facts.arm}: {more:,.0f} tokens a call "
                f"against {less:,.0f} on the same items"
            )
    return None


def _is_lower(one: ArmFacts, facts: ArmFacts) -> bool:
    if one.thinking not in LEVELS or facts.thinking not in LEVELS:
        return False
    return LEVELS.index(one.thinking) < LEVELS.index(facts.thinking)


def _only(arm: _Arm, items: set[str]) -> list[Record]:
    return [record for record in arm.records if record.item in items]


def _same_request(facts: ArmFacts, arms: Sequence[ArmFacts]) -> str | None:
    """Thinking that no request spoke of: the arm's is as empty, or as another arm's."""
    if not _is_to_think(facts) or not facts.sent:
        return None
    if facts.sent == ("{}",):
        return "isn't told to think: the request says nothing about it"
    for other in arms:
        if other.thinking != facts.thinking and other.sent == facts.sent:
            return f"is told the same about thinking as {other.arm}: {facts.sent[0]}"
    return None


def _temperature(facts: ArmFacts) -> str | None:
    asked, took = facts.asked_temperatures, facts.temperatures
    if asked == took or all(one is None for one in asked):
        return None
    named = " and ".join("the provider's own" if one is None else f"{one:g}" for one in took)
    wanted = " and ".join(f"{one:g}" for one in asked if one is not None)
    remedy = f"; --temperature {took[0]:g} asks every arm alike" if took[0] is not None else ""
    return f"is asked at temperature {wanted}, answered at {named}{remedy}"


def _hidden(arm: _Arm) -> str | None:
    if not _is_to_think(arm.facts) or not _hides(arm):
        return None
    reported = arm.facts.tokens or 0
    return (
        f"hides its thinking: {arm.facts.output_tokens:,.0f} tokens a call for replies of "
        f"{_size(arm)} bytes, {reported:,.0f} thinking tokens reported"
    )


def _no_thinking(arm: _Arm) -> str | None:
    """Thinking asked for, and no sign of any."""
    if not _is_to_think(arm.facts) or _hides(arm):
        return None
    thought = [one for one in arm.records if one.reasoning_tokens or one.thinking_chars]
    if len(thought) > RARE * arm.facts.n:
        return None
    return f"shows no sign of thinking in {_n(arm)}: no thinking tokens reported, none to read"


def is_cut_while_thinking(record: Record) -> bool:
    """Whether the token limit came before the first word of an answer."""
    return (record.stop_reason or "").casefold() in CUT_SHORT and not record.visible_bytes


def _cut_while_thinking(arm: _Arm) -> str | None:
    cut = [one for one in arm.records if is_cut_while_thinking(one)]
    if len(cut) <= RARE * arm.facts.n:
        return None
    limits = sorted({one.max_tokens for one in cut if one.max_tokens is not None})
    limit = f" of {' and '.join(f'{one:,}' for one in limits)} tokens" if limits else ""
    return (
        f"is cut off while it thinks: {len(cut)} of {_n(arm)} reach the limit{limit} before a "
        "word; a higher --max-tokens, or none, leaves room"
    )


def _hides(arm: _Arm) -> bool:
    """More tokens than text and reported thinking can account for, in half of the answers."""
    hidden = [hidden_tokens(record) or 0 for record in arm.records]
    large = [
        one > max(thinking_tokens(record) or 0, 0)
        for one, record in zip(hidden, arm.records, strict=True)
    ]
    return 2 * sum(large) >= len(large)


def _n(arm: _Arm) -> str:
    return f"{arm.facts.n:,} answers" if arm.facts.n > 1 else "1 answer"


def _size(arm: _Arm) -> str:
    size = _mean(arm.records, lambda record: record.visible_bytes)
    return f"{size or 0:,.0f}"
