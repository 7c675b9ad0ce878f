"""Conversations: the runner's side. Each turn is asked by the arm's own strategy, in its place.

What was said at each turn stands in the sample's metadata, so that a log can be heard again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ModelOutput

from misstep.core.arms import Arm, Strategy
from misstep.core.conversation import Conversation, Heard, Turn
from misstep.core.errors import BadInput
from misstep.core.family import Family
from misstep.core.items import Item
from misstep.core.outcomes import Reply, Score
from misstep.core.wording import words
from misstep.runner.calls.asking import Place
from misstep.runner.calls.strategies import Asking, ask
from misstep.runner.judge import best_thought, judge
from misstep.runner.logged.rows import Row, reply_of

P = TypeVar("P")
TURNS = "turns"
"""Of a sample's metadata: a row for each turn."""

# A second model's reading of a turn's replies, as a row; None where nothing was left unread.
Reread = Callable[[Place, Arm, Sequence[Reply]], Awaitable[Row | None]]


@dataclass(frozen=True)
class Exchange:
    """One turn as it was asked: its replies, and a second model's reading as a row, if any."""

    heard: Heard[Any]  # Any: the runner serves families of every payload
    kept: str
    outputs: tuple[ModelOutput, ...]
    second: Row | None

    def plain(self) -> Row:
        """As the sample's metadata keeps it; the replies themselves stand beside it, in a row."""
        turn, score = self.heard.turn, self.heard.score
        row = {"replies": len(self.outputs), "kept": self.kept, "second": self.second}
        if score is None:
            return row
        return row | {
            "truth": turn.item.truth,
            "lure": turn.item.lure,
            "outcome": score.outcome.value,
            "answer": score.answer,
            "reason": score.reason,
        }


@dataclass(frozen=True)
class Conversed:
    """A conversation that is over, with all that was said in it."""

    exchanges: tuple[Exchange, ...]
    messages: tuple[ChatMessage, ...]

    @property
    def outputs(self) -> list[ModelOutput]:
        return [output for one in self.exchanges for output in one.outputs]


async def converse(asking: Asking, reread: Reread) -> Conversed:
    """Turn after turn, until the family's conversation is over.

    Every call has a place of its own in the journal, so a conversation that was cut off anywhere
    finds its earlier replies there, and goes on.
    """
    family, item, wording = asking.place.family, asking.place.item, asking.arm.prompt
    conversation = conversation_of(family)
    exchanges: list[Exchange] = []
    heard: list[Heard[Any]] = []  # Any: families of every payload
    history: list[ChatMessage] = []
    while (turn := conversation.next(item, wording, heard)) is not None:
        now = _at(asking, turn, len(exchanges), history)
        exchange = await _exchange(now, turn, conversation, reread)
        exchanges.append(exchange)
        heard.append(exchange.heard)
        history += [
            now.message(_words(family, turn, asking.arm)),
            ChatMessageAssistant(content=exchange.kept),
        ]
    return Conversed(tuple(exchanges), tuple(history))


def hear_again(
    family: Family[P],
    item: Item[P],
    arm: Arm,
    metadata: Mapping[str, Any],  # Any: JSON values
) -> Score:
    """The score of a logged conversation by today's rules.

    Where they read a turn in another way than the model was told, the conversation may be over
    before its last turn, or end while it should have gone on.
    """
    conversation = conversation_of(family)
    if TURNS not in metadata or "replies" not in metadata:
        raise BadInput(f"sample {item.id}@{arm.name}: its log holds no turns of a conversation")
    rows: Sequence[Row] = metadata[TURNS]
    replies = [Reply(**row) for row in metadata["replies"]]
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + row["replies"])

    def hear(number: int, turn: Turn[P]) -> Heard[P] | None:
        if number == len(rows):
            return None
        own = replies[starts[number] : starts[number + 1]]
        return _heard(family, turn, arm, own, rows[number]["second"])

    return conversation.score(item, conversation.play(item, arm.prompt, hear))


def conversation_of(family: Family[P]) -> Conversation[P]:
    if family.conversation is None:
        raise BadInput(f"FAMILY: {family.spec.name} holds no conversations")
    return family.conversation


def _at(asking: Asking, turn: Turn[Any], number: int, history: Sequence[ChatMessage]) -> Asking:
    """The question of this turn. Any: families of every payload."""
    return replace(
        asking,
        place=replace(asking.place, item=turn.item, turn=number),
        history=tuple(history),
        opening=turn.opening,
    )


async def _exchange(
    asking: Asking,
    turn: Turn[Any],  # Any: families of every payload
    conversation: Conversation[Any],  # Any: likewise
    reread: Reread,
) -> Exchange:
    family, arm = asking.place.family, asking.arm
    if turn.is_answer:
        outputs = await ask(asking)
    else:
        outputs = [await asking.call(_words(family, turn, arm), 0)]
    replies = [reply_of(output) for output in outputs]
    second = await reread(asking.place, arm, replies) if turn.is_answer else None
    heard = _heard(family, turn, arm, replies, second)
    return Exchange(heard, conversation.keep(heard), tuple(outputs), second)


def _words(family: Family[P], turn: Turn[P], arm: Arm) -> str:
    return words(family, turn.item, arm) if turn.is_answer else family.prompt(turn.item, arm.prompt)


def _heard(
    family: Family[P], turn: Turn[P], arm: Arm, replies: Sequence[Reply], second: Row | None
) -> Heard[P]:
    if not turn.is_answer:
        return Heard(turn, replies[0], None)
    read = Reply(second["text"], second["stop_reason"]) if second else None
    score = judge(family, turn.item, arm, replies, read)
    return Heard(turn, _counted(family, turn.item, arm, replies, score), score)


def _counted(
    family: Family[P], item: Item[P], arm: Arm, replies: Sequence[Reply], score: Score
) -> Reply:
    """The reply that the history is to hold: of a tree the best thought, of a vote the first that
    gives the answer which won."""
    if arm.strategy is Strategy.TREE:
        return replies[best_thought(arm.draws, replies[arm.draws :]) or 0]
    if arm.strategy is Strategy.VOTE and score.outcome.is_answered:
        same = (one for one in replies if family.score(item, one).answer == score.answer)
        return next(same, replies[0])
    return replies[0]


def rows_of(conversed: Conversed) -> Row:
    """What the sample's metadata keeps."""
    return {
        "replies": [asdict(reply_of(output)) for output in conversed.outputs],
        TURNS: [one.plain() for one in conversed.exchanges],
    }
