"""Pictures of items as files in a folder: each once, whole, and named as the family names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from misstep.core.errors import MisstepError
from misstep.core.pictures import Picture, content_of
from misstep.picture_files import write_whole


@dataclass(frozen=True)
class Folder:
    """Where pictures are saved. `shown` is how their paths begin.

    A picture that is there already, to the byte, is left alone, so that what a full disk has cut
    short goes on by the same command.
    """

    place: Path
    shown: str
    known: dict[str, Picture] = field(default_factory=dict)
    saved: set[str] = field(default_factory=set)

    def path(self, picture: Picture) -> str:
        """Saves the picture, once, and says where it is."""
        self.note(picture)
        return self.save(picture.name)

    def note(self, picture: Picture) -> str:
        """Only the name; `save` knows the picture by it."""
        self.known[picture.name] = picture
        return picture.name

    def save(self, name: str) -> str:
        if name not in self.saved:
            try:
                for one in (self.known[name], *self.known[name].also):
                    write_whole(self.place / one.name, content_of(one))
            except MisstepError as error:
                raise MisstepError(
                    f"{error}; {len(self.saved):,} pictures are whole in {self.place}; the same "
                    "command goes on"
                ) from None
            self.saved.add(name)
        return f"{self.shown}/{name}"

    @property
    def told(self) -> str:
        """For the last line of a command: how many, and where."""
        return f"; {len(self.saved):,} pictures in {self.place}" if self.saved else ""


def beside(out: Path) -> Folder:
    """The folder of the pictures of an item file: x.jsonl has x_pictures beside it."""
    name = f"{out.stem}_pictures"
    return Folder(out.with_name(name), name)


def with_saved(row: Mapping[str, object], folder: Folder) -> dict[str, object]:
    """The row of an item whose pictures are saved now, with their paths."""
    prompt = row["prompt"]
    if not isinstance(prompt, list):
        return dict(row)
    return {**row, "prompt": [_saved(message, folder) for message in prompt]}


def in_words(prompt: object) -> str:
    """The prompt of a row as text, with the path of each picture in its place."""
    if not isinstance(prompt, list):
        return str(prompt)
    parts = (part for message in prompt for part in message["parts"])
    return "".join(part["text"] if "text" in part else f"[{part['picture']}]" for part in parts)


def _saved(message: Mapping[str, list[dict[str, str]]], folder: Folder) -> dict[str, object]:
    parts = [
        {**part, "picture": folder.save(part["picture"])} if "picture" in part else part
        for part in message["parts"]
    ]
    return {**message, "parts": parts}
