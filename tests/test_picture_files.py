"""Users' pictures come out upright, in RGB and small; what is none is refused in one line."""

from __future__ import annotations

import io
import random
import resource
import struct
import warnings
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from misstep.core.errors import MisstepError
from misstep.picture_files import Unreadable, file_content, png, sendable, upright, write_whole

RED, GREEN, BLUE = (200, 30, 40), (20, 180, 60), (30, 50, 190)


def two_halves(mode: str = "RGB", size: tuple[int, int] = (40, 20)) -> Image.Image:
    """Red on the left, green on the right."""
    picture = Image.new("RGB", size, RED)
    picture.paste(GREEN, (size[0] // 2, 0, size[0], size[1]))
    return picture.convert(mode)


def near(found: object, wanted: tuple[int, int, int], most: int = 12) -> bool:
    assert isinstance(found, tuple)
    return all(abs(a - b) <= most for a, b in zip(found, wanted, strict=True))


def decoded(content: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(content))
    picture.load()
    return picture


def encoded(picture: Image.Image, kind: str, **words: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **words)
    return out.getvalue()


def turned_by(turn: int, kind: str = "JPEG") -> bytes:
    """The two halves, in a file that says so of how the camera was held."""
    exif = Image.Exif()
    exif[0x0112] = turn
    return encoded(two_halves(), kind, exif=exif, quality=95)


def test_a_picture_is_made_as_small_as_is_asked_for_and_keeps_its_shape() -> None:
    found = decoded(sendable(encoded(two_halves(size=(400, 100)), "PNG"), ".png", 80))
    assert (found.size, found.mode, found.format) == ((80, 20), "RGB", "PNG")
    assert near(found.getpixel((10, 10)), RED)
    assert near(found.getpixel((70, 10)), GREEN)


@pytest.mark.parametrize(("kind", "ending"), [("PNG", ".png"), ("JPEG", ".jpg")])
def test_a_picture_that_may_be_sent_as_it_is_goes_on_to_the_byte(kind: str, ending: str) -> None:
    content = encoded(two_halves(), kind)
    assert sendable(content, ending) == content


@pytest.mark.parametrize(("kind", "ending"), [("PNG", ".jpg"), ("JPEG", ".png"), ("WEBP", ".png")])
def test_a_picture_under_another_ending_is_sent_as_what_its_name_says(
    kind: str, ending: str
) -> None:
    found = decoded(sendable(encoded(two_halves(), kind, quality=95), ending))
    assert found.format == {".jpg": "JPEG", ".png": "PNG"}[ending]
    assert near(found.getpixel((5, 10)), RED, 20)


def test_a_picture_in_four_colours_is_sent_in_three() -> None:
    found = decoded(sendable(encoded(two_halves("CMYK"), "JPEG", quality=95), ".jpg"))
    assert found.mode == "RGB"
    assert near(found.getpixel((5, 10)), RED)


@pytest.mark.parametrize(
    ("turn", "left", "right"), [(3, GREEN, RED), (2, GREEN, RED), (1, RED, GREEN)]
)
def test_a_picture_turned_by_its_camera_comes_out_upright(
    turn: int, left: tuple[int, int, int], right: tuple[int, int, int]
) -> None:
    found = decoded(sendable(turned_by(turn), ".jpg"))
    assert near(found.getpixel((5, 10)), left)
    assert near(found.getpixel((35, 10)), right)
    assert dict(found.getexif()) == {}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_on_its_side_is_stood_up(kind: str) -> None:
    found = upright(turned_by(6, kind))
    assert found.size == (20, 40)
    assert near(found.getpixel((10, 5)), RED)
    assert near(found.getpixel((10, 35)), GREEN)


@pytest.mark.parametrize("mode", ["L", "P", "CMYK", "RGBA", "LA", "1", "YCbCr", "I;16"])
def test_every_usual_kind_of_pixels_is_read(mode: str) -> None:
    kind = "JPEG" if mode in ("CMYK", "YCbCr") else "PNG"
    white = Image.new(mode, (9, 9), 65_535) if mode == "I;16" else two_white(mode)
    found = upright(encoded(white, kind))
    assert (found.mode, found.size) == ("RGB", (9, 9))
    shown = found.getpixel((4, 4))
    assert isinstance(shown, tuple)
    assert min(shown) > 240


def two_white(mode: str) -> Image.Image:
    return Image.new("RGB", (9, 9), "white").convert(mode)


def test_what_is_transparent_is_white() -> None:
    clear = encoded(Image.new("RGBA", (9, 9), (0, 0, 0, 0)), "PNG")
    blue = encoded(Image.new("RGBA", (9, 9), (*BLUE, 255)), "PNG")
    assert upright(clear).getpixel((4, 4)) == (255, 255, 255)
    assert upright(blue).getpixel((4, 4)) == BLUE
    palette = Image.new("P", (9, 9), 0)
    palette.putpalette([10, 20, 30, 200, 100, 0])
    known = upright(encoded(palette, "PNG", transparency=0))
    assert known.getpixel((4, 4)) == (255, 255, 255)


def test_sixteen_bits_of_grey_become_eight() -> None:
    deep = encoded(Image.new("I;16", (8, 8), 128 * 256), "PNG")
    assert upright(deep).getpixel((3, 3)) == (128, 128, 128)


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_nothing_of_a_photograph_but_its_pixels_is_sent(ending: str) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Maker of the camera"
    content = encoded(two_halves(), "JPEG", exif=exif, comment=b"taken at home")
    assert b"Maker" in content
    for found in (sendable(content, ending), png(Image.open(io.BytesIO(content)))):
        assert b"Maker" not in found
        assert b"home" not in found


def test_a_png_that_says_something_is_sent_without_it() -> None:
    said = PngImagePlugin.PngInfo()
    said.add_text("Author", "somebody")
    found = sendable(encoded(two_halves(), "PNG", pnginfo=said), ".png")
    assert b"somebody" not in found
    assert decoded(found).getpixel((5, 10)) == RED


def _bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is that large."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def _no_picture() -> Iterator[tuple[str, bytes, str]]:
    out = io.BytesIO()
    two_halves(size=(300, 300)).save(out, "JPEG")
    whole = out.getvalue()
    yield "empty", b"", "is no picture that can be read"
    yield "text", b"no picture at all", "is no picture that can be read"
    yield "svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is no picture that can be read"
    yield "not even begun", b"\xff\xd8\xff\xe0 not a JPEG", "is a broken picture"
    yield "no kind of ours", b"GIF89a", "is no picture that can be read"
    yield "a line", encoded(Image.new("RGB", (1, 9), RED), "PNG"), "1 × 9 pixels show nothing"
    yield "cut", whole[: len(whole) // 2], "is a broken picture: image file is truncated"
    yield "bomb", _bomb(60_000, 60_000), "pixels are above 80,000,000"
    yield "large", _bomb(10_000, 9_000), "10,000 × 9,000 pixels are above 80,000,000"
    yield "lies", _bomb(100, 100), "is a broken picture"


@pytest.mark.parametrize(
    ("content", "words"), [pytest.param(c, w, id=name) for name, c, w in _no_picture()]
)
def test_what_is_no_picture_is_refused_in_one_line(content: bytes, words: str) -> None:
    for read in (upright, lambda content: sendable(content, ".png")):
        with pytest.raises(Unreadable, match=words) as found:
            read(content)
        assert "\n" not in str(found.value)


@pytest.mark.parametrize("side", [8_945, 14_000, 20_000, 2_000_000])
def test_a_picture_that_would_fill_the_memory_is_not_unpacked(side: int) -> None:
    with pytest.raises(Unreadable, match="pixels"):
        upright(_bomb(side, side))
    with pytest.raises(Unreadable, match="pixels are above 1,000"):
        upright(_bomb(40, 40), 1_000)


def test_a_folder_and_a_missing_file_say_why_they_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        file_content(tmp_path / "none.png")
    with pytest.raises(Unreadable, match="is no file"):
        file_content(tmp_path)
    (tmp_path / "a.png").write_bytes(b"content")
    assert file_content(tmp_path / "a.png") == b"content"


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "a.png").open("wb") as file:
        file.truncate(100_000_001)
    with pytest.raises(Unreadable, match="100,000,001 bytes are above 100,000,000"):
        file_content(tmp_path / "a.png")


def test_a_film_is_no_picture() -> None:
    film = encoded(
        two_halves(), "PNG", save_all=True, append_images=[two_halves("L").convert("RGB")]
    )
    with pytest.raises(Unreadable, match="holds several pictures"):
        upright(film)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF", "BMP"])
def test_whatever_is_broken_in_a_file_it_is_read_or_refused_in_one_line(kind: str) -> None:
    whole, chance, refused = encoded(two_halves(size=(48, 48)), kind), random.Random(kind), 0
    for _ in range(50):
        broken = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        cut = chance.choice([len(broken), chance.randrange(len(broken))])
        said = refusal(bytes(broken[:cut]))
        assert said is None or "\n" not in said
        refused += said is not None
    assert refused > 3


def refusal(content: bytes) -> str | None:
    """What is said of a picture that isn't read."""
    try:
        assert decoded(sendable(content, ".png")).mode == "RGB"
    except Unreadable as error:
        return str(error)
    return None


def test_threads_may_read_at_once_and_warnings_are_as_before() -> None:
    content = encoded(two_halves(size=(300, 300)), "JPEG")
    before = list(warnings.filters)
    with ThreadPoolExecutor(8) as pool:
        assert {one.size for one in pool.map(upright, [content] * 64)} == {(300, 300)}
    assert warnings.filters == before


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file may grow beyond this many bytes: as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_that_does_not_fit_is_not_there_at_all_and_the_old_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.png"
    assert write_whole(path, b"old")
    with room(1_000), pytest.raises(MisstepError, match=r"a\.png: cannot write: File too large"):
        write_whole(path, b"x" * 2_000)
    assert [one.name for one in path.parent.iterdir()] == ["a.png"]
    assert path.read_bytes() == b"old"
    assert write_whole(path, b"x" * 2_000)


def test_a_file_that_is_there_already_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    assert write_whole(path, b"same")
    stamp = path.stat().st_mtime_ns
    assert not write_whole(path, b"same")
    assert path.stat().st_mtime_ns == stamp
