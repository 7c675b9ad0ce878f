"""The options of a run, checked: what contradicts is said in one line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.family import Options
from misstep.core.options import read_options
from misstep.core.seeds import digest
from misstep.families.faces.attributes import Attributes, allowed, read_rules
from misstep.families.faces.spec import OPTIONS

SIZES = (512, 1024)
MOST_CORES = 1024
_DRAWING = ("size", "left_out")


@dataclass(frozen=True)
class Settings:
    """The options as the generator needs them.

    `left_out` says what a list of one's own leaves, in hex, empty where that is what the family's
    own leaves. `store` names the pictures' set by what they are drawn with, in six hex digits,
    empty for the defaults; `variant` likewise names all that makes other items.
    `drawing_changed` are the options of drawing that were given.
    """

    folder: Path | None
    cores: int
    size: int
    combinations: tuple[Attributes, ...]
    labelled: bool
    left_out: str
    store: str
    variant: str
    drawing_changed: tuple[str, ...]


def read_settings(options: Options) -> Settings:
    values = read_options(OPTIONS, options, "faces")
    size = int(values["size"])
    if size not in SIZES:
        raise BadInput(f"-T size: {size} is neither {SIZES[0]} nor {SIZES[1]}")
    cores = int(values["cores"])
    if not 0 <= cores <= MOST_CORES:
        raise BadInput(f"-T cores: {cores} is not between 0 and {MOST_CORES}")
    list_of_own = Path(str(values["left_out"])) if values["left_out"] else None
    combinations = allowed(read_rules(list_of_own))
    labelled = values["protocol"] == "controlled"
    drawing: tuple[str, ...] = () if size == SIZES[0] else (f"size={size}",)
    left_out = _left_out(combinations)
    if left_out:
        drawing += (f"left_out={left_out}",)
    return Settings(
        folder=_folder(str(values["set"])),
        cores=cores,
        size=size,
        combinations=combinations,
        labelled=labelled,
        left_out=left_out,
        store=_named(drawing),
        variant=_named(drawing if labelled else (*drawing, "protocol=paper")),
        drawing_changed=tuple(one for one in _DRAWING if f"{one}=" in " ".join(drawing)),
    )


def _left_out(combinations: tuple[Attributes, ...]) -> str:
    """By what it leaves, so that one list in two files is one variant."""
    is_own = combinations == allowed(read_rules())
    return "" if is_own else digest(*(one.words for one in combinations)).hex()


def _named(parts: tuple[str, ...]) -> str:
    return digest("faces", *parts).hex()[:6] if parts else ""


def _folder(name: str) -> Path | None:
    """A set's folder, made or not yet; BadInput where something else has that name."""
    if not name:
        return None
    folder = Path(name).expanduser().resolve()
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"-T set: {name}: is no folder")
    return folder
