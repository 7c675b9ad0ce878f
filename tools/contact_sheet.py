"""Pictures of a family on one sheet, to be looked at before anyone is asked about them.

`python tools/contact_sheet.py cups sheet.png --count 12 --width 512 -T epsilon=0.1`
"""

from __future__ import annotations

import argparse
import sys
from io import BytesIO
from itertools import islice
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from misstep.core.options import read_options, read_pairs
from misstep.registry import family

GAP, AROUND = 12, "#8a9199"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family")
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=12, help="how many pictures")
    parser.add_argument("--columns", type=int, default=3)
    parser.add_argument("--width", type=int, default=512, help="of one picture on the sheet")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-T", dest="options", action="append", default=[], metavar="KEY=VALUE")
    args = parser.parse_args()
    made = pictures(args.family, args.seed, read_pairs("-T", args.options), args.count)
    sheet([scaled(content, args.width) for content in made], args.columns).save(args.out)
    print(f"{len(made)} pictures of {args.family} in {args.out}")


def pictures(name: str, seed: int, options: dict[str, str], count: int) -> list[bytes]:
    """The contents of the first pictures, item after item."""
    room = family(name)
    if room.pictures is None:
        raise SystemExit(f"FAMILY: {name} shows no pictures")
    groups = room.generate(seed, read_options(room.spec.options, options, name))
    every = (one for group in groups for item in group for one in room.pictures(item))
    return [one.content() for one in islice(every, count)]


def scaled(content: bytes, width: int) -> Image.Image:
    with Image.open(BytesIO(content)) as image:
        height = round(image.height * width / image.width)
        return image.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)


def sheet(images: list[Image.Image], columns: int) -> Image.Image:
    """The images row by row; they are all of one size."""
    width, height = images[0].width + GAP, images[0].height + GAP
    rows = -(-len(images) // columns)
    made = Image.new("RGB", (columns * width + GAP, rows * height + GAP), AROUND)
    for place, image in enumerate(images):
        row, column = divmod(place, columns)
        made.paste(image, (GAP + column * width, GAP + row * height))
    return made


if __name__ == "__main__":
    main()
