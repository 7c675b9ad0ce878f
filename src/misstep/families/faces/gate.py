"""The gate: a face-embedding model says whether two pictures show one person.

Needs the extra `faces`. The weights are dlib's, in the public domain (CC0), from the package
`face-recognition-models`, whose 5-point predictor is used, not the 68-point one (which has another
licence).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from misstep.core.errors import BadInput

MARGIN = 0.08
"""By how much every other person must be farther from the reference than the right picture is."""
FARTHEST = 0.45
"""Between two pictures of one person; most are within .40."""
_NEEDED = ("numba", "dlib", "face_recognition_models")
LANDMARKS = "shape_predictor_5_face_landmarks.dat"
_ENCODER = "dlib_face_recognition_resnet_model_v1.dat"

Pixels = Any  # a numpy array of (height, width, 3) bytes; numpy stays where pictures are drawn
Embedding = tuple[float, ...]


@dataclass(frozen=True)
class Found:
    """What the gate sees in a picture: how many faces, and the embedding where it is one."""

    faces: int
    embedding: Embedding


class Gate:
    """The models, loaded when first used: 0.5 s, 100 MB."""

    @cached_property
    def _models(self) -> tuple[Any, Any, Any]:  # Any: dlib has no types
        import dlib

        folder = models_folder()
        return (
            dlib.get_frontal_face_detector(),
            dlib.shape_predictor(str(folder / LANDMARKS)),
            dlib.face_recognition_model_v1(str(folder / _ENCODER)),
        )

    def look(self, pixels: Pixels) -> Found:
        detector, landmarks, encoder = self._models
        faces = detector(pixels, 0)
        if len(faces) != 1:
            return Found(len(faces), ())
        place = landmarks(pixels, faces[0])
        return Found(1, tuple(encoder.compute_face_descriptor(pixels, place)))


def apart(one: Embedding, other: Embedding) -> float:
    """The distance of two embeddings; about .6 parts people from people in photographs."""
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)))


def require_extra(what: str) -> None:
    """BadInput where a package that drawing needs isn't installed."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise BadInput(f"{what}: needs {', '.join(missing)}; run: pip install 'misstep[faces]'")


def models_folder() -> Path:
    # Found without an import: the package's own module asks for a deprecated one.
    spec = find_spec("face_recognition_models")
    if spec is None or spec.origin is None:
        raise BadInput("faces: needs face_recognition_models; run: pip install 'misstep[faces]'")
    return Path(spec.origin).parent / "models"
