"""Users' pictures come out upright, in RGB and small; what is none is refused in one line."""

from __future__ import annotations

import io
import random
import resource
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image

from misstep.core.errors import BadInput, MisstepError
from misstep.picture_files import open_picture, read_picture, write_whole

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


def test_a_picture_is_made_as_small_as_is_asked_for_and_keeps_its_shape(tmp_path: Path) -> None:
    two_halves(size=(400, 100)).save(tmp_path / "a.png")
    found = decoded(read_picture(tmp_path / "a.png", 80))
    assert (found.size, found.mode, found.format) == ((80, 20), "RGB", "PNG")
    assert near(found.getpixel((10, 10)), RED)
    assert near(found.getpixel((70, 10)), GREEN)


def test_a_small_picture_is_not_made_larger(tmp_path: Path) -> None:
    two_halves().save(tmp_path / "a.png")
    assert decoded(read_picture(tmp_path / "a.png")).size == (40, 20)


@pytest.mark.parametrize(
    ("turn", "left", "right"), [(3, GREEN, RED), (2, GREEN, RED), (1, RED, GREEN)]
)
def test_a_picture_turned_by_its_camera_comes_out_upright(
    tmp_path: Path, turn: int, left: tuple[int, int, int], right: tuple[int, int, int]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    two_halves().save(tmp_path / "a.jpg", exif=exif, quality=95)
    found = decoded(read_picture(tmp_path / "a.jpg"))
    assert near(found.getpixel((5, 10)), left)
    assert near(found.getpixel((35, 10)), right)
    assert dict(found.getexif()) == {}


def test_a_picture_on_its_side_is_stood_up(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    two_halves().save(tmp_path / "a.jpg", exif=exif, quality=95)
    found = decoded(read_picture(tmp_path / "a.jpg"))
    assert found.size == (20, 40)
    assert near(found.getpixel((10, 5)), RED)
    assert near(found.getpixel((10, 35)), GREEN)


@pytest.mark.parametrize(("mode", "ending"), [("CMYK", "jpg"), ("CMYK", "tif"), ("L", "jpg")])
def test_other_colours_come_out_as_rgb(tmp_path: Path, mode: str, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    two_halves(mode).save(path)
    found = open_picture(path)
    assert found.mode == "RGB"
    grey = two_halves("L").convert("RGB").getpixel((5, 10))
    assert isinstance(grey, tuple)
    wanted = RED if mode == "CMYK" else (int(grey[0]), int(grey[1]), int(grey[2]))
    assert near(found.getpixel((5, 10)), wanted)


def test_what_is_transparent_is_white(tmp_path: Path) -> None:
    Image.new("RGBA", (9, 9), (0, 0, 0, 0)).save(tmp_path / "a.png")
    Image.new("RGBA", (9, 9), (*BLUE, 255)).save(tmp_path / "b.png")
    assert open_picture(tmp_path / "a.png").getpixel((4, 4)) == (255, 255, 255)
    assert open_picture(tmp_path / "b.png").getpixel((4, 4)) == BLUE
    palette = Image.new("P", (9, 9), 0)
    palette.putpalette([10, 20, 30, 200, 100, 0])
    palette.save(tmp_path / "c.png", transparency=0)
    assert open_picture(tmp_path / "c.png").getpixel((4, 4)) == (255, 255, 255)


def test_sixteen_bits_of_grey_become_eight(tmp_path: Path) -> None:
    deep = Image.new("I;16", (8, 8), 128 * 256)
    deep.save(tmp_path / "a.png")
    assert open_picture(tmp_path / "a.png").getpixel((3, 3)) == (128, 128, 128)


def test_a_png_by_another_name_is_read_by_its_bytes(tmp_path: Path) -> None:
    two_halves().save(tmp_path / "a.png")
    (tmp_path / "a.png").rename(tmp_path / "a.jpg")
    assert decoded(read_picture(tmp_path / "a.jpg")).format == "PNG"


def test_nothing_of_a_photograph_but_its_pixels_is_kept(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Maker of the camera"
    two_halves().save(tmp_path / "a.jpg", exif=exif, comment=b"taken at home")
    content = read_picture(tmp_path / "a.jpg")
    assert b"Maker" not in content
    assert b"home" not in content


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
    yield "cut", whole[: len(whole) // 2], "is a broken picture: image file is truncated"
    yield "bomb", _bomb(60_000, 60_000), "pixels are above 80,000,000"
    yield "large", _bomb(10_000, 9_000), "10,000 × 9,000 pixels are above 80,000,000"
    yield "lies", _bomb(100, 100), "is a broken picture"


@pytest.mark.parametrize(
    ("content", "words"), [pytest.param(c, w, id=name) for name, c, w in _no_picture()]
)
def test_what_is_no_picture_is_refused_in_one_line(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=words) as found:
        read_picture(path)
    assert str(found.value).startswith(f"{path}: ")
    assert "\n" not in str(found.value)


def test_a_folder_and_a_missing_file_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.png: No such file"):
        read_picture(tmp_path / "none.png")
    with pytest.raises(BadInput, match="is no file"):
        read_picture(tmp_path)


def test_a_film_is_no_picture(tmp_path: Path) -> None:
    two_halves().save(
        tmp_path / "a.png", save_all=True, append_images=[two_halves("L").convert("RGB")]
    )
    with pytest.raises(BadInput, match="holds several pictures"):
        read_picture(tmp_path / "a.png")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF", "BMP"])
def test_whatever_is_broken_in_a_file_it_is_read_or_refused_in_one_line(
    tmp_path: Path, kind: str
) -> None:
    out = io.BytesIO()
    two_halves(size=(48, 48)).save(out, kind)
    whole, chance, refused = out.getvalue(), random.Random(kind), 0
    path = tmp_path / "a"
    for _ in range(50):
        broken = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        path.write_bytes(broken[: chance.choice([len(broken), chance.randrange(len(broken))])])
        said = refusal(path)
        assert said is None or said.startswith(f"{path}: ")
        refused += said is not None
    assert refused > 3


def refusal(path: Path) -> str | None:
    """What is said of a file that isn't read."""
    try:
        assert decoded(read_picture(path)).mode == "RGB"
    except BadInput as error:
        return str(error)
    return None


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
