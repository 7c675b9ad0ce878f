"""The data of the family `apartments`: arms, options, scales, factors and what to expect."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.core.answers import VOCABULARIES
from misstep.core.arms import Arm
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.options import Option

APARTMENTS = 4

RANGES: tuple[tuple[str, int, int], ...] = (
    ("0.1-0.3", 8, 24),
    ("0.3-0.5", 24, 40),
    ("0.5-1", 40, 81),
)
"""By how much the best mean rating leads the second (§4.4), as the paper's tables name it, and the
lead of the sum over 80 features: from the first number up to, not including, the second."""

OPTIONS = (
    Option(
        "protocol",
        "controlled",
        "controlled: the prompt promises what it shows; paper: Table 15 to the letter, which "
        "promises how much the tenant likes or dislikes each quality, and shows statements alone",
        ("controlled", "paper"),
    ),
    Option(
        "order",
        "shuffled",
        "shuffled: the statements of all four apartments mixed; grouped: one apartment after the "
        "other, features in one order",
        ("shuffled", "grouped"),
    ),
    Option(
        "ratings",
        "hidden",
        "shown: each statement's rating stands behind it, and the prompt says so",
        ("hidden", "shown"),
    ),
    Option(
        "ranges",
        "all",
        "only sets whose best apartment leads by so much",
        ("all", *(name for name, _, _ in RANGES)),
        makes_other_items=False,
    ),
    Option("statements", "", "a file of statements of your own, in the form of the shipped one"),
    Option("letters", 20, "how many letters the arm n-back shows"),
    Option("back", 2, "how many places back the arm n-back compares"),
)

SPEC = Spec(
    name="apartments",
    title="Apartments",
    version=1,
    source="Mind Your Step, §4.4 and F; after Dijksterhuis (2004)",
    measures="a choice by many features: which of four apartments is best, by 80 statements each?",
    arms=(
        Arm("direct", "only the number is asked for (Table 15)", "direct", is_default=True),
        Arm("cot", "step by step (F.2)", "cot", is_default=True),
        Arm("time-limit", "as cot, with three minutes to think (F.2)", "time-limit"),
        Arm("careful", "as cot, told to think very carefully (F.2)", "careful"),
        Arm("n-back", "an n-back task of letters before the answer (F.2)", "n-back"),
    ),
    options=OPTIONS,
    factors=("delta", "lead", "best", "tally"),
    scales={"quick": Scale(24), "paper": Scale(300)},
    vocabulary=VOCABULARIES["apartment_1_to_4"],
    chance=0.25,
    margin=3.0,
    prediction=Prediction(
        hurts_people=True,
        shared_by_models=False,
        direction="thinking does not hurt",
        source="Dijksterhuis (2004); Mind Your Step, §4.4",
        effect="people who thought about the apartments chose worse than those who were distracted",
        replication="mixed: a large replication and a meta-analysis found no such effect",
    ),
)


@dataclass(frozen=True)
class ApartmentsPayload:
    """One question: which of four apartments is best?

    `statements` and `ratings` hold a row for each apartment, a column for each feature. `order`
    is that in which statements are shown: each number is 80 times the apartment's place (from 0)
    plus the feature's. `letters` and `back` are the n-back task's. `has_clause`: the prompt says
    that likes and dislikes are given; `shows_ratings`: they are.
    """

    statements: tuple[tuple[str, ...], ...]
    ratings: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    letters: str
    back: int
    has_clause: bool
    shows_ratings: bool
