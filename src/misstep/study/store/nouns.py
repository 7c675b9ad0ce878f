"""What the store keeps of people and their answers, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from misstep.study.screens import Json
from misstep.study.trials.nouns import Given


class State(StrEnum):
    """Under way, or how it ended (the endings of `course`, word for word)."""

    UNDER_WAY = "under_way"
    COMPLETE = "complete"
    SCREENED_OUT = "screened_out"
    NO_CONSENT = "no_consent"
    TIMED_OUT = "timed_out"
    WITHDRAWN = "withdrawn"

    @property
    def keeps_slot(self) -> bool:
        return self in (State.UNDER_WAY, State.COMPLETE)


class Refusal(StrEnum):
    """Why somebody may not enter."""

    FULL = "full"
    CLOSED = "closed"
    PAUSED = "paused"
    TOOK_PART = "took_part"


@dataclass(frozen=True)
class Recruited:
    """The ids that a recruiting service put into the address; "" where there is none."""

    person: str = ""
    study: str = ""
    session: str = ""


@dataclass(frozen=True)
class Participant:
    """`public` names the person in every table that leaves the store; `id` never does. `study` is
    the number of the version that they began under.

    Times are milliseconds of UTC since 1970. `until` is when the slot is free again if the person
    has not finished; `bonus` and `ended` are None before the end.
    """

    id: int
    study: int
    public: str
    slot: int
    state: State
    recruited: Recruited
    consent: str
    entered: int
    until: int
    seen: int
    ended: int | None
    bonus: float | None
    address: str | None


@dataclass(frozen=True)
class Sign:
    """A sign of help from elsewhere, `at_ms` after the screen's first drawing. `n` is milliseconds
    (blur, hidden), characters (paste, copy, drop, burst) or events (untrusted)."""

    kind: str
    at_ms: float
    n: float


@dataclass(frozen=True)
class Sent:
    """An answer as the page sends it. `once` is its own mark: sent twice, it is kept once."""

    given: Given
    once: str
    signs: tuple[Sign, ...] = ()
    row: Mapping[str, Json] | None = None


@dataclass(frozen=True)
class Kept:
    """An answer as it is kept; `served` is when its screen was first sent, by the server."""

    sent: Sent
    served: int | None
    received: int

    @property
    def server_ms(self) -> int | None:
        """From serving to answer by the server's clock; None where that clock went back."""
        if self.served is None or self.received < self.served:
            return None
        return self.received - self.served


@dataclass(frozen=True)
class Version:
    """Another version of a study in the database: the same title, with people in these states."""

    number: int
    digest: str
    created: int
    states: Mapping[State, int]

    @property
    def people(self) -> int:
        return sum(self.states.values())


@dataclass(frozen=True)
class Gate:
    """Whether people may enter, and whether those under way are to wait."""

    paused: bool = False
    closed: bool = False


@dataclass(frozen=True)
class Overruling:
    """A researcher's reading of what a person wrote in a trial."""

    trial: int
    reading: str
    note: str
    at: int
