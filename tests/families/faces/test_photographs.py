"""Problems out of a folder of photographs: who is in it, who is skipped and why, what is chosen."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from image_service import png
from misstep.core.errors import BadInput, MisstepError
from misstep.families.faces import FAMILY, sets
from misstep.families.faces.attributes import NAMES
from misstep.families.faces.photographs.choosing import Chosen, Terms, choose
from misstep.families.faces.photographs.making import check_out, make
from misstep.families.faces.photographs.people import Skipped, read_file, read_people
from misstep.families.faces.photographs.portraits import Portrait, Sitter
from misstep.families.faces.photographs.table import Described, find_table, read_table
from misstep.families.faces.review import decisions
from misstep.families.faces.review.decisions import Decision, Line
from misstep.picture_files import Unreadable

TERMS = Terms(seed=0, farther=0.1, nearest=0.6)
YOUNG, OLD = Described((("age", "young"),)), Described((("age", "old"),))
RED = (200, 10, 10)


def portrait(at: float, shade: int, second: float = 0.0) -> Portrait:
    """A portrait whose embedding is a point of a plane."""
    content = png(((shade % 256, shade // 256, 9),))
    return Portrait(f"{shade}.jpg", sets.sha256(content), (at, second), lambda: content)


def sitters(*places: Sequence[float], described: Described | None = None) -> list[Sitter]:
    """A person for each list of places on a line."""
    return [
        Sitter(
            f"p{number}",
            tuple(portrait(at, 16 * number + place) for place, at in enumerate(places[number])),
            described,
        )
        for number in range(len(places))
    ]


FIVE = sitters([0.0, 0.1], [1.0], [2.0], [3.0], [4.0])


def chosen(of: int, everybody: Sequence[Sitter], terms: Terms = TERMS, take: int = 0) -> Chosen:
    found = choose(everybody[of], everybody, take, terms)
    assert isinstance(found, Chosen)
    return found


def why(of: int, everybody: Sequence[Sitter], terms: Terms = TERMS) -> str:
    found = choose(everybody[of], everybody, 0, terms)
    assert isinstance(found, Skipped)
    return found.why


def test_a_problem_has_two_pictures_of_one_person_and_one_of_four_others() -> None:
    found = chosen(0, FIVE)
    assert {found.reference.file, found.right.file} == {"0.jpg", "1.jpg"}
    assert sorted(name for name, _ in found.others) == ["p1", "p2", "p3", "p4"]
    assert found.passes


def test_what_is_chosen_hangs_on_seed_and_take_and_not_on_the_order_of_people() -> None:
    many = sitters(*([float(at), at + 0.1] for at in range(0, 40, 2)))
    first = chosen(3, many)
    assert chosen(3, many) == first
    assert {chosen(3, many, take=take).others for take in range(4)} != {first.others}
    assert chosen(3, many, Terms(1, 0.1, 0.6)) != first


def test_every_other_is_farther_from_both_pictures_than_these_are_from_each_other() -> None:
    many = sitters([0.0, 0.3], [0.45, 3.0], [0.7], [0.75], [0.9], [-0.2, 5.0], [2.0])
    for seed in range(20):
        found = chosen(0, many, Terms(seed, 0.1, 0.6))
        for _, other in found.others:
            for one in (found.reference, found.right):
                assert math.dist(other.embedding, one.embedding) >= 0.4 - 1e-9


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ([[0.0], [1.0], [2.0], [3.0], [4.0]], "one usable picture"),
        ([[0.0, 0.1], [1.0], [2.0], [3.0]], "3 others; a problem needs 4"),
        ([[0.0, 0.7], [3.0], [4.0], [5.0], [6.0]], "the gate passes no two pictures"),
        ([[0.0, 0.1], [0.15], [2.0], [3.0], [4.0]], "the gate passes no two pictures"),
    ],
)
def test_who_makes_no_problem_is_skipped_with_the_reason(
    places: list[list[float]], said: str
) -> None:
    assert said in why(0, sitters(*places))


def test_two_copies_of_one_picture_are_no_two_pictures() -> None:
    copies = Sitter("twin", (portrait(0.0, 7), portrait(0.0, 7)), None)
    assert why(0, [copies, *FIVE[1:]]) == "all usable pictures are copies of one"


def test_without_the_gate_what_fails_it_is_made_and_counted() -> None:
    near = sitters([0.0, 0.1], [0.15], [2.0], [3.0], [4.0])
    assert not chosen(0, near, Terms(0, 0.1, 0.6, is_gated=False)).passes
    assert chosen(0, FIVE, Terms(0, 0.1, 0.6, is_gated=False)).passes


def test_others_have_the_same_attributes_where_there_is_a_table() -> None:
    young = sitters(*([float(at), at + 0.1] for at in range(0, 12, 2)), described=YOUNG)
    old = [Sitter(f"old{one.name}", one.portraits, OLD) for one in young]
    for seed in range(5):
        names = {name for name, _ in chosen(0, [*old, *young], Terms(seed, 0.1, 0.6)).others}
        assert names <= {f"oldp{number}" for number in range(6)}
    assert "3 others with the same attributes" in why(0, [*young[:4], *old])


def test_a_set_holds_a_problem_for_each_person_of_whom_there_can_be_one(tmp_path: Path) -> None:
    made = make(tmp_path, FIVE, TERMS)
    assert (made.made, made.kept, [one.name for one in made.skipped]) == (
        1, 0, ["p1", "p2", "p3", "p4"],
    )  # fmt: skip
    (problem,) = sets.read_problems(tmp_path)
    right = int(problem.truth) - 1
    assert problem.candidates[right].about["person"] == "p0"
    assert problem.distances[right] == pytest.approx(0.1)
    assert problem.beside[right] == 0.0
    assert problem.attributes is None
    for shot in problem.shots:
        assert "p0" not in shot.file
        assert sets.picture(tmp_path, shot.file, shot.sha256)


def test_a_set_goes_on_and_a_rejected_problem_is_made_anew(tmp_path: Path) -> None:
    many = sitters(*([float(at), at + 0.1, at + 0.2] for at in range(0, 24, 2)))
    assert make(tmp_path, many[:6], TERMS).made == 6
    again = make(tmp_path, many, TERMS)
    assert (again.made, again.kept) == (6, 6)
    first = next(sets.read_problems(tmp_path))
    decisions.append(tmp_path, Line(first.id, Decision.REJECT))
    assert make(tmp_path, many, TERMS).made == 1
    *_, anew = sets.read_problems(tmp_path)
    assert (anew.take, anew.reference.about["person"]) == (1, "p0")
    assert anew.id != first.id
    with pytest.raises(BadInput, match=r"--out: .*holds problems of photographs, seed 0"):
        check_out(tmp_path, 1)


def test_a_photograph_that_changes_meanwhile_is_told(tmp_path: Path) -> None:
    changed = [replace(one, cut=lambda: b"another") for one in FIVE[0].portraits]
    with pytest.raises(MisstepError, match=r"\d\.jpg: the photograph changed"):
        make(tmp_path, [replace(FIVE[0], portraits=tuple(changed)), *FIVE[1:]], TERMS)
    assert list(sets.read_problems(tmp_path)) == []


def test_what_was_rejected_by_eye_is_not_asked_and_a_set_of_rejects_is_told(
    tmp_path: Path,
) -> None:
    many = sitters(*([float(at), at + 0.1] for at in range(0, 12, 2)))
    make(tmp_path, many, TERMS)
    every = [one.id for one in sets.read_problems(tmp_path)]
    decisions.append(tmp_path, Line(every[0], Decision.REJECT))
    asked = [item.id for (item,) in FAMILY.generate(3, {"set": str(tmp_path)})]
    assert sorted(asked) == sorted(every[1:])
    for name in every[1:]:
        decisions.append(tmp_path, Line(name, Decision.REJECT))
    with pytest.raises(BadInput, match="every problem was rejected by eye"):
        FAMILY.generate(3, {"set": str(tmp_path)})


def test_a_disk_that_fills_up_leaves_the_finished_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = sitters(*([float(at), at + 0.1] for at in range(0, 12, 2)))
    make(tmp_path, many[:5], TERMS)
    plain = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if path.name.endswith("-3.png") or ".part" in path.name:
            raise OSError(28, "No space left on device")
        return plain(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(MisstepError, match="No space left on device; what is finished is kept"):
        make(tmp_path, many, TERMS)
    assert len(list(sets.read_problems(tmp_path))) == 5
    monkeypatch.undo()
    assert make(tmp_path, many, TERMS).made == 1


def test_people_are_the_sub_folders_and_hidden_files_are_nobody(tmp_path: Path) -> None:
    for name in ("ben/1.jpg", "ben/.DS_Store", "anna/2.png", "anna/1.JPG", ".git/x", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    people = read_people(tmp_path)
    assert [(one.name, [file.name for file in one.files]) for one in people] == [
        ("anna", ["1.JPG", "2.png"]),
        ("ben", ["1.jpg"]),
    ]


def test_what_stands_among_pictures_and_is_none_says_why(tmp_path: Path) -> None:
    folder = tmp_path / "anna"
    (folder / "more").mkdir(parents=True)
    (folder / "gone.jpg").symlink_to("nowhere.jpg")
    (folder / "round.jpg").symlink_to("round.jpg")
    (folder / "notes.txt").write_text("")
    os.mkfifo(folder / "pipe.jpg")
    said = {}
    for file in read_people(tmp_path)[0].files:
        with pytest.raises(Unreadable) as why:
            read_file(file)
        said[file.name] = str(why.value)
    assert said == {
        "gone.jpg": "No such file or directory",
        "more": "is a folder within a person's",
        "notes.txt": "is none of .jpg, .jpeg, .png, .webp, .tif, .tiff, .bmp",
        "pipe.jpg": "is no file",
        "round.jpg": "Too many levels of symbolic links",
    }


def test_a_folder_that_is_none_or_holds_nobody_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    for name, said in (("no", "is not there"), ("file", "is no folder"), ("empty", "no sub-fold")):
        with pytest.raises(BadInput, match=f"^FOLDER: .*{said}"):
            read_people(tmp_path / name)


def table(folder: Path, text: str) -> Path:
    path = folder / "people.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_gives_each_person_their_attributes(tmp_path: Path) -> None:
    assert find_table(tmp_path) is None
    path = table(tmp_path, "\ufeffgender,person,age\nwoman, Zoë ,old\nman,Ben,young\n")
    assert find_table(tmp_path) == path
    found = read_table(path)
    assert found["Zoë"].values == (("gender", "woman"), ("age", "old"))
    assert found["Zoë"].attributes is None
    whole = dict.fromkeys(NAMES, "") | {
        "race": "white", "gender": "man", "age": "old", "eye_colour": "blue",
        "hair_colour": "gray", "hair_length": "short", "hair_type": "wavy",
    }  # fmt: skip
    path = table(tmp_path, f"person,{','.join(whole)}\nBen,{','.join(whole.values())}\n")
    attributes = read_table(path)["Ben"].attributes
    assert attributes is not None
    assert attributes.hair_colour == "gray"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "needs a column 'person'"),
        ("person\nanna\n", "needs a column 'person' and one of race"),
        ("name,age\nanna,old\n", "column 'name' is not one of person, race"),
        ("person,age,age\nanna,old,old\n", "column 'age' is there twice"),
        ("person,age\n", "has no row"),
        ("person,age\nanna,ancient\n", "line 2: age: 'ancient' is not one of young, middle-aged"),
        ("person,age\nanna,\n", "line 2: age: '' is not one of"),
        ("person,age\n,old\n", "line 2: person: is empty"),
        ("person,age\nanna,old\nanna,old\n", "line 3: 'anna' is there twice"),
        ("person,age\nanna\n", "line 2: has not as many cells"),
        ("person,age\nanna,old,blue\n", "line 2: has not as many cells"),
        ('person,age\n"anna,old\n', "line 2: "),
    ],
)
def test_a_table_with_something_wrong_is_told_with_line_column_and_value(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(BadInput, match=r"^--table: ") as told:
        read_table(table(tmp_path, text))
    assert said in str(told.value)


def test_a_table_that_is_no_text_or_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        read_table(tmp_path / "people.csv")
    (tmp_path / "people.csv").write_bytes(b"person,age\nZo\xeb,old\n")
    with pytest.raises(BadInput, match="is not text in UTF-8"):
        read_table(tmp_path / "people.csv")
