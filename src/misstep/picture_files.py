"""Pictures in files: those of a user read so that nothing about them surprises, and files written
whole or not at all. Pillow is imported only where a picture is read."""

from __future__ import annotations

import io
import os
import struct
import threading
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from misstep.core.errors import MisstepError

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST = 1024
"""Pixels of a sent picture's longer side."""
LEAST_SIDE = 2
MOST_PIXELS = 80_000_000
MOST_BYTES = 100_000_000
FORMATS = ("PNG", "JPEG", "WEBP", "TIFF", "BMP")
"""By the bytes, whatever the file is called."""
_NAMES = "PNG, JPEG, WebP, TIFF or BMP"
_MPO = "MPO"
"""A telephone's JPEG with further pictures in it, of which the first is meant."""
_SENT = {".png": "PNG", ".jpg": "JPEG"}
_QUALITY = 92
_HARMLESS = {"jfif", "jfif_version", "jfif_unit", "jfif_density", "dpi", "adobe", "adobe_transform"}
"""What a file may say beside its pixels and go on as it is: none of it turns or colours them."""
_BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    EOFError,
    struct.error,
    zlib.error,
)
"""What Pillow raises for broken files, by format and by place of the damage."""
_quiet = threading.Lock()
"""Warnings are silenced for the whole process, so by one thread at a time."""


class Unreadable(ValueError):
    """Why there is no picture, in a few words that follow a file's name."""


def file_content(path: Path) -> bytes:
    """The file's bytes; Unreadable where it can't be read, is no file or is too large."""
    try:
        if path.exists() and not path.is_file():
            raise Unreadable("is no file")
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise Unreadable(f"{size:,} bytes are above {MOST_BYTES:,}")
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None


def upright(content: bytes, most: int = MOST_PIXELS) -> Image:
    """The picture as it is meant to be seen, in RGB: turned as its camera says, on white where it
    is transparent, its deeper greys brought to 8 bits, and nothing else of the file.

    Its size is known before its pixels are unpacked; more than `most` are not.
    """
    with _opened(content, most) as picture:
        return _plain(picture)


def sendable(content: bytes, ending: str, longest: int = LONGEST) -> bytes:
    """The picture as a model may be sent it under that ending, `.png` or `.jpg`: the bytes
    themselves where they are such a file, in RGB, small enough, and say nothing beside; else made
    so."""
    with _opened(content, MOST_PIXELS) as picture:
        found = _plain(picture)
        is_so = (
            picture.format == _SENT[ending]
            and picture.mode == "RGB"
            and max(picture.size) <= longest
            and set(picture.info) <= _HARMLESS
        )
    return content if is_so else _encoded(_within(found, longest), _SENT[ending])


def png(picture: Image) -> bytes:
    """Without a word of what the file said of itself: place, time, camera."""
    return _encoded(_pixels(picture.convert("RGB")), "PNG")


def write_whole(path: Path, content: bytes) -> bool:
    """Put the file in place whole or not at all; False where it is there already, to the byte.

    MisstepError, in one line, where it can't be written.
    """
    try:
        if path.is_file() and path.read_bytes() == content:
            return False
        put_whole(path, content)
    except OSError as error:
        raise MisstepError(f"{path}: cannot write: {error.strerror or error}") from None
    return True


def put_whole(path: Path, content: bytes) -> None:
    """As `write_whole`, whatever is there; OSError where it can't be written."""
    half = path.with_name(f".{path.name}.{os.getpid()}.partial")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        half.write_bytes(content)
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
        raise


@contextmanager
def _opened(content: bytes, most: int) -> Iterator[Image]:
    """The picture, its pixels not unpacked yet, known to be one of a sensible size. What Pillow
    raises of it, here or within, is said as Unreadable."""
    from PIL import Image, UnidentifiedImageError

    with _quiet, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
                _check_size(picture.size, most)
                if getattr(picture, "is_animated", False) and picture.format != _MPO:
                    raise Unreadable("holds several pictures, and should hold one")
                yield picture
        except Unreadable:
            raise
        except Image.DecompressionBombError:
            raise Unreadable(f"its pixels are above {most:,}") from None
        except UnidentifiedImageError:
            raise Unreadable(f"is no picture that can be read ({_NAMES})") from None
        except _BROKEN as error:
            said = " ".join(str(error).split())[:120] or type(error).__name__
            raise Unreadable(f"is a broken picture: {said}") from None


def _check_size(size: tuple[int, int], most: int) -> None:
    width, height = size
    if width * height > most:
        raise Unreadable(f"{width:,} × {height:,} pixels are above {most:,}")
    if min(size) < LEAST_SIDE:
        raise Unreadable(f"{width:,} × {height:,} pixels show nothing")


def _plain(picture: Image) -> Image:
    from PIL import ImageOps

    return _pixels(_in_rgb(ImageOps.exif_transpose(picture)))


def _pixels(picture: Image) -> Image:
    """The pixels alone: whoever writes a picture writes what its file says beside, too."""
    from PIL import Image

    return Image.frombytes("RGB", picture.size, picture.tobytes())


def _in_rgb(picture: Image) -> Image:
    from PIL import Image

    if picture.mode.startswith("I"):
        picture = picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if picture.mode == "F":
        raise Unreadable("its pixels are no colours (mode F)")
    if picture.has_transparency_data:
        clear = picture.convert("RGBA")
        white = Image.new("RGBA", clear.size, "white")
        picture = Image.alpha_composite(white, clear)
    return picture.convert("RGB")


def _within(picture: Image, longest: int) -> Image:
    from PIL import Image

    found = picture.copy()
    found.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    return found


def _encoded(picture: Image, kind: str) -> bytes:
    out = io.BytesIO()
    if kind == "JPEG":
        picture.save(out, kind, quality=_QUALITY, subsampling=0)
    else:
        picture.save(out, kind)
    return out.getvalue()
