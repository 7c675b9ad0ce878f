"""The gate as a solver: right in every problem of the embedded source, as the gate made them."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from misstep.core.errors import MisstepError
from misstep.core.family import Solution
from misstep.core.items import Item
from misstep.families.faces.gate import Gate, apart, require_extra
from misstep.families.faces.generate import pictures
from misstep.families.faces.spec import FacesPayload

_gate = Gate()


def solve(item: Item[FacesPayload]) -> Solution:
    """The candidate with the nearest embedding; the score is its lead over the second."""
    require_extra("looking at faces")
    seen = []
    for picture in pictures(item):
        found = _gate.look(np.array(Image.open(io.BytesIO(picture.content())).convert("RGB")))
        if found.faces != 1:
            raise MisstepError(f"{picture.name}: {found.faces} faces found, not one")
        seen.append(found.embedding)
    far = [apart(seen[0], one) for one in seen[1:]]
    first, second = sorted(far)[:2]
    return Solution(str(far.index(first) + 1), second - first)


SOLVERS = {"embedding": solve}
