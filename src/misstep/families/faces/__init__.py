"""Face recognition: which of five faces is the one just seen (Mind Your Step, §4.2)."""

from misstep.core.family import Family
from misstep.families.faces.generate import generate, named, pictures
from misstep.families.faces.prompts import beginnings, prompt
from misstep.families.faces.score import score
from misstep.families.faces.solvers import REFERENCES
from misstep.families.faces.spec import SPEC, FacesPayload

FAMILY: Family[FacesPayload] = Family(
    spec=SPEC,
    payload=FacesPayload,
    generate=generate,
    prompt=prompt,
    score=score,
    solvers={name: reference.solve for name, reference in REFERENCES.items()},
    solver_about={name: reference.about for name, reference in REFERENCES.items()},
    beginnings=beginnings,
    pictures=pictures,
    has_picture_files=True,
    is_spread=True,
    named=named,
)

__all__ = ["FAMILY"]
