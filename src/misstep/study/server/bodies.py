"""The bodies of a participant's requests, as they must be (docs/study-protocol.md)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from misstep.study.store.nouns import Recruited, Sent, Sign
from misstep.study.trials.nouns import Given

# Ids of recruiting services; nothing that could be markup or a line of a log.
_Id = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9._~:@=+-]*$")]
_Once = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16,64}$")]
_Number = Annotated[float, Field(ge=-1e13, le=1e13, allow_inf_nan=False)]
_MOST_SIGNS = 1_000


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Entering(_Body):
    """`once` is the page's own mark of this entering, so that a lost reply costs no place."""

    person: _Id = ""
    study: _Id = ""
    session: _Id = ""
    once: _Once | Literal[""] = ""

    @property
    def recruited(self) -> Recruited:
        return Recruited(self.person, self.study, self.session)


class SignBody(_Body):
    kind: Literal["blur", "hidden", "paste", "copy", "drop", "burst", "untrusted"]
    at_ms: _Number
    n: _Number


class Answering(_Body):
    key: str = Field(max_length=128)
    once: _Once
    answer: dict[str, Any]  # Any: what it must be hangs on the screen that it answers
    rt_ms: Annotated[float, Field(ge=0, le=1e10, allow_inf_nan=False)] | None
    signs: list[SignBody] = Field(max_length=_MOST_SIGNS)
    row: dict[str, Any]  # Any: jsPsych's own

    @property
    def sent(self) -> Sent:
        signs = tuple(Sign(one.kind, one.at_ms, one.n) for one in self.signs)
        return Sent(Given(self.key, self.answer, self.rt_ms), self.once, signs, self.row)


class Nothing(_Body):
    """{}"""
