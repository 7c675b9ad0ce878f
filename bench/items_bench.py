"""Items made per second at the papers' scale, beside plain Python on the same machine."""

from __future__ import annotations

import hashlib
import io
import time
from collections.abc import Callable
from functools import partial
from itertools import islice

from figures import Figure, rated
from PIL import Image

import misstep
from misstep.core.options import read_options
from misstep.families.cups import FAMILY as CUPS

FAMILIES = ("grammar", "vehicles", "inconsistency", "apartments", "cups")
_PICTURES = 60
_LEAST = 0.3
"""Seconds for which each is measured."""


def items_rows() -> list[Figure]:
    """Both arms' words included; all in seconds of processor time."""
    plain = _rate(_plain_loop)
    rows = []
    for family in FAMILIES:
        made = _rate(partial(_made, family))
        peer = f"plain loop of 1,000 {plain:,.0f} /s"
        rows.append(rated(f"questions made, {family}, paper's scale", made, peer, plain))
    return [*rows, *_picture_rows()]


def _rate(work: Callable[[], int]) -> float:
    """What it counts, a second."""
    count, began = 0, time.process_time()
    while (taken := time.process_time() - began) < _LEAST:
        count += work()
    return count / taken


def _made(family: str) -> int:
    return sum(1 for _ in misstep.items(family, scale="paper"))


def _plain_loop() -> int:
    """A loop that hashes and joins short words, which is what Python does on this machine."""
    words = ["word"]
    for turn in range(1_000):
        words.append(hashlib.sha256(f"{turn} {words[-1]}".encode()).hexdigest()[:8])
    assert len(" ".join(words)) > 1_000
    return 1


def _picture_rows() -> list[Figure]:
    """Glasses drawn, beside Pillow writing the same pixels as PNG."""
    assert CUPS.pictures is not None
    groups = CUPS.generate(0, read_options(CUPS.spec.options, {}, CUPS.spec.name))
    items = islice((item for group in groups for item in group), _PICTURES)
    shown = [picture for item in items for picture in CUPS.pictures(item)]
    began = time.process_time()
    drawn = [picture.content() for picture in shown]
    ours = len(drawn) / (time.process_time() - began)
    opened = [Image.open(io.BytesIO(content)).convert("RGB") for content in drawn]
    began = time.process_time()
    for image in opened:
        image.save(io.BytesIO(), "PNG")
    theirs = len(opened) / (time.process_time() - began)
    return [rated("glasses drawn to PNG", ours, f"Pillow writes them {theirs:,.0f} /s", theirs)]
