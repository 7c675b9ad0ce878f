"""The data of the family `grammar`: arms, options, scales, factors and what to expect."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

from misstep.core.answers import VOCABULARIES
from misstep.core.arms import Arm, Strategy
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.options import Option
from misstep.families.grammar.structures import Edge

TRAINING, TESTED = 15, 22
"""Training strings, and test strings of each truth (A.1)."""

SUBSET = 10
"""Grammars of the paper's subset of 440 questions (§4.1, A.3)."""

OPTIONS = (
    Option(
        "protocol",
        "controlled",
        "controlled: strings drawn uniformly from the language; "
        "paper: drawn as paths, as A.1 says, which favours strings that several paths spell",
        ("controlled", "paper"),
    ),
    Option(
        "negatives",
        "language",
        "language: change a letter of a string drawn from the language; "
        "paired: of the k-th grammatical test string, so that length carries nothing",
        ("language", "paired"),
    ),
    Option("deterministic", False, "no two edges from one node carry the same letter"),
    Option("alphabet", ascii_uppercase, "the letters that edges are labelled with"),
    Option(
        "structure",
        "random",
        "random: a fresh grammar for each group; "
        "reber: the one of Reber & Lewis (1977), a fresh sample of its strings for each group",
        ("random", "reber"),
    ),
    Option(
        "wording",
        "question",
        "question: Table 7; memorize: with the first line of the paper's pilot before it",
        ("question", "memorize"),
    ),
    Option("subset", False, f"only {SUBSET} grammars, 440 questions", makes_other_items=False),
)

SPEC = Spec(
    name="grammar",
    title="Artificial grammar",
    version=1,
    source="Mind Your Step, §4.1 and A.1-A.3; after Fallshore & Schooler (1993)",
    measures="implicit statistical learning: does a string follow the rules that made 15 others?",
    arms=(
        Arm("direct", "only the answer is asked for (Table 7)", "direct", is_default=True),
        Arm("cot", "reasoning is asked for before the answer (A.2)", "cot", is_default=True),
        Arm("tot", "five thoughts, five votes for the best one (A.3)", "tot", Strategy.TREE, 5),
    ),
    options=OPTIONS,
    factors=(
        "grammatical",
        "length",
        "deterministic",
        "edges",
        "strings",
        "changed_position",
        "novel_bigrams",
    ),
    scales={"quick": Scale(12, per_truth=1), "paper": Scale(100)},
    vocabulary=VOCABULARIES["yes_no"],
    chance=0.5,
    margin=3.0,
    prediction=Prediction(
        hurts_people=True,
        shared_by_models=True,
        direction="thinking hurts",
        source="Fallshore & Schooler (1993); Mind Your Step, §3 and §4.1",
        effect="people who put their thinking into words classified strings worse",
        replication="mixed: some, but not all, studies find that looking for rules in words hurts",
    ),
)


@dataclass(frozen=True)
class GrammarPayload:
    """One question: is `test` a string of the grammar that made `training`?

    `edges` and `changed_position` are for reports and checks; no prompt and no reference solver
    looks at them. `original` is the grammatical string that a negative was made from, and
    `changed_position` (0-based) is where it was changed; both are None for grammatical strings.
    """

    training: tuple[str, ...]
    test: str
    edges: tuple[Edge, ...]
    original: str | None
    changed_position: int | None
    wording: str
