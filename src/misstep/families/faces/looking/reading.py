"""Picture files read with care: whatever they are, an upright RGB picture, or why there is none."""

from __future__ import annotations

import io
import threading
import warnings

from PIL import Image, ImageOps, UnidentifiedImageError

FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP")
MOST_PIXELS = 100_000_000
LEAST_SIDE = 2
_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBX", "RGBa", "La", "CMYK", "YCbCr")
_filters = threading.Lock()


class Unreadable(ValueError):
    """Why there is no picture, in a few words."""


def read(content: bytes, most: int = MOST_PIXELS) -> Image.Image:
    """The picture as it is meant to be seen: turned as its EXIF says, on white where it is
    transparent. What it is, its bytes say and not its name. Its size is known before its pixels are
    unpacked, and more than `most` are not."""
    try:
        with _opened(content) as picture:
            if min(picture.size) < LEAST_SIDE or picture.width * picture.height > most:
                raise Unreadable(f"{picture.width:,} × {picture.height:,} pixels")
            if picture.mode not in _MODES:
                raise Unreadable(f"pixels of the kind {picture.mode}")
            return _plain(ImageOps.exif_transpose(picture))
    except UnidentifiedImageError:
        raise Unreadable("it is no picture that can be read") from None
    except Image.DecompressionBombError:
        raise Unreadable(f"more than {most:,} pixels") from None
    except Unreadable:
        raise
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError) as error:
        # What Pillow raises of broken files; none of it comes from the lines above.
        raise Unreadable(f"it is broken: {' '.join(str(error).split())[:80]}") from None


def _opened(content: bytes) -> Image.Image:
    """Pillow warns of what is large; how large is too large is said above."""
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Image.open(io.BytesIO(content), formats=FORMATS)


def _plain(picture: Image.Image) -> Image.Image:
    if picture.has_transparency_data:
        clear = picture.convert("RGBA")
        white = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(white, clear).convert("RGB")
    return picture.convert("RGB")


def png(picture: Image.Image) -> bytes:
    """Without a word of what the file said of itself: place, time, camera."""
    file = io.BytesIO()
    Image.frombytes("RGB", picture.size, picture.convert("RGB").tobytes()).save(file, "PNG")
    return file.getvalue()
