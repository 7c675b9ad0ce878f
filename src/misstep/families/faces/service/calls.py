"""What the image service is asked: two calls, as data, with the words that the paper prints."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum

from misstep.families.faces.attributes import Attributes

PAIR = (
    "Generate two realistic images of the same person, one on the left and one on the right. "
    "The person should have the following description: {description}"
)
OTHER = (
    "Generate an image of a unique person with the same pose and style as the image provided. "
    "The person should have the following description: {description}"
)
SHAPE = "16:9"
"""Of the picture of two people; the paper states none. Each half is about as wide as it is high."""
LARGEST_SEED = 4_294_967_294
STRENGTH = 0.7
"""How strongly the right picture's structure holds: the service's own default."""


class Kind(StrEnum):
    """A pair is one person twice in one picture, the other call makes one of the four others."""

    PAIR = "pair"
    OTHER = "other"


_PATHS = {
    Kind.PAIR: "v2beta/stable-image/generate/ultra",
    Kind.OTHER: "v2beta/stable-image/control/structure",
}


@dataclass(frozen=True)
class Call:
    """One call: its fields in order, and the picture that is sent with them, a PNG."""

    kind: Kind
    fields: tuple[tuple[str, str], ...]
    image: bytes | None = field(default=None, repr=False)

    @property
    def path(self) -> str:
        return _PATHS[self.kind]

    def key(self, base: str) -> str:
        """Names the request by all that it says, in hex; the secret key is no part of it."""
        image = hashlib.sha256(self.image).hexdigest() if self.image is not None else None
        said = json.dumps([base, self.path, self.fields, image], ensure_ascii=False)
        return hashlib.sha256(said.encode()).hexdigest()


def pair(attributes: Attributes, seed: int) -> Call:
    """B.1's first prompt. `seed` is the service's own, 1 to `LARGEST_SEED`."""
    return Call(
        Kind.PAIR,
        (
            ("prompt", PAIR.format(description=attributes.words)),
            ("aspect_ratio", SHAPE),
            ("seed", str(seed)),
            ("output_format", "png"),
        ),
    )


def other(attributes: Attributes, right: bytes, seed: int, strength: float) -> Call:
    """B.1's second prompt, with the right answer's picture."""
    return Call(
        Kind.OTHER,
        (
            ("prompt", OTHER.format(description=attributes.words)),
            ("control_strength", f"{strength:g}"),
            ("seed", str(seed)),
            ("output_format", "png"),
        ),
        right,
    )
