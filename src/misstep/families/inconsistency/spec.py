"""The data of the family `inconsistency`: arms, options, scales, factors and what to expect."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.core.answers import VOCABULARIES
from misstep.core.arms import Arm
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.options import Option

MOST_WORDS = 7
"""Of A, and of B, white space between (D.1)."""

PRINTED = {"own": 100, "snli": 675, "mnli": 833}
"""Pairs of each source in the paper (§4.4); its own ones are made by a model."""

SUBSET = 15
"""Pairs of the paper's subset of 30 questions (§4.4)."""

CONFLICT, NO_CONFLICT = "conflict", "no conflict"

OPTIONS = (
    Option(
        "protocol",
        "controlled",
        "controlled: all usable pairs of the sources; paper: filter=paper, and of each source at "
        "most as many pairs as it had there (100, 675, 833)",
        ("controlled", "paper"),
    ),
    Option(
        "source",
        "own",
        "own: the shipped pairs, or those of `pairs`; snli, mnli: those of your files; all: of all "
        "three",
        ("own", "snli", "mnli", "all"),
        makes_other_items=False,
    ),
    Option(
        "snli",
        "",
        "your official snli_1.0_*.jsonl files, commas between",
        makes_other_items=False,
    ),
    Option(
        "mnli",
        "",
        "your official multinli_1.0_*.jsonl files, commas between",
        makes_other_items=False,
    ),
    Option("pairs", "", "a file of pairs in the place of the shipped ones (misstep pairs make)"),
    Option(
        "filter",
        "text",
        "text: of SNLI and MNLI, pairs with a question or quotes, or with A equal to B, are left "
        "out; paper: only those with A equal to B",
        ("text", "paper"),
        makes_other_items=False,
    ),
    Option(
        "subset",
        False,
        f"only {SUBSET} of the own pairs, {2 * SUBSET} questions",
        makes_other_items=False,
    ),
)

SPEC = Spec(
    name="inconsistency",
    title="Logical inconsistency",
    version=1,
    source="Mind Your Step, §4.4 and D; after Khemlani & Johnson-Laird (2012)",
    measures="logic against plausibility: can two statements be true at the same time?",
    arms=(
        Arm("direct", "only the answer is asked for (Table 13)", "direct", is_default=True),
        Arm("cot", "reasoning is asked for before the answer (D.2)", "cot", is_default=True),
        Arm(
            "explain",
            "why statement 2 could be true is asked for before the answer (D.2)",
            "explain",
            is_default=True,
        ),
        Arm(
            "judge-then-explain",
            "the answer is asked for before the explanation, and is what comes first",
            "judge-then-explain",
            answers_first=True,
        ),
    ),
    options=OPTIONS,
    factors=("type", "source", "words", "negation"),
    scales={"quick": Scale(12), "paper": Scale(sum(PRINTED.values()))},
    vocabulary=VOCABULARIES["yes_no"],
    chance=0.5,
    margin=3.0,
    prediction=Prediction(
        hurts_people=True,
        shared_by_models=False,
        direction="thinking does not hurt",
        source="Khemlani & Johnson-Laird (2012); Mind Your Step, §3 and §4.4",
        effect="people who explained how inconsistent statements could both be true before they "
        "judged them found fewer inconsistencies than those who judged first",
    ),
    finite_pool=True,
)


@dataclass(frozen=True)
class InconsistencyPayload:
    """Can "if `a`, then always `b`" be true together with the second statement?

    `a` and `b` are as they stand inside a sentence, without a final stop. The second statement
    denies `b`; with `affirms_a` it says `a` before that.
    """

    a: str
    b: str
    affirms_a: bool
