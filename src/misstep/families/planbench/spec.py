"""The data of the family `planbench`: tests, arms, options, scales, factors and what to expect."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.core.answers import Vocabulary
from misstep.core.arms import Arm, Strategy
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.options import Option

TESTS = (
    "plan-generation",
    "optimal-planning",
    "plan-verification",
    "plan-execution",
    "replanning",
    "plan-generalization",
    "plan-reuse",
    "unsolvable",
    "goal-shuffling",
    "goal-full-to-partial",
    "goal-partial-to-full",
)
"""The paper's ten (§5), and one whose instances may have no plan."""

DOMAINS = ("blocksworld", "logistics", "depots", "household", "ferry", "satellite")
DISGUISES = ("deceptive", "random")
ROUNDS = 3
"""Rounds of feedback after the first reply."""

NO_PLAN = "no_plan"
PLAN, END = "[PLAN]", "[PLAN END]"
ANSWER, ANSWER_END = "[ANSWER]", "[ANSWER END]"
REASONS, REASONS_END = "[REASONS]", "[REASONS END]"
"""What opens a plan, or an answer of another kind, and what closes it in every prompt. Text after
the end is no part of a plan."""

OPTIONS = (
    Option("test", TESTS[0], "which of the eleven tests", TESTS),
    Option(
        "domain",
        DOMAINS[0],
        f"{', '.join(DOMAINS)}; any of them followed by +deceptive (other words) or +random "
        "(random strings); or a domain of your own, by its name or its folder",
    ),
    Option(
        "size",
        "",
        "objects that instances are made of, the domain's main kind counted (blocks, packages, "
        "crates ...): a number, or a range as in 4-5; empty: the paper's",
    ),
    Option("examples", 1, "worked examples before the question, from 0"),
    Option("wording", "english", "english: in words; pddl: in PDDL", ("english", "pddl")),
    Option(
        "question",
        "state",
        "what plan-execution asks: state, all facts at the end; changes, whether the last action "
        "can be executed, and which facts it changes",
        ("state", "changes"),
    ),
    Option(
        "published",
        "",
        "a published file of prompts or results (task_*.json), whose prompts are asked as they "
        "stand, in the arm direct alone",
    ),
    Option(
        "cache",
        "",
        "folder in which what is proven is kept for the next time; empty: one in the user's cache; "
        "none: nowhere",
        makes_other_items=False,
    ),
)

SPEC = Spec(
    name="planbench",
    title="Planning and change",
    version=2,
    source="PlanBench (Valmeekam et al.), §5 to §8",
    measures="reasoning about actions and change, graded by simulating what the reply says",
    arms=(
        Arm("direct", "only the answer is asked for", "direct", is_default=True),
        Arm("cot", "reasoning is asked for before the answer", "cot", is_default=True),
        Arm("state-tracking", "the state is asked for after every action", "state-tracking"),
        Arm(
            "feedback",
            f"as direct; what is wrong is said back, up to {ROUNDS} rounds",
            "feedback",
            Strategy.FEEDBACK,
            ROUNDS,
        ),
        Arm("explain", "as direct; why each action is possible is asked for too", "explain"),
        Arm("completion", "the bare text, for base models to go on with", "completion"),
    ),
    options=OPTIONS,
    factors=("test", "domain", "length", "length_bin", "is_shortest", "objects", "goals", "kind"),
    scales={"quick": Scale(20), "paper": Scale(500)},
    vocabulary=Vocabulary("free_text", ()),
    chance=0.0,
    margin=3.0,
    prediction=Prediction(
        hurts_people=False,
        shared_by_models=False,
        direction="thinking helps",
        source="PlanBench, §6.2: 78 % of people find a valid plan, nearly all by deliberation",
        effect="39 of 50 people found a valid plan, 35 of them one of least cost",
    ),
    # One of three classes, each as likely; and "no plan" each time, right about every other time.
    chances={"test=plan-verification": 1 / 3, "test=unsolvable": 0.5},
)


@dataclass(frozen=True)
class PlanbenchPayload:
    """One question. Everything is text, so that asking and grading need nothing else.

    `problem` is what is asked *and* what is graded: initial state and goal as PDDL (in replanning:
    the state after the event). `shown` is the action sequence that the question shows, if any. In
    replanning `before` is the problem as it was when `shown` began, and `executed` how many of its
    actions were done when the event came. `answer` is an answer that is right, in the form of its
    test (`cases.py`), and `optimum` the proven least cost. `examples` are such cases, each as
    `Case.texts` gives it. `words` is the domain's wording.toml. `query` is the whole prompt where
    it is a published one, and empty elsewhere.
    """

    test: str
    question: str
    wording: str
    domain: str
    words: str
    problem: str
    before: str
    shown: tuple[str, ...]
    executed: int
    answer: tuple[str, ...]
    optimum: int | None
    examples: tuple[tuple[str | tuple[str, ...], ...], ...]
    query: str = ""
