"""Domains by name: the shipped ones, those in a user's own places, and names that stand for two."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from misstep.planning import PlanningError, write_domain
from misstep.planning.finding import (
    config_place,
    folder_of,
    known_domains,
    known_names,
    named_domain,
    open_domain,
)
from misstep.planning.folders import shipped, shipped_names

GARDEN = "(define (domain garden) (:predicates (wet ?plant)))"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two places in MISSTEP_DOMAINS, `one` with a garden; and the user's settings, empty."""
    (tmp_path / "one/garden").mkdir(parents=True)
    (tmp_path / "one/garden/domain.pddl").write_text(GARDEN)
    (tmp_path / "two").mkdir()
    both = [str(tmp_path / "one"), str(tmp_path / "two")]
    monkeypatch.setenv("MISSTEP_DOMAINS", os.pathsep.join(both))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(place: Path, name: str) -> Path:
    (place / name).mkdir(parents=True)
    (place / name / "domain.pddl").write_text(GARDEN)
    return place / name


def test_a_domain_in_a_users_place_is_known_by_its_folders_name(places: Path) -> None:
    assert known_names() == (*shipped_names(), "garden")
    found = named_domain("garden")
    assert found is not None
    assert (found.name, found.domain.name) == ("garden", "garden")
    assert open_domain("garden").name == "garden"
    assert folder_of("garden") == places / "one/garden"
    assert named_domain("meadow") is None


def test_the_users_settings_are_a_place_too(places: Path) -> None:
    assert config_place() == places / "config/misstep/domains"
    put(config_place(), "meadow")
    assert known_names() == (*shipped_names(), "garden", "meadow")


def test_a_place_that_is_named_twice_counts_once(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MISSTEP_DOMAINS", os.pathsep.join([str(places / "one")] * 2))
    assert named_domain("garden") is not None


@pytest.mark.parametrize("name", ["ferry", "garden"])
def test_a_name_that_stands_for_two_domains_is_refused_and_no_other(
    places: Path, name: str
) -> None:
    other = put(places / "two", name)
    for refused in (lambda: named_domain(name), lambda: folder_of(name), lambda: open_domain(name)):
        with pytest.raises(PlanningError) as caught:
            refused()
        assert str(other) in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1
    assert {known.name for known in known_domains() if known.clash} == {name}
    assert open_domain("depots").name == "depots"


def test_a_place_that_is_no_folder_is_refused_by_the_variables_name(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MISSTEP_DOMAINS", str(places / "three"))
    with pytest.raises(PlanningError, match=r"^MISSTEP_DOMAINS: .*three is no folder$"):
        open_domain("ferry")


def test_a_path_that_is_there_counts_before_a_name(places: Path) -> None:
    (places / "ferry").write_text(write_domain(shipped("depots").domain))
    assert open_domain("ferry").domain.name == "depots"
    put(places, "satellite")
    assert open_domain("satellite").domain.name == "garden"


def test_what_is_neither_is_refused_with_all_known_names(places: Path) -> None:
    with pytest.raises(PlanningError, match=r"^meadow is no file, no folder and none of .*garden$"):
        open_domain("meadow")
    with pytest.raises(PlanningError, match=r"^meadow is no folder and none of .*garden$"):
        folder_of("meadow")
