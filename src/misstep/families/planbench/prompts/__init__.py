"""All words of the family that are not a domain's own: questions, examples, answers, feedback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misstep.core.errors import BadInput
from misstep.core.items import Item
from misstep.core.thoughts import ballot_words
from misstep.families.planbench.cases import case_of, examples_of
from misstep.families.planbench.prompts.answers import answer_words
from misstep.families.planbench.prompts.instructions import form, instruction, task
from misstep.families.planbench.prompts.statements import cost_rules, opening, statement
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import domain_of, wording_of
from misstep.planning.wording import introduction, pddl_wording

EXAMPLE = "Here is an example."
QUESTION = "Here is the problem to work on."


def prompt(item: Item[PlanbenchPayload], wording: str) -> str:
    """The whole question; the wording decides what stands at its end.

    A published prompt has the one wording that was published: BadInput for all others.
    """
    payload = item.payload
    if payload.query:
        return _published(payload.query, wording)
    if wording == "completion":
        return f"{beginnings(item)[-1]}{opening(payload.test)}\n"
    return f"{beginnings(item)[-1]}\n{instruction(payload, wording)}"


def _published(query: str, wording: str) -> str:
    if wording != "direct":
        raise BadInput(f"--arms: {wording}: published prompts go as they stand: --arms direct")
    return query


def beginnings(item: Item[PlanbenchPayload]) -> tuple[str, ...]:
    """The domain, which every prompt begins with; then all that precedes what is asked for."""
    payload = item.payload
    if payload.query:
        return ()
    rules = _rules(payload)
    said = [rules, *_examples(payload)]
    said.append(f"{QUESTION}\n\n{statement(payload, case_of(payload))}")
    return f"{rules}\n\n", "\n\n".join(said)


def ballot(item: Item[PlanbenchPayload], thoughts: Sequence[str]) -> str:
    """What is asked for one vote: without the form of an answer, which is the thoughts' affair."""
    payload = item.payload
    return ballot_words(f"{beginnings(item)[-1]}\n{task(payload)}", thoughts)


def parts(item: Item[PlanbenchPayload]) -> Mapping[str, str]:
    """What a template of one's own may name."""
    payload = item.payload
    if payload.query:
        return {}
    return {
        "domain": _rules(payload),
        "examples": "\n\n".join(_examples(payload)),
        "problem": statement(payload, case_of(payload)).rstrip(),
        "task": task(payload),
        "form": form(payload),
    }


def _examples(payload: PlanbenchPayload) -> list[str]:
    return [
        f"{EXAMPLE}\n\n{statement(payload, case)}{answer_words(payload, case)}"
        for case in examples_of(payload)
    ]


def _rules(payload: PlanbenchPayload) -> str:
    domain = domain_of(payload.domain)
    words = wording_of(payload.domain, payload.words)
    shown = pddl_wording(domain) if payload.wording == "pddl" else words
    rules = introduction(domain, shown)
    if payload.test == "optimal-planning":
        rules += f"\n\n{cost_rules(domain, words)}"
    return rules


__all__ = ["answer_words", "ballot", "beginnings", "parts", "prompt"]
