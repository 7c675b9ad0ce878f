"""The one hook of the page: a report's text with the papers' tables added to it."""

from __future__ import annotations

from enum import StrEnum

from misstep.report.page.data import ReportData
from misstep.report.published import html, plain
from misstep.report.published.grids import Sheet, sheets
from misstep.report.published.people import people_sheets
from misstep.report.published.plans import plan_sheet


class Which(StrEnum):
    """The tables that the runs belong to, or every one."""

    OWN = "own"
    ALL = "all"


def with_tables(text: str, ending: str, data: ReportData, which: Which) -> str:
    """The report `text` of that ending with the tables behind it, in the page before its end.

    A .csv holds one kind of line only, so there the tables' cells take the report's place. Raises
    BadInput where no run belongs to a published table, unless every one is asked for.
    """
    is_all = which is Which.ALL
    baseline = plan_sheet(data.records, is_all=is_all)
    found = (
        *sheets(data, is_all=is_all),
        *people_sheets(data, is_all=is_all),
        *(() if baseline is None else (baseline,)),
    )
    if ending == ".html":
        return _in_page(text, found)
    if ending == ".md":
        return f"{text}\n{plain.markdown(found)}"
    if ending == ".tex":
        return f"{text}\n{plain.latex(found)}"
    return plain.comma_separated(found)


def _in_page(text: str, found: tuple[Sheet, ...]) -> str:
    """Replies and names are escaped, so that these ends of elements are the page's own."""
    styled = text.replace("</style>", f"{html.STYLE}</style>", 1)
    before, end, after = styled.rpartition("</main>")
    assert end, "a page has a main part"  # noqa: S101 our own mistake
    return before + html.section(found) + end + after
