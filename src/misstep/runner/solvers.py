"""Reference solvers as models: `ref/<solver>` answers the item that is being asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)

from misstep.core.conversation import Heard, Turn
from misstep.core.errors import BadInput
from misstep.core.family import Family, Solution, Solver
from misstep.core.items import Item
from misstep.core.outcomes import Reply, Score
from misstep.core.records import Record
from misstep.runner.calls.asking import current_place

PREFIX = "ref/"


@modelapi(name="ref")
class ReferenceAPI(ModelAPI):
    """Answers by the family's solver of that name; the score stands in the output's metadata."""

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 (the runner's signature)
        tools: list[Any],  # Any: unused, a solver takes no tools
        tool_choice: Any,  # Any: likewise
        config: GenerateConfig,
    ) -> ModelOutput:
        place = current_place()
        if place is None:
            raise BadInput(f"--model: {PREFIX}{self.model_name} only answers the items of a family")
        check_solver(place.family, self.model_name)
        solution = place.family.solvers[self.model_name](place.item)
        output = ModelOutput.from_content(self.model_name, solution.answer)
        output.usage = ModelUsage()
        output.metadata = None if solution.score is None else {"score": solution.score}
        return output

    def max_connections(self) -> int:
        return 1


def check_solver(family: Family[Any], name: str) -> None:  # Any: families of every payload
    if name not in family.solvers:
        known = ", ".join(PREFIX + solver for solver in family.solvers)
        raise BadInput(
            f"--model: {family.spec.name} has no solver {PREFIX + name!r}; known: {known}"
        )


def reference_records(
    family: Family[Any],  # Any: families of every payload
    items: Iterable[Item[Any]],  # Any: likewise
    variant: str = "",
) -> Iterator[Record]:
    """What each reference solver answers to the variant's items, as records of the baseline arm."""
    groups: dict[str, list[Item[Any]]] = {}  # Any: likewise
    for item in items:
        groups.setdefault(item.group, []).append(item)
    # Group by group, as what some solvers learn of a group serves the others, too.
    for asked in groups.values():
        for name, solve in family.solvers.items():
            for item in asked:
                solution = solve(item)
                scored = _scored(family, item, solve, solution)
                yield _reference_record(family, name, item, solution, scored, variant)


def _scored(
    family: Family[Any],  # Any: families of every payload
    item: Item[Any],  # Any: likewise
    solve: Solver[Any],  # Any: likewise
    solution: Solution,
) -> Score:
    """Of a conversation all turns, played in the words of the baseline arm."""
    if family.conversation is None:
        return family.score(item, Reply(solution.answer))

    def hear(number: int, turn: Turn[Any]) -> Heard[Any]:  # Any: families of every payload
        reply = Reply(solve(turn.item).answer)
        return Heard(turn, reply, family.score(turn.item, reply) if turn.is_answer else None)

    wording = family.spec.arms[0].prompt
    return family.conversation.score(item, family.conversation.play(item, wording, hear))


def _reference_record(
    family: Family[Any],  # Any: families of every payload
    name: str,
    item: Item[Any],  # Any: likewise
    solution: Solution,
    scored: Score,
    variant: str,
) -> Record:
    return Record(
        family=item.family,
        version=item.version,
        who=PREFIX + name,
        item=item.id,
        group=item.group,
        arm=family.spec.arms[0].name,
        repetition=1,
        outcome=scored.outcome,
        value=scored.value,
        answer=scored.answer,
        truth=item.truth if family.conversation is None else None,
        lure=item.lure if family.conversation is None else None,
        factors=item.factors,
        details=scored.details,
        score=solution.score,
        variant=variant,
    )
