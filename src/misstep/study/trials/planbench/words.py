"""What people are told around a problem: instructions, titles, checks; the problem's own words are
the family's."""

from __future__ import annotations

from html import escape

from misstep.study.screens import CheckQuestion, Choice, Part
from misstep.study.trials.nouns import CheckedQuestion, HumanArm, Timing
from misstep.study.trials.pieces.asking import paragraphs
from misstep.study.trials.pieces.timing import said, timed

DEFAULTS = Timing(deliberate=0, memorise=10_000)
"""`memorise` is the glimpse of an example's solution, `deliberate` the least time for the plan in
one's own words. The paper says "a glimpse" and no time."""

TWO_PHASE, HINTS, UNDRAWN = "two-phase", "two-phase-hints", "two-phase-undrawn"
ARMS = (
    HumanArm(
        TWO_PHASE,
        "a plan in one's own words, then picked from a list; the state after it is shown",
        "direct",
    ),
    HumanArm(
        HINTS,
        "as two-phase; what can't be done, and whether the goal holds, is marked too",
    ),
    HumanArm(UNDRAWN, "as two-phase; no state is shown, so that all of it is in the head"),
)
"""Models that get one example and answer at once (`direct`) were asked what these people are."""

NO_AID = "nothing"
AIDS = {TWO_PHASE: "state", HINTS: "hints", UNDRAWN: NO_AID}
"""By arm, what a Plan screen shows beside the list (`screens.Plan.aid`)."""

RULES_TITLE = "The rules"
PROBLEM_TITLE = "The problem"
EXAMPLE_TITLE = "An example"
EXAMPLE = "First an example, to work through in both parts. It does not count."
GLIMPSE = "This plan reaches the example's goal. It is shown for {time}."
TURN = "That was the example. The next problem is the one that counts."
WRITE_TITLE = "Part 1: write a plan"
WRITE_LABEL = "Your plan, in your own words, one action after another"
PICK_TITLE = "Part 2: pick the actions"
PICK = (
    "Translate what you wrote: for each action of your plan pick the closest one from the list. "
    "If you notice a mistake, you may mend it here."
)

_AIDED = {
    TWO_PHASE: "Beside the list you see what your actions lead to, and the goal.",
    HINTS: (
        "Beside the list you see what your actions lead to, and the goal. An action that can't be "
        "done at that point is marked."
    ),
    UNDRAWN: "",
}

CHECKS = (
    CheckedQuestion(
        CheckQuestion(
            "second-part",
            "What do you do in the second part?",
            (
                Choice("translate", "Pick the actions of my plan from a list, in their order"),
                Choice("judge", "Judge a plan that someone else has made"),
                Choice("draw", "Draw how everything looks at the end"),
            ),
        ),
        "translate",
    ),
    CheckedQuestion(
        CheckQuestion(
            "valid",
            "When is a plan valid?",
            (
                Choice("all-used", "When it uses every kind of action"),
                Choice("once", "When no action comes twice"),
                Choice(
                    "reaches",
                    "When each action can be done in its turn and the goal holds at the end",
                ),
            ),
        ),
        "reaches",
    ),
)


def instructions(arm: str, timing: Timing) -> tuple[Part, ...]:
    glimpse = timed(DEFAULTS, timing).memorise or 0
    return paragraphs(
        "You will make a plan: actions, in their order, that lead from a start to a goal. First "
        "you read the rules: which actions there are, and when each of them can be done.",
        "A problem has two parts. In the first you write a plan in your own words. In the second "
        "you translate it: you pick its actions from a list. What you pick is what counts.",
        _AIDED[arm],
        "A plan is valid if each action can be done when its turn comes, and everything that the "
        "goal names holds at the end. Unless the problem says so, it need not be the shortest.",
        "Where there is an example, it comes first, and you work through it in both parts. Before "
        f"that its solution is shown for {said(glimpse)}.",
    )


def folded(title: str, text: str) -> Part:
    """Something read before, to be opened where it is needed. The class is the page's, of what was
    written before."""
    lines = "<br>".join(escape(line) for line in text.splitlines())
    return Part(
        "html",
        f'<details class="earlier"><summary>{title}</summary><p>{lines}</p></details>',
    )
