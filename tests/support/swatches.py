"""A small family that shows pictures: which of two colours is the one above?"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

from PIL import Image

from misstep.core.answers import VOCABULARIES, read
from misstep.core.arms import Arm, Strategy
from misstep.core.family import Family, Options, Prediction, Scale, Solution, Spec
from misstep.core.items import Groups, Item
from misstep.core.judging import score_reading
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.core.pictures import PLACE, Picture
from misstep.core.seeds import stream

SIZE = 16
"""Pixels of a picture, on a side."""

SPEC = Spec(
    name="swatches",
    title="Swatches",
    version=1,
    source="this test",
    measures="which of two colours is the one above",
    arms=(
        Arm("direct", "at once", "direct", is_default=True),
        Arm("cot", "reason first", "cot", is_default=True),
        Arm("tot", "three thoughts", "cot", Strategy.TREE, 3),
        Arm("feedback", "told what is wrong, twice", "direct", Strategy.FEEDBACK, 2),
    ),
    options=(),
    factors=("place",),
    scales={"paper": Scale(8), "quick": Scale(2)},
    vocabulary=VOCABULARIES["yes_no"],
    chance=0.5,
    margin=3.0,
    prediction=Prediction(False, False, "helps", "this test"),
)

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Payload:
    """The colours of the three pictures: the one above, the left one and the right one."""

    colours: tuple[Colour, Colour, Colour]


def generate(seed: int, options: Options) -> Groups[Payload]:
    for group in count():
        chance = stream("swatches", 1, seed, "group", group)
        yield tuple(_item(seed, group, place, _colours(chance.below)) for place in range(2))


def _colours(below: object) -> tuple[Colour, Colour]:
    assert callable(below)
    first, second = (tuple(int(below(256)) for _ in range(3)) for _ in range(2))
    return (first[0], first[1], first[2]), (second[0], second[1], second[2])


def _item(seed: int, group: int, place: int, two: tuple[Colour, Colour]) -> Item[Payload]:
    above = two[place]
    return Item(
        id=f"swatches-{seed}-{group:03}-{place}",
        family="swatches",
        version=1,
        group=f"swatches-{seed}-{group:03}",
        payload=Payload((above, *two)),
        truth="No" if place else "Yes",
        lure=None,
        factors={"place": place},
    )


def prompt(item: Item[Payload], wording: str) -> str:
    how = "Think first, then answer." if wording == "cot" else "Answer at once."
    return f"Look at this: {PLACE}\nIs it {PLACE}, not {PLACE}? Yes or No.\n{how}"


def pictures(item: Item[Payload]) -> tuple[Picture, ...]:
    names = ("above", "left", "right")
    return tuple(
        Picture(f"{item.id}-{name}.png", f"the colour {name}", partial(drawn, colour))
        for name, colour in zip(names, item.payload.colours, strict=True)
    )


def drawn(colour: Colour, size: int = SIZE) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(out, "PNG")
    return out.getvalue()


def colour_of(content: bytes) -> Colour:
    """The colour of a picture that `drawn` made."""
    with Image.open(io.BytesIO(content)) as picture:
        found = picture.convert("RGB").getpixel((SIZE // 2, SIZE // 2))
    assert isinstance(found, tuple)
    return int(found[0]), int(found[1]), int(found[2])


def right_answer(seen: Sequence[bytes]) -> str:
    """What somebody says who sees the pictures of one question, in their order."""
    above, left, right = map(colour_of, seen)
    assert above in (left, right)
    return "Yes" if above == left else "No"


def score(item: Item[Payload], reply: Reply) -> Score:
    return score_reading(read(reply.text, SPEC.vocabulary, reply.stop_reason), item.truth)


def feedback(item: Item[Payload], reply: Reply) -> str | None:
    return None if score(item, reply).outcome is Outcome.CORRECT else "No. Look again."


def exact(item: Item[Payload]) -> Solution:
    return Solution(right_answer([one.content() for one in pictures(item)]))


FAMILY: Family[Payload] = Family(
    spec=SPEC,
    payload=Payload,
    generate=generate,
    prompt=prompt,
    score=score,
    solvers={"exact": exact},
    solver_about={"exact": "compares the colours"},
    thought=lambda item: f"{prompt(item, 'cot')} One thought.",
    ballot=lambda item, thoughts: f"{prompt(item, 'direct')} Which of {len(thoughts)} is best?",
    feedback=feedback,
    pictures=pictures,
)
