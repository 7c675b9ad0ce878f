"""Each person's part in a study: who, all answers, the records of the trials that are over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from misstep.core.items import Scalar
from misstep.core.records import Record
from misstep.study.course import judging, way
from misstep.study.course.drawing import planned
from misstep.study.course.nouns import Study
from misstep.study.export.excluding import broken
from misstep.study.store import answers, people
from misstep.study.store.nouns import Kept, Overruling, Participant
from misstep.study.store.opening import Store
from misstep.study.trials.planbench.judging import overridden

_Stored = tuple[Participant, tuple[Kept, ...], Mapping[int, Overruling]]
SIGNS = ("blur", "copy", "burst", "drop", "hidden", "paste", "untrusted")


@dataclass(frozen=True)
class Part:
    """One person's. `records` are of all trials that are over, in their order; `left_out` names the
    rules by which they don't count (`excluding.RULES`), none of them where they do."""

    who: Participant
    kept: tuple[Kept, ...]
    records: tuple[Record, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """Whose parts are exported, and with what: `everyone`: also who is left out, which a detail
    then says; `ids`: with the recruiting service's ids, and the bonus to pay."""

    everyone: bool = False
    ids: bool = False


def parts(study: Study, store: Store) -> Iterator[Part]:
    """Everyone's, in the order of entering, read one after another; Away where the database can't
    be had. Who is deleted meanwhile is not among them."""
    for who in store.read(lambda on: people.everyone(on, store.number)):
        found = store.read(_of(store.number, who.public))
        if found is not None:
            yield part(study, *found)


def part(
    study: Study, who: Participant, kept: Sequence[Kept], readings: Mapping[int, Overruling]
) -> Part:
    """From what the store holds of a person, and nothing else."""
    given = {one.sent.given.key: one for one in kept}
    over = way.finished(study, who.slot, [one.sent.given for one in kept])
    records = tuple(
        _with_details(
            judging.record(study, who.public, trial, own),
            [given[one.key] for one in own],
            readings,
        )
        for trial, own in over
    )
    left_out = broken(study.exclusions, who.state, len(planned(study, who.slot)), records)
    return Part(who, tuple(kept), records, left_out)


def chosen(study: Study, found: Iterable[Part], choice: Choice) -> Iterator[Part]:
    """Those that are exported, their records with what is the same in all of a person's."""
    for one in found:
        if choice.everyone or not one.left_out:
            shared = _shared(study, one, choice)
            records = (replace(each, details={**each.details, **shared}) for each in one.records)
            yield replace(one, records=tuple(records))


def _of(number: int, public: str) -> Callable[[Connection], _Stored | None]:
    def read(on: Connection) -> _Stored | None:
        who = people.by_public(on, number, public)
        if who is None:
            return None
        return who, answers.kept_of(on, who.id), answers.overrulings(on, who.id)

    return read


def _with_details(
    record: Record, own: Sequence[Kept], readings: Mapping[int, Overruling]
) -> Record:
    """What the store knows of a trial besides the answers: its place, times, signs of help, and
    how a researcher reads its text."""
    number = int(own[0].sent.given.key.split("/")[1])
    reading = readings.get(number)
    details = overridden(record.details, None if reading is None else reading.reading)
    more: dict[str, Scalar] = {"trial": number, "server_ms": _server_ms(own), **_signs(own)}
    return replace(record, details={**details, **more})


def _server_ms(own: Sequence[Kept]) -> int | None:
    """On all its screens, from serving to answer; None where one of them isn't known."""
    times = [one.server_ms for one in own]
    known = [ms for ms in times if ms is not None]
    return sum(known) if len(known) == len(times) else None


def _signs(own: Sequence[Kept]) -> dict[str, Scalar]:
    """How much of each kind came on the trial's screens; 0: none."""
    much: Counter[str] = Counter()
    for one in own:
        for sign in one.sent.signs:
            much[sign.kind] += round(sign.n)
    return {f"signs_{kind}": much[kind] for kind in SIGNS}


def _shared(study: Study, one: Part, choice: Choice) -> dict[str, Scalar]:
    shared: dict[str, Scalar] = {"study": study.digest, "consent": one.who.consent}
    if choice.everyone:
        shared["excluded"] = ",".join(one.left_out)
    if choice.ids:
        recruited = one.who.recruited
        shared |= {
            "recruited_person": recruited.person,
            "recruited_study": recruited.study,
            "recruited_session": recruited.session,
            "bonus": one.who.bonus,
        }
    return shared
