"""A user's records as what the published tables hold: results by arm, changes, the paper's p."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from misstep.analyse import ArmSummary, Comparison, compare, summarise
from misstep.core.records import Record
from misstep.report.page.data import ReportData
from misstep.report.published.data import Published

DIRECT = "direct"
Where = Mapping[str, str]


@dataclass(frozen=True)
class Model:
    """Who answered which variant. `variant` leaves out what the table itself fixes."""

    who: str
    variant: str
    version: int

    @property
    def name(self) -> str:
        return f"{self.who} ({self.variant})" if self.variant else self.who


@dataclass(frozen=True)
class Results:
    """One model on the items of one selection, each arm over all of its items.

    `comparisons` are those against the direct arm, over the items that both arms have.
    """

    arms: Mapping[str, ArmSummary]
    comparisons: tuple[Comparison, ...]

    def comparison(self, arm: str) -> Comparison | None:
        return next((one for one in self.comparisons if one.arm == arm), None)

    def summary(self, arm: str) -> ArmSummary | None:
        """An arm as it was compared, if all its comparisons are over the same items."""
        sides = [one.baseline_summary for one in self.comparisons if arm == one.baseline]
        sides += [one.arm_summary for one in self.comparisons if arm == one.arm]
        if sides and len({side.n for side in sides}) == 1:
            return sides[0]
        return self.arms.get(arm)


def results(table: Published, where: Where, data: ReportData) -> dict[Model, Results]:
    """Each model that answered items of the table's family with these factors, in the arm that
    the table needs."""
    records = [record for record in data.records if _is_of(record, table.family, where)]
    compared = compare(records, data.specs) if where else data.comparisons
    own = [one for one in compared if _is_against_direct(one, table.family)]
    found: dict[Model, dict[str, ArmSummary]] = {}
    for summary in summarise(records, data.specs):
        found.setdefault(_model(summary, where), {})[summary.arm] = summary
    return {
        model: Results(arms, tuple(one for one in own if _model(one, where) == model))
        for model, arms in found.items()
        if not table.needs or table.needs in arms
    }


def selections(table: Published) -> tuple[Where, ...]:
    """The different items that the table's rows and columns are about, in their order."""
    found: list[Where] = []
    for row in table.rows:
        for column in table.columns:
            where = {**column.where, **row.where}
            if where not in found:
                found.append(where)
    return tuple(found)


def models(found: Iterable[Mapping[Model, Results]]) -> tuple[Model, ...]:
    return tuple(dict.fromkeys(model for one in found for model in one))


def _is_of(record: Record, family: str, where: Where) -> bool:
    return record.family == family and all(
        str(record.factors.get(name)) == level for name, level in where.items()
    )


def _is_against_direct(one: Comparison, family: str) -> bool:
    is_of_arms = one.factor is None and one.baseline_who is None
    return one.family == family and is_of_arms and one.baseline == DIRECT


def _model(one: ArmSummary | Comparison, where: Where) -> Model:
    return Model(one.who, _left(one.variant, where), one.version)


def _left(variant: str, where: Where) -> str:
    """The variant without the options that the selection names."""
    parts: Sequence[str] = variant.split(", ") if variant else ()
    return ", ".join(part for part in parts if part.partition("=")[0] not in where)
