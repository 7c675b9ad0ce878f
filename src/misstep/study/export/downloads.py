"""The files that the researcher's desk offers, made anew each time."""

from __future__ import annotations

from collections.abc import Callable

from misstep.analyse.record_files import record_bytes
from misstep.core.records import Record
from misstep.study.course.nouns import Study
from misstep.study.export import jspsych
from misstep.study.export.parts import Choice, chosen, parts
from misstep.study.server.desk.routes import Download
from misstep.study.store.opening import Store

_WITHOUT_IDS = Choice()
_EVERYONE = Choice(everyone=True)


def downloads(study: Study, store: Store) -> tuple[Download, ...]:
    """Records of who counts, of everyone with a mark, and jsPsych's rows of who counts. None holds
    the recruiting service's ids."""

    def records(choice: Choice) -> list[Record]:
        found = chosen(study, parts(study, store), choice)
        return [record for one in found for record in one.records]

    def table(ending: str, choice: Choice) -> Callable[[], bytes]:
        return lambda: record_bytes(records(choice), ending)

    def rows() -> bytes:
        found = chosen(study, parts(study, store), _WITHOUT_IDS)
        text = "".join(jspsych.lines(found, _WITHOUT_IDS))
        return text.encode("utf-8", "replace")

    return (
        Download("records.csv", "text/csv", table(".csv", _WITHOUT_IDS)),
        Download(
            "records.parquet", "application/vnd.apache.parquet", table(".parquet", _WITHOUT_IDS)
        ),
        Download("records-all.csv", "text/csv", table(".csv", _EVERYONE)),
        Download("jspsych.json", "application/json", rows),
    )
