"""Problem of a set → item: its words and truth need no picture."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from misstep.core.items import Item, Scalar
from misstep.families.faces.attributes import NAMES
from misstep.families.faces.sets import Problem
from misstep.families.faces.spec import SPEC, FacesPayload


@dataclass(frozen=True)
class KeptIn:
    """Where the pictures are: a folder as the user named it, or a set's name in the cache."""

    folder: str
    store: str = ""


def item_of(
    problem: Problem, kept_in: KeptIn, variant: str = "", *, labelled: bool = True
) -> Item[FacesPayload]:
    """A problem's item; `variant` is only in the ids of items without labels, as a problem's own
    id names what its pictures were drawn with."""
    attributes = asdict(problem.attributes) if problem.attributes else dict.fromkeys(NAMES)
    factors: dict[str, Scalar] = {name: attributes[name] for name in NAMES}
    name = problem.id if labelled else _unlabelled(problem.id, variant)
    payload = FacesPayload(
        problem=problem.id,
        source=problem.source,
        folder=kept_in.folder,
        store=kept_in.store,
        files=tuple(shot.file for shot in problem.shots),
        digests=tuple(shot.sha256 for shot in problem.shots),
        distances=problem.distances,
        described=problem.attributes.words if problem.attributes else "",
        labelled=labelled,
    )
    return Item(name, SPEC.name, SPEC.version, name, payload, problem.truth, None, factors)


def _unlabelled(name: str, variant: str) -> str:
    """The id of the same problem in the paper's words: `faces-0-003` → `faces-0~cd355f-003`."""
    family, _, rest = name.partition("-")
    set_name, _, number = rest.rpartition("-")
    return f"{family}-{set_name.partition('~')[0]}~{variant}-{number}"
