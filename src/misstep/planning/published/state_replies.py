"""Replies on the state after some actions, graded again by simulating what their prompt shows.

Exactly the facts that actions can change decide, as a set; others may be said or left out. The
original compares lists of all facts, those too that its prompts never say, and counts repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from misstep.planning.published.asked import Asked, asked_problem
from misstep.planning.published.execution import (
    StateScores,
    changing_facts,
    judge_state,
    read_state,
    state_after,
)
from misstep.planning.published.extractions import predicate_of, stored_facts
from misstep.planning.published.facts import FactsSaid, is_said
from misstep.planning.published.graded import Graded, Part
from misstep.planning.published.reports import Disagreement
from misstep.planning.published.results import ResultFile, StoredResult
from misstep.planning.states import State

_SHOWN = 4


def grade_state(file: ResultFile, result: StoredResult, reply: str, stored: bool) -> Graded:
    """Raises PlanningError that says why there is nothing to grade."""
    asked = asked_problem(file, result)
    state = state_after(asked.problem, asked.shown)
    said = read_state(reply, asked.problem, asked.lexicon)
    scores = judge_state(said, asked.problem, state)
    wrong_truth = _wrong_truth(result, asked, state)
    differing: tuple[Disagreement, ...] = ()
    if scores.is_exact != stored:
        differing = (_disagreement(result, asked, said, scores, wrong_truth),)
    return Graded(
        instance=result.instance,
        is_correct=scores.is_exact,
        stored_correct=stored,
        disagreements=differing,
        reference_fails=bool(wrong_truth),
        parts=(
            Part("precision", scores.precision if said else None),
            Part("recall", scores.recall if said else None),
        ),
    )


def _wrong_truth(result: StoredResult, asked: Asked, state: State) -> str:
    """In what the original's truth isn't what the actions come to."""
    if not result.true_facts:
        return ""
    theirs = {
        fact
        for fact in stored_facts(result.true_facts, asked.lexicon)
        if is_said(predicate_of(fact))
    }
    facts = {f"({' '.join(fact)})" for fact in state.facts if is_said(fact[0])}
    changing = set(changing_facts(asked.problem, state))
    parts = (("lacks", changing - theirs), ("has", theirs - facts))
    return ", ".join(f"{word} {_listed(found)}" for word, found in parts if found)


def _disagreement(
    result: StoredResult,
    asked: Asked,
    said: FactsSaid | None,
    scores: StateScores,
    wrong_truth: str,
) -> Disagreement:
    stored = stored_facts(result.facts, asked.lexicon)
    reasons = list(_reasons(result, asked, said, stored, wrong_truth))
    verdict = _verdict(said, scores)
    told = "; ".join((*(reasons or ["stored verdict wrong"]), verdict))
    kind = "unparsed" if said is None else "exact" if scores.is_exact else "other_facts"
    return Disagreement(
        instance=result.instance,
        is_correct=scores.is_exact,
        stored_correct=not scores.is_exact,
        our_verdict=kind,
        failed_step=None,
        our_plan=None,
        stored_plan=(),
        reason=told,
        ours=" ".join(said.texts) if said else "none",
        stored=" ".join(stored) or "none",
    )


def _reasons(
    result: StoredResult,
    asked: Asked,
    said: FactsSaid | None,
    stored: tuple[str, ...],
    wrong_truth: str,
) -> Iterator[str]:
    if wrong_truth:
        yield f"stored truth {wrong_truth}"
    truth = stored_facts(result.true_facts, asked.lexicon)
    unsaid = {fact for fact in truth if not is_said(predicate_of(fact))}
    if unsaid:
        yield f"stored truth asks for facts that the prompt leaves unsaid: {_listed(unsaid)}"
    read = {fact.text for fact in said.holding} if said else set[str]()
    repeated = {fact for fact, times in Counter(stored).items() if times > 1}
    parts = (
        ("dropped", read - set(stored)),
        ("added", set(stored) - read),
        ("counts more than once", repeated),
    )
    for word, facts in parts:
        if facts:
            yield f"stored extraction {word} {_listed(facts)}"


def _verdict(said: FactsSaid | None, scores: StateScores) -> str:
    if said is None:
        return "the reply is read as unparsed"
    if scores.is_exact:
        return "the state is exactly right"
    parts = (("misses", scores.missing), ("has wrongly", scores.surplus))
    return f"the reply {' and '.join(f'{w} {_listed(set(f))}' for w, f in parts if f)}"


def _listed(facts: set[str]) -> str:
    shown = sorted(facts)
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return f"{' '.join(shown[:_SHOWN])}{more}"
