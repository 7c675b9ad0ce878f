"""`misstep list`: short for all families, whole for one."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from misstep.cli import cli
from misstep.families.planbench.choices import LISTINGS
from misstep.families.planbench.spec import DOMAINS, SPEC, TESTS
from misstep.registry import ROOMS


@pytest.fixture(autouse=True)
def no_domains_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MISSTEP_DOMAINS", raising=False)


def listed(*words: str) -> str:
    done = CliRunner().invoke(cli, ["list", *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_the_short_list_names_all_there_is_in_a_few_lines_each() -> None:
    text = listed()
    names = [*TESTS, *DOMAINS, "NAME+deceptive", "english", "state-tracking", "ref/planner", "tot"]
    assert [name for name in names if name not in text] == []
    assert len(text.splitlines()) <= 10 * len(ROOMS)
    assert "fault_step" not in text
    assert "misstep list NAME" in text


def test_the_list_of_one_family_says_what_each_choice_is() -> None:
    flowing = " ".join(listed("planbench").split())
    for listing in LISTINGS:
        for entry in (*listing.entries, *listing.endings):
            assert entry.name in flowing
            assert entry.about.split()[0] in flowing
    assert "false_no_plan" in flowing
    assert "blocks, 4-5" in flowing


def test_the_lists_json_holds_listings_and_chances() -> None:
    (family,) = json.loads(listed("planbench", "--json"))["families"]
    tests, domains, *_ = family["listings"]
    assert [one["name"] for one in tests["entries"]] == list(TESTS)
    assert (tests["option"], domains["option"]) == ("test", "domain")
    assert [one["name"] for one in domains["endings"]] == ["+deceptive", "+random"]
    assert family["chances"] == dict(SPEC.chances)
