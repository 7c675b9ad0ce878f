"""What a run will cost before it is asked: calls, tokens and money, low and high, arm by arm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from misstep.core import items as item_text
from misstep.core.answers import second_question
from misstep.core.arms import Arm, Strategy
from misstep.core.conversation import Length
from misstep.core.family import Family
from misstep.core.items import Item
from misstep.core.outcomes import Reply
from misstep.core.prices import MILLION, Price
from misstep.core.thoughts import ballot
from misstep.core.wording import words
from misstep.runner.journal import answered
from misstep.runner.logged import logs
from misstep.runner.paying.lengths import (
    NO_HISTORY,
    REASONING,
    VOTE,
    History,
    Seen,
    assumed,
    history,
)
from misstep.runner.paying.picture_tokens import picture_tokens, places
from misstep.runner.paying.tokens import BY_RULE, Counter, Range
from misstep.runner.run import JOURNAL, Plan, Request
from misstep.runner.shards import journals

AnyFamily = Family[Any]  # Any: families of every payload
AnyItem = Item[Any]  # Any: likewise
_NOTHING = Range(0, 0)
_MARKUP = Range(4, 16)  # tokens that a message takes beside its words
READ = 0.2
"""The share of answers that a second reader is taken to read at most."""
_FINDING = 200  # tokens of what is said back, at most
_REMARK = 30  # tokens of what is said of an answer in a conversation, at most


@dataclass(frozen=True)
class Asked:
    """What is to be paid for: these items in these arms, each `repeat` times, of one model."""

    family: AnyFamily
    arms: Sequence[Arm]
    items: Sequence[AnyItem]
    model: str
    repeat: int = 1
    max_tokens: int | None = None


@dataclass(frozen=True)
class ArmCost:
    """One arm of one model. `money` is None where the price is unknown. `basis`: where from."""

    family: str
    model: str
    arm: str
    answers: int
    calls: Range
    input: Range
    output: Range
    money: Range | None
    basis: str


@dataclass(frozen=True)
class _Each:
    """Sums over the items: of one answer to each."""

    calls: Range
    input: Range
    output: Range

    def times(self, factor: float) -> _Each:
        parts = (part.times(factor) for part in (self.calls, self.input, self.output))
        return _Each(*parts)


@dataclass(frozen=True)
class _Sums:
    """One end of an `_Each`."""

    calls: float
    input: float
    output: float


def estimate(
    asked: Asked, price: Price | None, counter: Counter, past: History = NO_HISTORY
) -> list[ArmCost]:
    """An entry for each arm. Nothing is taken to be cached, and no reply to be known already."""
    return [_arm_cost(asked, arm, price, counter, past) for arm in asked.arms]


def total(costs: Iterable[ArmCost]) -> Range | None:
    """The money of all; None where any of it is unknown."""
    found = _NOTHING
    for cost in costs:
        if cost.money is None:
            return None
        found = found + cost.money
    return found


def without(cost: ArmCost, share: float) -> ArmCost:
    """What is left to pay where this share of the answers is there already."""
    left = 1 - share
    return replace(
        cost,
        answers=round(cost.answers * left),
        calls=cost.calls.times(left),
        input=cost.input.times(left),
        output=cost.output.times(left),
        money=None if cost.money is None else cost.money.times(left),
    )


def left_to_pay(request: Request, plan: Plan) -> list[ArmCost]:
    """What the plan still costs: what its journal holds is paid for, and says how long replies are.

    By the rule of characters, as a run should not wait for a tokenizer. A second reader's calls
    come last.
    """
    family, model = request.family, plan.manifest.model
    found: dict[str, AnyItem] = {}
    for sample in plan.task.dataset:
        item: AnyItem = item_text.from_dict(sample.metadata or {}, family.payload)
        found[item.id] = item
    asked = Asked(
        family, plan.arms, list(found.values()), model, request.repeat, request.max_tokens
    )
    files = sorted(plan.folder.glob("*" + logs.ENDING))
    files = [file for file in files if not logs.is_unfinished(file)]
    past = history(logs.finished_records(files), family.spec.name) if files else NO_HISTORY
    costs = estimate(asked, request.prices.of(model), BY_RULE, past)
    there = answered(journals.all_of(plan.folder, JOURNAL))
    left = [
        without(cost, min(1.0, len(there.get(cost.arm, ())) / max(1, cost.answers)))
        for cost in costs
    ]
    return left if request.reader is None else [*left, _reading(request, request.reader, left)]


def _reading(request: Request, reader: str, costs: Sequence[ArmCost]) -> ArmCost:
    """What a second reader costs that reads none of these answers, or a fifth."""
    answers, price = sum(cost.answers for cost in costs), request.prices.of(reader)
    question = BY_RULE.tokens([second_question("", request.family.spec.vocabulary)]) + _MARKUP
    replies = Range(0, sum(cost.output.high for cost in costs))
    calls = Range(0, READ * answers)
    read = replies.times(0, READ) + question.times(0, READ * answers)
    each = _Each(calls, read, VOTE.times(0, READ * answers))
    return ArmCost(
        family=request.family.spec.name,
        model=reader,
        arm="second reading",
        answers=round(calls.high),
        calls=calls,
        input=each.input,
        output=each.output,
        money=None if price is None else _money(each, price),
        basis=f"up to {READ:.0%} of the answers",
    )


def _arm_cost(
    asked: Asked, arm: Arm, price: Price | None, counter: Counter, past: History
) -> ArmCost:
    seen = past.of(arm.name, asked.model)
    others = past.of_others(arm.name)
    each, basis = _supposed(asked, arm, counter), "assumed lengths"
    if seen is not None:
        each, basis = _as_seen(each, seen, len(asked.items)), f"{seen.answers} earlier answers"
    elif others is not None:
        each = replace(each, output=others.times(len(asked.items)))
        basis = "other models' answers, halved and doubled"
    whole = each.times(asked.repeat)
    return ArmCost(
        family=asked.family.spec.name,
        model=asked.model,
        arm=arm.name,
        answers=len(asked.items) * asked.repeat,
        calls=whole.calls,
        input=whole.input,
        output=whole.output,
        money=None if price is None else _money(whole, price),
        basis=basis,
    )


def _money(whole: _Each, price: Price) -> Range:
    low = whole.input.low * price.input + whole.output.low * price.output
    high = whole.input.high * price.input + whole.output.high * price.dearest_output
    return Range(low / MILLION, high / MILLION)


def _as_seen(each: _Each, seen: Seen, items: int) -> _Each:
    is_fixed = each.calls.low == each.calls.high
    return _Each(
        calls=each.calls if is_fixed or seen.calls is None else seen.calls.times(items),
        input=each.input if seen.input is None else seen.input.times(items),
        output=seen.output.times(items),
    )


def _supposed(asked: Asked, arm: Arm, counter: Counter) -> _Each:
    """From the items' own prompts and right answers, by the arm's strategy."""
    conversation = asked.family.conversation
    if conversation is None:
        return _of_one_question(asked, arm, counter, has_asides=False)
    length = conversation.length(arm.prompt)
    first = _of_one_question(asked, arm, counter, has_asides=length.asides > 0)
    return _all_turns(asked, arm, counter, first, length)


def _all_turns(asked: Asked, arm: Arm, counter: Counter, first: _Each, length: Length) -> _Each:
    """From the first turn of every item: each turn reads all that was said before it.

    An aside comes after every answer but the last, takes a call, and stays in the history.
    """
    n = len(asked.items)
    grows = _growth(asked, arm, counter, first, length)
    aside = REASONING.times(n)

    def sums(turns: int, calls: float, read: float, said: float, grown: float, own: float) -> _Sums:
        others, before = length.asides * (turns - 1), grown * turns * (turns - 1) / 2
        return _Sums(
            calls * turns + n * others,
            read * turns + before * (calls / n + length.asides),
            said * turns + own * others,
        )

    calls, read, said = first.calls, first.input, first.output
    low = sums(length.fewest, calls.low, read.low, said.low, grows.low, aside.low)
    high = sums(length.most, calls.high, read.high, said.high, grows.high, aside.high)
    return _Each(
        Range(low.calls, high.calls), Range(low.input, high.input), Range(low.output, high.output)
    )


def _growth(asked: Asked, arm: Arm, counter: Counter, first: _Each, length: Length) -> Range:
    """Tokens that an answer, with its question, what is found of it, and any aside, adds to the
    history; over all items."""
    n, item, conversation = len(asked.items), asked.items[0], asked.family.conversation
    asked_for = _prompts(asked, [words(asked.family, one, arm) for one in asked.items], counter)
    kept = counter.tokens([one.truth for one in asked.items])
    if conversation is not None and conversation.keeps_text(item):
        kept = Range(kept.low, first.output.high * n / first.calls.high)
    found = Range(0, _REMARK * n) + REASONING.times(n * length.asides)
    return asked_for + kept + found + _MARKUP.times(n * (1 + 2 * length.asides))


def _of_one_question(asked: Asked, arm: Arm, counter: Counter, *, has_asides: bool) -> _Each:
    """Of a conversation the first turn; an arm that reasons in asides answers briefly."""
    items, n = asked.items, len(asked.items)
    answers = counter.tokens([item.truth for item in items])
    answer = answers.times(1 / n)
    is_brief = has_asides or arm.prompt == asked.family.spec.arms[0].prompt
    reply = assumed(arm, answer, is_brief, arm.max_tokens or asked.max_tokens).times(n)
    if arm.strategy is Strategy.TREE:
        return _tree(asked, arm, counter, reply)
    prompt = _prompts(asked, [words(asked.family, item, arm) for item in items], counter)
    prompt = prompt + _system(arm, n, counter)
    if arm.strategy is Strategy.FEEDBACK:
        return _feedback(asked, arm, counter, _Each(Range(n, n), prompt, reply))
    return _Each(Range(n, n), prompt, reply).times(arm.draws)


def _prompts(asked: Asked, texts: Sequence[str], counter: Counter) -> Range:
    each = picture_tokens(asked.family, asked.items[0], asked.model)
    shown = each.times(sum(map(places, texts)))
    return counter.tokens(texts) + _MARKUP.times(len(texts)) + shown


def _system(arm: Arm, calls: int, counter: Counter) -> Range:
    if arm.wording is None or not arm.wording.system:
        return _NOTHING
    return counter.tokens([arm.wording.system]).times(calls) + _MARKUP.times(calls)


def _tree(asked: Asked, arm: Arm, counter: Counter, reply: Range) -> _Each:
    """As many votes as thoughts; each vote reads all thoughts."""
    family, n, draws = asked.family, len(asked.items), arm.draws
    system = _system(arm, n, counter)
    asked_for = [words(family, item, arm) for item in asked.items]
    thoughts = _prompts(asked, asked_for, counter) + system
    blank = [""] * draws
    voting = [ballot(family, item, arm, blank) for item in asked.items]
    ballots = _prompts(asked, voting, counter)
    ballots = ballots + system + reply.times(draws)
    calls = Range(2 * draws * n, 2 * draws * n)
    return _Each(calls, (thoughts + ballots).times(draws), (reply + VOTE.times(n)).times(draws))


def _feedback(asked: Asked, arm: Arm, counter: Counter, first: _Each) -> _Each:
    """One call if the first reply is right; else all rounds, each reading all that went before."""
    n, rounds = len(asked.items), arm.draws
    turn = first.output.high + _finding(asked, counter) + 2 * _MARKUP.high * n
    read = sum(first.input.high + number * turn for number in range(rounds + 1))
    return _Each(
        calls=Range(n, n * (rounds + 1)),
        input=Range(first.input.low, read),
        output=Range(first.output.low, first.output.high * (rounds + 1)),
    )


def _finding(asked: Asked, counter: Counter) -> float:
    """Tokens said back over all items: what is said to an empty reply, or more."""
    if asked.family.feedback is None:
        return 0.0
    said = [asked.family.feedback(item, Reply("")) or "" for item in asked.items]
    return max(counter.tokens(said).high, float(_FINDING * len(asked.items)))
