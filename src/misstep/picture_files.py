"""Pictures in files: those of a user read so that nothing about them surprises, and files written
whole or not at all. Pillow is imported only where a picture is read."""

from __future__ import annotations

import io
import os
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST = 1024
"""Pixels of a picture's longer side, where nobody asks for another size."""
MOST_PIXELS = 80_000_000
MOST_BYTES = 100_000_000
FORMATS = ("PNG", "JPEG", "WEBP", "TIFF", "BMP")
"""By the bytes, whatever the file is called."""
_NAMES = "PNG, JPEG, WebP, TIFF or BMP"
_MPO = "MPO"
"""A telephone's JPEG with further pictures in it, of which the first is meant."""
_LOSSY = ("JPEG", _MPO)
_QUALITY = 92
_BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    IndexError,
    KeyError,
    EOFError,
    struct.error,
    zlib.error,
)
"""What Pillow raises for broken files, by format and by place of the damage."""


def read_picture(path: Path, longest: int = LONGEST) -> bytes:
    """The picture as it is sent: upright, in RGB, at most `longest` pixels on a side, and nothing
    else of the file. A PNG, or a JPEG where the file is one. BadInput names the file."""
    with _opened(path) as picture:
        is_lossy = picture.format in _LOSSY
        return _encoded(_normal(path, picture, longest), is_lossy=is_lossy)


def open_picture(path: Path, longest: int = LONGEST) -> Image:
    """As `read_picture`, for whoever looks at its pixels."""
    with _opened(path) as picture:
        return _normal(path, picture, longest)


def write_whole(path: Path, content: bytes) -> bool:
    """Put the file in place whole or not at all; False where it is there already, to the byte.

    MisstepError, in one line, where it can't be written.
    """
    half = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        if path.is_file() and path.read_bytes() == content:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(content)
        half.replace(path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise MisstepError(f"{path}: cannot write: {error.strerror or error}") from None
    return True


@contextmanager
def _opened(path: Path) -> Iterator[Image]:
    """The picture, its pixels not read yet, known to be of a sensible size."""
    from PIL import Image, UnidentifiedImageError

    _check_file(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = Image.open(path, formats=FORMATS)
        except Image.DecompressionBombError:
            raise _too_large(path, "its") from None
        except UnidentifiedImageError:
            raise BadInput(f"{path}: is no picture that can be read ({_NAMES})") from None
        except _BROKEN as error:
            raise _broken(path, error) from None
    with found:
        yield found


def _check_file(path: Path) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    if not path.is_file():
        raise BadInput(f"{path}: is no file")
    if size > MOST_BYTES:
        raise BadInput(f"{path}: {size:,} bytes are above {MOST_BYTES:,}")


def _normal(path: Path, picture: Image, longest: int) -> Image:
    from PIL import Image, ImageOps

    width, height = picture.size
    if width * height > MOST_PIXELS:
        raise _too_large(path, f"{width:,} × {height:,}")
    if getattr(picture, "is_animated", False) and picture.format != _MPO:
        raise BadInput(f"{path}: holds several pictures, and should hold one")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _in_rgb(path, ImageOps.exif_transpose(picture))
            found.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    except _BROKEN as error:
        raise _broken(path, error) from None
    # The pixels alone: whoever writes the picture would write what the file says beside, too.
    return Image.frombytes("RGB", found.size, found.tobytes())


def _in_rgb(path: Path, picture: Image) -> Image:
    """On white where it is transparent; deeper greys brought to 8 bits."""
    from PIL import Image

    if picture.mode.startswith("I"):
        picture = picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if picture.mode == "F":
        raise BadInput(f"{path}: its pixels are no colours (mode F)")
    if picture.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        white = Image.new("RGBA", clear.size, "white")
        picture = Image.alpha_composite(white, clear)
    return picture.convert("RGB")


def _encoded(picture: Image, *, is_lossy: bool) -> bytes:
    out = io.BytesIO()
    if is_lossy:
        picture.save(out, "JPEG", quality=_QUALITY, subsampling=0)
    else:
        picture.save(out, "PNG")
    return out.getvalue()


def _too_large(path: Path, size: str) -> BadInput:
    return BadInput(f"{path}: {size} pixels are above {MOST_PIXELS:,}")


def _broken(path: Path, error: BaseException) -> BadInput:
    said = " ".join(str(error).split())[:120] or type(error).__name__
    return BadInput(f"{path}: is a broken picture: {said}")
