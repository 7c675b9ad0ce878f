"""The structures a grammar may have (A.1): which edges exist, before any letter is drawn."""

from __future__ import annotations

from functools import lru_cache

Pair = tuple[str, str]
Edge = tuple[str, str, str]
"""From, to, letter."""

SOURCE, SINK = "s", "t"
FIXED: tuple[Pair, ...] = (("s", "x1"), ("s", "x3"), ("x2", "t"), ("x4", "t"), ("x1", "x2"))
_MIDDLE = ("x1", "x2", "x3", "x4")
OPTIONAL: tuple[Pair, ...] = tuple(
    (start, end) for start in _MIDDLE for end in _MIDDLE if (start, end) != ("x1", "x2")
)
"""The 11 optional middle edges and the 4 optional self-loops."""

RELABELINGS: tuple[dict[str, str], ...] = (
    {"x1": "x3", "x3": "x1"},
    {"x2": "x4", "x4": "x2"},
    {"x1": "x3", "x3": "x1", "x2": "x4", "x4": "x2"},
)
"""The three graphical isomorphisms: each keeps the four edges at the source and the sink."""

REBER: tuple[Edge, ...] = (
    ("s", "x1", "T"),
    ("s", "x3", "P"),
    ("x1", "x1", "S"),
    ("x1", "x2", "X"),
    ("x3", "x3", "T"),
    ("x3", "x4", "V"),
    ("x2", "x3", "X"),
    ("x4", "x2", "P"),
    ("x2", "t", "S"),
    ("x4", "t", "V"),
)
"""The grammar of Reber & Lewis (1977) and Fallshore & Schooler (1993), Figure 2."""


_ALWAYS = 1 << len(OPTIONAL)
"""The bit of x1→x2, beside the bits of the optional edges."""


def pairs_of(mask: int) -> tuple[Pair, ...]:
    """The edges of a structure; bit k of the mask stands for `OPTIONAL[k]`."""
    return FIXED + tuple(pair for bit, pair in enumerate(OPTIONAL) if mask >> bit & 1)


@lru_cache(maxsize=1)
def classes() -> tuple[int, ...]:
    """One structure of each class, 15,792 in all: the one with the smallest mask.

    A relabeling counts only where its image still has x1→x2, so a class has one to four
    members in the family, and the classes are more than a quarter of the 32,768 structures.
    """
    images = [_image_of_bytes(relabeling) for relabeling in RELABELINGS]
    return tuple(mask for mask in range(_ALWAYS) if _is_smallest(mask, images))


def _is_smallest(mask: int, images: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> bool:
    full = mask | _ALWAYS
    for low, high in images:
        image = low[full & 255] | high[full >> 8]
        if image & _ALWAYS and image < full:
            return False
    return True


def _image_of_bytes(relabeling: dict[str, str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where a relabeling takes the low and the high byte of a structure's 16 bits."""
    pairs = (*OPTIONAL, ("x1", "x2"))
    images = [
        1 << pairs.index((relabeling.get(start, start), relabeling.get(end, end)))
        for start, end in pairs
    ]
    return _unions(images[:8]), _unions(images[8:])


def _unions(images: list[int]) -> tuple[int, ...]:
    """For each set of eight bits, the union of their images."""
    return tuple(
        sum(image for bit, image in enumerate(images) if chosen >> bit & 1) for chosen in range(256)
    )
