"""A study as its file describes it, and one step of a person's way through it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from misstep.core.options import OptionValue
from misstep.study.screens import Screen
from misstep.study.trials.nouns import Timing

SCHEMA = 1


class Ending(StrEnum):
    """How a person's way through a study ends."""

    COMPLETE = "complete"
    SCREENED_OUT = "screened_out"
    NO_CONSENT = "no_consent"
    TIMED_OUT = "timed_out"
    WITHDRAWN = "withdrawn"


class Design(StrEnum):
    """Whether everyone meets all arms, or one."""

    WITHIN = "within"
    BETWEEN = "between"


class Draw(StrEnum):
    """How a person's items are drawn: each item as often as any other over all people, or each
    person's at random."""

    BALANCED = "balanced"
    RANDOM = "random"


@dataclass(frozen=True)
class Block:
    """The trials of one family. `items` is the number each person gets, over all arms; `pool` how
    many items are drawn from (None: those of the scale); `solver` is what robots answer by."""

    family: str
    items: int
    arms: tuple[str, ...]
    design: Design
    draw: Draw
    practice: int
    scale: str
    pool: int | None
    timing: Timing
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    solver: str = ""


@dataclass(frozen=True)
class Bonus:
    """Money in `currency`: `each` for a right answer, up to `most`; of plans, `each` for a valid
    one and `optimal` on top for an optimal one."""

    each: float = 0.0
    optimal: float = 0.0
    most: float | None = None
    currency: str = "GBP"


@dataclass(frozen=True)
class Texts:
    """Markdown of the researcher's, or the defaults; `words` stand in place of what the page says
    by itself, by the keys of `pages.words`."""

    consent: str
    welcome: str
    debriefing: str
    language: str = "en"
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Links:
    """Completion codes by ending, and the address to go back to, with {code} in it ("": none).

    `person`, `study` and `session` are the names of the URL parameters of the recruiting service.
    """

    codes: Mapping[Ending, str]
    back: str = ""
    person: str = "PROLIFIC_PID"
    study: str = "STUDY_ID"
    session: str = "SESSION_ID"


@dataclass(frozen=True)
class Exclusions:
    """Rules that are fixed before the data are seen; None: no such rule. A person is left out with
    more than the share `most_fast` of answers under `fast_ms`, more than `most_missed` of answers
    not given in time, or fewer than `least_answered` of the trials over."""

    fast_ms: int | None = None
    most_fast: float | None = None
    most_missed: float | None = None
    least_answered: float | None = None


@dataclass(frozen=True)
class Study:
    """`people` is the quota of complete ones; `tries` how often the comprehension check may be
    failed before a person is screened out (0: no check); `minutes` after which an unfinished
    person's slot is free again. `digest` names all that a person meets, texts among it."""

    title: str
    seed: int
    people: int
    blocks: tuple[Block, ...]
    texts: Texts
    links: Links
    bonus: Bonus | None
    tries: int
    minutes: int
    keep_addresses: bool
    exclusions: Exclusions
    digest: str
    consent_digest: str

    def __hash__(self) -> int:
        """By what it holds, so that what follows from a study can be kept by it."""
        return hash(self.digest)


@dataclass(frozen=True)
class Step:
    """The screen at which a person is. `key` is unique within the person's way; `part` is
    consent, instructions, check, practice, trial, debriefing or end; `trial` counts from 0 and is
    None elsewhere. `done` of `total` is for the bar of progress (trials that are over)."""

    key: str
    part: str
    screen: Screen
    done: int
    total: int
    trial: int | None = None


@dataclass(frozen=True)
class Planned:
    """One trial of a person's: the item's id, and the human arm."""

    family: str
    item: str
    arm: str
    block: int
