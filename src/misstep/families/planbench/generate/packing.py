"""A draft → an item: disguised, put as text, with its truth in words and its factors."""

from __future__ import annotations

from misstep.core.items import Item, Scalar
from misstep.core.seeds import Chance, digest
from misstep.families.planbench.cases import Case
from misstep.families.planbench.generate.drawing import Draft, Drawn, goals
from misstep.families.planbench.prompts import answer_words
from misstep.families.planbench.settings import Settings
from misstep.families.planbench.source import (
    Cover,
    Source,
    renamed_fact,
    renamed_steps,
)
from misstep.families.planbench.spec import NO_PLAN, SPEC, PlanbenchPayload
from misstep.families.planbench.texts import steps_of, texts_of
from misstep.planning.renaming import Renaming

BINS = ((10, "1-10"), (20, "11-20"), (50, "21-50"), (100, "51-100"))
LONGER = "101+"


def pack(
    draft: Draft,
    settings: Settings,
    source: Source,
    cover: Cover,
    seed: str,
    number: int,
    names: bytes,
) -> Item[PlanbenchPayload]:
    """`names` is what the objects' names are drawn from, where the domain is disguised."""
    query = _case(draft.query, settings.test, cover, names)
    payload = PlanbenchPayload(
        test=settings.test,
        question=settings.question,
        wording=settings.wording,
        domain=cover.domain,
        words=cover.words,
        problem=query.problem,
        before=query.before,
        shown=query.shown,
        executed=query.executed,
        answer=query.answer,
        optimum=query.optimum,
        examples=tuple(_case(one, settings.test, cover, names).texts for one in draft.examples),
    )
    variant = f"~{settings.variant}" if settings.variant else ""
    identity = f"{SPEC.name}-{seed}{variant}-{number:04d}"
    return Item(
        id=identity,
        family=SPEC.name,
        version=SPEC.version,
        group=identity,
        payload=payload,
        truth=answer_words(payload, query),
        lure=None,
        factors=_factors(draft.query, settings, source),
    )


def _case(drawn: Drawn, test: str, cover: Cover, names: bytes) -> Case:
    """Problems with the same objects get the same names in all parts of an item."""
    objects = " ".join(typed.name for typed in drawn.problem.objects)
    renaming = cover.renaming(drawn.problem, Chance(digest(names.hex(), objects)))
    return Case(
        problem=cover.problem(drawn.problem, renaming),
        answer=_answer(drawn.answer, test, renaming),
        shown=texts_of(renamed_steps(renaming, drawn.shown)),
        before=cover.problem(drawn.before, renaming) if drawn.before else "",
        executed=drawn.executed,
        optimum=drawn.optimum,
    )


def _answer(answer: tuple[str, ...], test: str, renaming: Renaming | None) -> tuple[str, ...]:
    if answer == (NO_PLAN,):
        return answer
    if test in ("plan-verification", "plan-execution"):
        return tuple(renamed_fact(renaming, part) if "(" in part else part for part in answer)
    return texts_of(renamed_steps(renaming, steps_of(answer)))


def _factors(query: Drawn, settings: Settings, source: Source) -> dict[str, Scalar]:
    length = query.length or None
    return {
        "test": settings.test,
        "domain": source.name,
        "length": length,
        "length_bin": length_bin(length),
        "is_shortest": query.is_shortest,
        "objects": len(query.problem.objects),
        "goals": len(goals(query.problem)),
        "kind": query.kind or None,
    }


def length_bin(length: int | None) -> str | None:
    """The bins that a report draws accuracy by."""
    if length is None:
        return None
    return next((name for most, name in BINS if length <= most), LONGER)
