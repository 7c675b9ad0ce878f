"""The check of a domain folder, and the page that explains it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from misstep.planning.checking import Finding, Weight, check, ground_terms
from misstep.planning.errors import PddlError, PlanningError
from misstep.planning.folders import (
    draw_problem,
    find_folders,
    load_folder,
    new_domain,
    shipped,
    shipped_names,
)
from misstep.planning.generators import SeededChance
from misstep.planning.planners.problems import search_problem
from misstep.planning.writing import write_domain

_ROOT = Path(__file__).parents[3]
_PAGE = (_ROOT / "docs" / "own-domain.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}(?: \S+)?\n(.*?)```", _PAGE, re.DOTALL)


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """The example of the page, as a reader would make it."""
    folder = tmp_path / "garden"
    folder.mkdir()
    domain, problem = _blocks("pddl")
    (wording,) = _blocks("toml")
    (folder / "domain.pddl").write_text(domain, encoding="utf-8")
    (folder / "problem1.pddl").write_text(problem, encoding="utf-8")
    (folder / "wording.toml").write_text(wording, encoding="utf-8")
    return folder


def _edit(folder: Path, old: str, new: str) -> None:
    path = folder / "wording.toml"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_domain_is_complete(name: str) -> None:
    assert check(_ROOT / "src/misstep/planning/domains" / name) == ()


def test_the_example_of_the_page_is_complete_and_can_be_solved(garden: Path) -> None:
    assert check(garden) == ()
    assert search_problem(load_folder(garden).problems["problem1.pddl"]).cost == 8


def test_the_pages_python_runs(
    garden: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(garden.parent)
    names: dict[str, object] = {}
    for block in _blocks("python"):
        exec(block, names)  # noqa: S102 - the page's own example
    printed = capsys.readouterr().out
    assert printed.startswith("I water the plants of a garden")
    assert "object 5" in printed.split("fern number 2 is watered")[1]


def test_the_page_names_every_field() -> None:
    """Fields of the table against the fields that loading accepts."""
    loading = (_ROOT / "src/misstep/planning/wording/loading.py").read_text(encoding="utf-8")
    accepted = {
        field
        for names in re.findall(r"\.only\(\{(.*?)\}\)", loading)
        for field in re.findall(r'"([a-z]+)"', names)
    }
    assert {"singular", "match", "not", "silent", "say", "read", "predicate"} <= accepted
    rows = "\n".join(line for line in _PAGE.splitlines() if line.startswith("| `"))
    assert [field for field in sorted(accepted) if field not in rows] == []


def test_words_that_only_one_object_makes_ambiguous_are_found(garden: Path) -> None:
    _edit(garden, 'say = "fill the can at {spot}"', 'say = "water the can at {spot}"')
    assert check(garden) == ()
    path = garden / "problem1.pddl"
    path.write_text(path.read_text("utf-8").replace("rose", "can"), "utf-8")
    said = "is said 'water the can at the shed', which reads as"
    messages = [each.message for each in check(garden)]
    assert f"(fill shed) {said} (water can shed) too" in messages
    assert f"(water can shed) {said} (fill shed) too" in messages


def test_two_actions_with_the_same_words_are_found(garden: Path) -> None:
    domain = (garden / "domain.pddl").read_text(encoding="utf-8")
    drain = domain.replace("walk", "run").split("(:action run")[1].split("(:action")[0]
    (garden / "domain.pddl").write_text(
        domain.replace("(:action fill", f"(:action run{drain}(:action fill"), encoding="utf-8"
    )
    path = garden / "wording.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f'{text}\n[actions.run]\nsay = "walk from {{from}} to {{to}}"\n')
    found = check(garden)
    assert found
    assert all(each.weight is Weight.ERROR and "(english)" in each.place for each in found)
    assert found[0].message == (
        "(walk shed shed) is said 'walk from the shed to the shed',"
        " which reads as (run shed shed) too"
    )


def test_what_the_wording_leaves_out_is_noted(garden: Path) -> None:
    path = garden / "wording.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.split("[actions.water]")[0], encoding="utf-8")
    assert check(garden) == (
        Finding(Weight.NOTE, "actions.water", "has no words; they are made of its name"),
    )


def test_a_first_wording_passes_but_for_its_introduction(garden: Path) -> None:
    text = new_domain((garden / "domain.pddl").read_text(encoding="utf-8"))
    (garden / "wording.toml").write_text(text, encoding="utf-8")
    assert [(each.weight, each.place) for each in check(garden)] == [(Weight.NOTE, "introduction")]


def test_a_missing_file_is_a_finding_not_a_crash(garden: Path, tmp_path: Path) -> None:
    (garden / "wording.toml").unlink()
    assert check(garden)[0].place == "wording.toml"
    (garden / "problem1.pddl").unlink()
    assert "neither" in check(garden)[-1].message
    (finding,) = check(tmp_path / "nowhere")
    assert "domain.pddl" in finding.message


def test_broken_files_are_findings_with_their_place(garden: Path) -> None:
    (garden / "problem1.pddl").write_text("(define (problem p) (:domain garden)", "utf-8")
    (finding,) = check(garden)
    assert "problem1.pddl:1:" in finding.message
    (garden / "wording.toml").write_bytes(b"title = '\xff'")
    (finding,) = check(garden)
    assert "not UTF-8" in finding.message


def test_an_unknown_generator_is_a_finding(garden: Path) -> None:
    path = garden / "wording.toml"
    path.write_text(path.read_text("utf-8") + '\n[generator]\nname = "plants"\n', "utf-8")
    assert [each.place for each in check(garden)] == ["generator.name"]


def test_a_generator_of_another_domain_is_a_finding(garden: Path) -> None:
    path = garden / "wording.toml"
    path.write_text(path.read_text("utf-8") + '\n[generator]\nname = "ferry"\n', "utf-8")
    (finding,) = check(garden)
    assert "ferry: domain garden doesn't fit: no car, harbour, at, at-ferry" in finding.message


def test_a_bad_setting_hides_no_other_finding(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(write_domain(shipped("ferry").domain), "utf-8")
    (tmp_path / "wording.toml").write_text('[generator]\nname = "ferry"\ncars = 0\n', "utf-8")
    found = check(tmp_path)
    assert found[-1].message == "ferry: cars: 0 is less than 1"
    assert "actions.sail" in [each.place for each in found]


def test_a_folder_with_a_shipped_generator_draws_from_it(tmp_path: Path) -> None:
    ferry = shipped("ferry")
    (tmp_path / "domain.pddl").write_text(write_domain(ferry.domain), "utf-8")
    (tmp_path / "wording.toml").write_text('[generator]\nname = "ferry"\ncars = 7\n', "utf-8")
    problem = draw_problem(load_folder(tmp_path), SeededChance(0))
    assert len(problem.objects_of["car"]) == 7
    assert all(each.weight is Weight.NOTE for each in check(tmp_path))


def test_problem_files_are_drawn_and_come_in_natural_order(garden: Path) -> None:
    text = (garden / "problem1.pddl").read_text("utf-8")
    for number in (10, 2):
        (garden / f"problem{number}.pddl").write_text(text.replace("garden-1", f"g{number}"))
    loaded = load_folder(garden)
    assert list(loaded.problems) == ["problem1.pddl", "problem2.pddl", "problem10.pddl"]
    drawn = {draw_problem(loaded, SeededChance(seed)).name for seed in range(30)}
    assert drawn == {"garden-1", "g2", "g10"}


def test_folders_are_found_by_their_domain_file(garden: Path) -> None:
    (garden.parent / "empty").mkdir()
    assert find_folders(garden.parent) == (garden,)
    with pytest.raises(PlanningError, match="no such folder"):
        find_folders(garden / "none")


def test_a_broken_domain_says_where(tmp_path: Path) -> None:
    with pytest.raises(PddlError):
        new_domain("(define (domain d) (:predicates (p)")


def test_many_ground_forms_are_cut_evenly() -> None:
    problem = draw_problem(shipped("blocksworld"), SeededChance(0), {"blocks": 10})
    parameters = problem.domain.action["stack"].parameters
    every = list(ground_terms(problem, parameters))
    assert len(every) == len(set(every)) == 100
    some = list(ground_terms(problem, parameters, most=20))
    assert len(set(some)) == 20
    assert {first for first, _ in some} == set("abcdefghij")
