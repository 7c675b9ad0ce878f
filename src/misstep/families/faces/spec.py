"""The data of the family `faces`: arms, options, scales, factors and what to expect."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.core.answers import VOCABULARIES
from misstep.core.arms import Arm
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.options import Option
from misstep.families.faces.attributes import NAMES

READY = 24
"""Problems of seed 0 that come with the package, drawn and checked."""

OPTIONS = (
    Option(
        "protocol",
        "controlled",
        "controlled: the candidates are labelled 1 to 5; paper: Table 9 as printed, without labels",
        ("controlled", "paper"),
    ),
    Option(
        "set",
        "",
        "folder of pictures to read and to draw missing ones into; "
        "empty: the ready-made ones, then the user's cache",
    ),
    Option(
        "cores",
        0,
        "processes that draw missing pictures; 0: one for each core",
        makes_other_items=False,
    ),
    Option("size", 512, "width and height of a picture that is drawn: 512 or 1024 pixels"),
    Option("left_out", "", "a file of combinations to leave out, instead of the family's own"),
)

SPEC = Spec(
    name="faces",
    title="Face recognition",
    version=1,
    source="Mind Your Step, §4.2 and B; after Schooler & Engstler-Schooler (1990)",
    measures="verbal overshadowing: which of five faces, alike in words, is the one just seen?",
    arms=(
        Arm("direct", "the question alone (Table 9)", "direct", is_default=True),
        Arm("cot", "“Let’s think step by step” after it (B.2)", "cot", is_default=True),
    ),
    options=OPTIONS,
    factors=NAMES,
    scales={"quick": Scale(READY), "paper": Scale(500)},
    vocabulary=VOCABULARIES["one_to_five"],
    chance=0.2,
    margin=3.0,
    ready=READY,
    prediction=Prediction(
        hurts_people=True,
        shared_by_models=True,
        direction="thinking hurts",
        source="Schooler & Engstler-Schooler (1990); Mind Your Step, §3 and §4.2",
        effect="38 % of those who had described a face recognised it, 64 % of those who had not",
        replication="found again, smaller: a registered replication (Alogna et al., 2014)",
    ),
)


@dataclass(frozen=True)
class FacesPayload:
    """One problem: six pictures in a folder, the reference first, then candidates 1 to 5.

    `folder` is the set's folder as the user named it; empty: the ready-made set or the cache.
    `store` names the set within the cache. `digests` are SHA-256 of the six files. `distances` are
    the gate's, of the reference to each candidate. `alts` say what a reader who sees no picture is
    told. No prompt shows anything of these but the pictures.
    """

    problem: str
    source: str
    folder: str
    store: str
    files: tuple[str, ...]
    digests: tuple[str, ...]
    distances: tuple[float, ...]
    described: str
    labelled: bool
