"""A family as a task of the runner: every (item, arm) pair a sample, all arms in one log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    BatchConfig,
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Scorer,
    Target,
    accuracy,
    grouped,
    scorer,
)
from inspect_ai.scorer import Score as RunnerScore
from inspect_ai.solver import Generate, Solver, TaskState, solver

from misstep.core import arms_file, wording
from misstep.core import items as item_text
from misstep.core.answers import second_question
from misstep.core.arms import Arm, Strategy, resolve
from misstep.core.arms_file import Definition
from misstep.core.family import Family, select
from misstep.core.items import Item
from misstep.core.options import read_options
from misstep.core.outcomes import Reply, Score
from misstep.core.records import Record
from misstep.core.shards import Shard, of_shard
from misstep.runner import pictures
from misstep.runner.calls import thinking
from misstep.runner.calls.asking import Place, at, pictures_asked
from misstep.runner.calls.conversing import Reread, converse, hear_again, rows_of
from misstep.runner.calls.patience import UNANSWERED, Unanswered
from misstep.runner.calls.ranking import answer_logprobs, is_ranked
from misstep.runner.calls.strategies import Asking, ask, check_strategy
from misstep.runner.calls.warming import Warmed
from misstep.runner.judge import judge, needs_second
from misstep.runner.logged.rows import Row, in_effect, record_of, reply_of, score_row, spent
from misstep.runner.manifest import installed

AnyFamily = Family[Any]  # Any: the runner serves families of every payload
AskedSample = Sample
"""An item in an arm, as the runner asks it; so named for rooms that don't know its library."""
# The number of the call in which a second model reads; no strategy makes so many calls.
SECOND_READING = 1_000_000
Listener = Callable[[Record], None]
_listener: ContextVar[Listener | None] = ContextVar("misstep_listener", default=None)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Hand every record to the listener as soon as it is scored."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(record: Record) -> None:
    """Hand a record to whoever listens."""
    listener = _listener.get()
    if listener is not None:
        listener(record)


def family_task(
    family: AnyFamily,
    *,
    arms: Sequence[str] = (),
    scale: str = "quick",
    limit: int | None = None,
    seed: int = 0,
    temperature: float | None = 0.0,
    max_tokens: int | None = None,
    options: Mapping[str, object] | None = None,
    reader: Model | None = None,
    own_arms: Sequence[Definition] = (),
    log_images: bool = True,
    shard: Shard | None = None,
    samples: Sequence[Sample] | None = None,
    batch: BatchConfig | None = None,
) -> Task:
    """The task behind a family's door; no arms named: the family's default arms.

    `reader` is a second model that reads what the extractor's rules leave unparsed. `own_arms` are
    the user's, which `arms` may name as well. With `log_images` the log keeps the pictures of each
    item, in the first arm's sample. Of a `shard` only its own items are in the task.
    `samples` are those of the same request, where they have been made before.
    """
    chosen = arms_of(family, arms, own_arms)
    read = read_options(family.spec.options, options or {}, family.spec.name)
    if samples is None:
        items = list(of_shard(select(family, scale, limit, seed, read), shard))
        samples = list(_samples(family, chosen, items, own_arms))
    return Task(
        dataset=MemoryDataset(
            list(samples),
            name=family.spec.name,
        ),
        solver=_ask_arm(family, seed, reader, chosen[0].name if log_images else None),
        scorer=_outcome(family),
        config=GenerateConfig(temperature=temperature, max_tokens=max_tokens, batch=batch),
        name=family.spec.name,
        version=family.spec.version,
        metadata={
            "family": family.spec.name,
            "seed": seed,
            "scale": scale,
            "options": read,
            "arms": [arm.name for arm in chosen],
            "variant": family.variant(read),
            "versions": installed(),
        },
    )


def arm_names(words: str | Sequence[str]) -> list[str]:
    """The arms that a door is given: `-T arms=a,b` comes as a list, a single name as text."""
    listed = words.split(",") if isinstance(words, str) else words
    return [name.strip() for name in listed if name.strip()]


def arms_of(
    family: AnyFamily, names: Sequence[str], own: Sequence[Definition] = ()
) -> tuple[Arm, ...]:
    """The arms to ask, the baseline first; each known to have its words.

    No names: the family's default arms; where there are arms of the user's own, the family's first
    arm and these.
    """
    chosen = arms_file.chosen(names, family.spec.arms, family.spec.default_arms, own)
    for arm in chosen:
        check_strategy(family, arm)
    return chosen


def _samples(
    family: AnyFamily,
    arms: Sequence[Arm],
    items: Iterable[Item[Any]],  # Any: families of every payload
    own: Sequence[Definition],
) -> Iterator[Sample]:
    stated = {definition.name: definition.plain() for definition in own}
    # Item by item: a server that has read an item finds it again for the next arm, and what was
    # asked when a run is stopped is in pairs.
    for item in items:
        plain = item_text.to_dict(item)
        for arm in arms:
            definition = stated.get(_without_votes(arm.name))
            yield Sample(
                id=f"{item.id}@{arm.name}",
                input=_shown(family, item, arm),
                target=item.truth,
                metadata={
                    **plain,
                    "arm": arm.name,
                    **({"own_arm": definition} if definition else {}),
                },
            )


def _without_votes(name: str) -> str:
    return name.split("+")[0]


def _shown(family: AnyFamily, item: Item[Any], arm: Arm) -> str | list[ChatMessage]:  # Any: payload
    """The words, with words in the place of pictures."""
    asked, seen = wording.words(family, item, arm), pictures.pictures_of(family, item)
    pictures.check_places(asked, seen, arm, item.id)
    said = pictures.content(asked, seen)
    system = arm.wording.system if arm.wording else None
    if system is None and isinstance(said, str):
        return said
    first = [] if system is None else [ChatMessageSystem(content=system)]
    return [*first, ChatMessageUser(content=said)]


def _ask_arm(family: AnyFamily, seed: int, reader: Model | None, keeper: str | None) -> Solver:
    """A solver that asks the sample's item in the sample's arm, by the arm's strategy.

    The samples of the arm `keeper` keep the items' pictures.
    """
    warmed = Warmed()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item, arm = _parts(family, state)
        model = get_model()
        repetition = state.metadata.get("repetition", state.epoch)
        drawn = pictures.draw(family, item)
        is_single = family.conversation is None and arm.strategy is Strategy.SINGLE
        place = Place(family, item, arm.name, repetition, pictures=drawn, is_single=is_single)
        if drawn:
            pictures.put_in(model, pictures_asked)
            pictures.note(state, drawn, keeper)
        is_sample_ranked = family.conversation is None and is_ranked(family.spec, arm, str(model))
        own = thinking.settings(model, arm)
        is_batched = thinking.is_batched()
        warming = None if is_batched else warmed.of(str(model))
        asking = Asking(
            model, place, arm, seed, is_sample_ranked, own, warming=warming, is_batched=is_batched
        )
        try:
            outputs = await _asked(asking, state, reader)
        except Unanswered as error:
            state.metadata[UNANSWERED] = str(error)
            return state
        row = spent(outputs) | in_effect(
            outputs[0],
            arm.thinking,
            thinking.asked(model, arm, own),
            thinking.own_temperature(model),
        )
        if family.conversation is not None:
            row |= {"truth": None, "lure": None}
        if is_sample_ranked:
            row["answer_logprobs"] = answer_logprobs(outputs[0], family.spec.vocabulary)
        state.metadata["spent"] = row
        return state

    return solver(name="ask_arm")(lambda: solve)()


async def _asked(asking: Asking, state: TaskState, reader: Model | None) -> list[ModelOutput]:
    """All replies of the item, put down in the sample's state."""
    reread = _second_reading(reader)
    if asking.place.family.conversation is not None:
        conversed = await converse(asking, reread)
        outputs = conversed.outputs
        state.messages = [*state.messages[:-1], *conversed.messages]
        state.metadata.update(rows_of(conversed))
    else:
        outputs = await ask(asking)
        state.messages.append(outputs[-1].message)
        replies = [reply_of(output) for output in outputs]
        if len(replies) > 1:
            state.metadata["replies"] = [asdict(reply) for reply in replies]
        second = await reread(asking.place, asking.arm, replies)
        if second is not None:
            state.metadata["second"] = second
    state.output = outputs[-1]
    return outputs


def _second_reading(reader: Model | None) -> Reread:
    """Asks the second model, if there is one, for what the rules left unread."""

    async def reread(place: Place, arm: Arm, replies: Sequence[Reply]) -> Row | None:
        if reader is None:
            return None
        judged = judge(place.family, place.item, arm, replies)
        if not needs_second(place.family, judged, arm):
            return None
        words = second_question(replies[0].text, place.family.spec.vocabulary)
        with at(replace(place, call=SECOND_READING)):
            reading = await reader.generate(words)
        return asdict(reply_of(reading)) | {"by": str(reader)}

    return reread


def _outcome(family: AnyFamily) -> Scorer:
    """The family's own judgement. The runner's means take "no answer" for 0; our records don't.

    A question that was given up has no score, and so no record.
    """

    async def score(state: TaskState, target: Target) -> RunnerScore | None:
        if UNANSWERED in state.metadata:
            return None
        item, arm = _parts(family, state)
        judged = judged_of(family, item, arm, state.metadata, state.output)
        row = score_row(judged) | state.metadata["spent"]
        tell(record_of(str(state.model), state.epoch, state.metadata, row))
        return runner_score(judged, row)

    metric = grouped(accuracy(), "arm", all="samples")
    return scorer(metrics=[metric], name="outcome")(lambda: score)()


def runner_score(judged: Score, row: Row) -> RunnerScore:
    """The judgement as the runner keeps it; our records are made from the row."""
    return RunnerScore(
        value=runner_value(judged),
        answer=judged.answer,
        explanation=judged.reason,
        metadata=row,
    )


def runner_value(score: Score) -> str | float:
    """The score in the runner's terms: right, wrong, no answer, or the family's own measure."""
    if not score.outcome.is_answered or score.value is None:
        return NOANSWER
    if score.value in (0.0, 1.0):
        return CORRECT if score.value else INCORRECT
    return score.value


def judged_of(
    family: AnyFamily,
    item: Item[Any],  # Any: families of every payload
    arm: Arm,
    metadata: Mapping[str, Any],  # Any: JSON values
    output: ModelOutput,
) -> Score:
    """The score of a sample, from what its log keeps."""
    if family.conversation is not None:
        return hear_again(family, item, arm, metadata)
    replies = replies_of(metadata, output)
    return judge(family, item, arm, replies, second_of(metadata))


def replies_of(metadata: Mapping[str, Any], output: ModelOutput) -> list[Reply]:  # Any: JSON values
    """The replies of a sample, as its log keeps them."""
    rows = metadata.get("replies")
    return [Reply(**row) for row in rows] if rows else [reply_of(output)]


def second_of(metadata: Mapping[str, Any]) -> Reply | None:  # Any: JSON values
    """What a second model read in the reply, where one was asked."""
    row = metadata.get("second")
    return Reply(row["text"], row["stop_reason"]) if row else None


def _parts(family: AnyFamily, state: TaskState) -> tuple[Item[Any], Arm]:  # Any: any payload
    item: Item[Any] = item_text.from_dict(state.metadata, family.payload)  # Any: likewise
    return item, arm_asked(family, state.metadata)


def arm_asked(family: AnyFamily, metadata: Mapping[str, Any]) -> Arm:  # Any: JSON values
    """The arm of a sample, by its name and, where it is the user's own, by its definition."""
    known = family.spec.arms
    if "own_arm" in metadata:
        definition = arms_file.from_plain(metadata["own_arm"], Path("log"))
        known = (*known, arms_file.arm(definition, known))
    (arm,) = resolve([metadata["arm"]], known)
    return arm
