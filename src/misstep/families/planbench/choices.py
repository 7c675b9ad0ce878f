"""What there is to choose from, for `misstep list planbench`: tests, domains, wordings, scores."""

from __future__ import annotations

from misstep.core.family import Entry, Listing
from misstep.families.planbench.source import SIZES
from misstep.families.planbench.spec import DOMAINS

_TESTS = (
    Entry("plan-generation", "reach the goal; right: the plan is valid"),
    Entry("optimal-planning", "reach it at least cost; right: valid, and its cost is the optimum"),
    Entry(
        "plan-verification",
        "is this plan valid, can't it be executed, or does it miss the goal? right: the class",
    ),
    Entry(
        "plan-execution",
        "the state after these actions; right: the exact facts (question=changes: what the last "
        "action changes, if it can be done)",
    ),
    Entry("replanning", "a plan is under way, an event changes the state; right: valid from there"),
    Entry("plan-generalization", "examples follow one program, the question is larger; valid"),
    Entry("plan-reuse", "a prefix of the example's plan reaches the goal; right: valid"),
    Entry(
        "unsolvable", "about half of the instances have no plan; right: valid, or no plan exists"
    ),
    Entry("goal-shuffling", "the example's problem, its goals in another order; right: valid"),
    Entry("goal-full-to-partial", "the same, a part of its goals; right: valid"),
    Entry("goal-partial-to-full", "the same, all of its goals; right: valid"),
)
_SCORES = (
    Entry(
        "every plan",
        "executable_steps, goal_share, is_valid_without_preconditions, is_valid_without_deletes, "
        "length, cost, excess, fault, fault_step, fault_facts",
    ),
    Entry("optimal-planning", "also is_valid, optimum, stated_cost, is_stated_cost_right"),
    Entry("plan-verification", "class, is_action_right, are_facts_right"),
    Entry("plan-execution", "precision, recall, facts_missing, facts_surplus"),
    Entry("question=changes", "is_verdict_right, are_facts_right"),
    Entry("no plan exists", "false_no_plan"),
    Entry(
        "arm explain", "also claims, claims_true, preconditions_named, where a plan is asked for"
    ),
)


def _domain(name: str) -> Entry:
    sizes = SIZES[name]
    return Entry(name, f"size: {sizes.counts}, {sizes.low}-{sizes.high} if none is given")


LISTINGS = (
    Listing("test", "tests", _TESTS),
    Listing(
        "domain",
        "domains",
        tuple(_domain(name) for name in DOMAINS),
        (
            Entry("+deceptive", "after a domain's name: other English words for all its names"),
            Entry("+random", "after a domain's name: random strings for all its names"),
        ),
    ),
    Listing(
        "wording",
        "wordings",
        (
            Entry("english", "rules, problems, actions and facts in words"),
            Entry("pddl", "the same in PDDL"),
        ),
    ),
    Listing("", "scores beside right and wrong", _SCORES),
)
