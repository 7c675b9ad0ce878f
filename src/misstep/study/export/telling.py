"""What an export says of its people: how many, who was left out by which rule, and how models are
asked the same items."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from misstep.study.course.nouns import Block, Study
from misstep.study.export.excluding import RULES
from misstep.study.export.parts import Part
from misstep.study.store.nouns import Version


def lines(found: Sequence[Part], *, everyone: bool) -> Iterator[str]:
    """A line for all, then one for each rule by which somebody is left out. Who is left out by
    several rules is counted in each."""
    out = [one for one in found if one.left_out]
    trials = sum(len(one.records) for one in out)
    if not found:
        yield "nobody has taken part yet"
        return
    people = "1 person" if len(found) == 1 else f"{len(found)} people"
    if not out:
        yield f"{people}, nobody left out"
        return
    done = "marked in detail.excluded" if everyone else "left out; --all exports them, marked"
    yield (f"{people}; {len(out)} of them, with {trials} trials that are over, are {done}:")
    counted = Counter(rule for one in out for rule in one.left_out)
    for rule, meaning in RULES.items():
        if counted[rule]:
            yield f"  {rule}: {counted[rule]} ({meaning})"


def elsewhere(others: Sequence[Version]) -> Iterator[str]:
    """A line for each version of the study whose people are left out of this export."""
    for one in others:
        people = "1 person" if one.people == 1 else f"{one.people} people"
        yield f"another version of this study has {people}: --version {one.digest} exports them"


def commands(study: Study) -> Iterator[str]:
    """The runs that ask models what the people were asked."""
    for block in dict.fromkeys(map(_command, study.blocks, [study.seed] * len(study.blocks))):
        yield f"the same items, asked of a model: {block}"


def _command(block: Block, seed: int) -> str:
    words = ["misstep", "run", block.family, "--scale", block.scale, "--seed", str(seed)]
    words += [] if block.pool is None else ["--limit", str(block.pool)]
    for name, value in sorted(block.options.items()):
        words += ["-T", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    return shlex.join(words)
