"""What is refused before any machine is asked, and how a run is cut into cells."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import misstep
from misstep.cli import cli
from misstep.core.errors import BadInput
from misstep.core.family import select
from misstep.core.options import read_options
from misstep.core.pictures import content_of
from misstep.core.shards import Shard
from misstep.families.faces import FAMILY as FACES
from misstep.runner.run import Plan, Request, plan
from misstep.runner.shards.orders import orders
from misstep.scale.asking import Terms, check, ready, terms_of
from misstep.scale.cells import cells_of, goes_by_arm, samples_of, shards_of, size_of
from misstep.scale.cluster import Machines
from misstep.scale.node import as_at_home
from oracle import FAMILY

TWO = Machines(cpus=(4.0, 4.0), gpus=(0.0, 2.0), head="h", is_ours=False)


@pytest.fixture
def made(tmp_path: Path) -> Plan:
    return plan(request_of(tmp_path))


def request_of(tmp_path: Path) -> Request:
    return misstep.request("grammar", "ref/acs", limit=96, log_dir=tmp_path / "logs")


def on_model(made: Plan, model: str) -> Plan:
    return replace(made, manifest=replace(made.manifest, model=model))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"on": "http://head:1"}, "--on: 'http://head:1' is none of ray, auto"),
        ({"on": "ray", "workers": 2}, "--on: --workers 2 is of one machine"),
        ({"on": "ray", "sequential": True}, "--on: --sequential looks at every group"),
        ({"on": "ray", "budget": 5.0}, "--on: machines don't know what the others spend"),
        ({"on": "ray", "shards": 0}, "--shards: 0 is not between 1 and 10000"),
        ({"on": "ray", "num_gpus": 1.5}, "--num-gpus: 1.5: above 1 Ray takes whole numbers"),
        ({"on": "ray", "num_cpus": float("nan")}, "--num-cpus: nan is not between"),
        ({"on": "ray", "log_dir": "nowhere://x"}, "--log-dir: nowhere://x: "),
    ],
)
def test_what_many_machines_can_t_keep_is_refused_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, Any],  # Any: settings of a run
    said: str,
) -> None:
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path / "cache"))
    with pytest.raises(BadInput) as refused:
        misstep.run("grammar", "ref/acs", **{"log_dir": tmp_path / "logs", **settings})
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "logs").exists()


def test_ray_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(BadInput, match=r"^--on: needs Ray: pip install 'misstep\[ray\]'$"):
        terms_of("ray", {})


def test_a_model_on_the_nodes_is_asked_nothing_first(made: Plan) -> None:
    local = on_model(made, "vllm/some")
    assert ready([local], Terms(), "auto") == "no"
    with pytest.raises(BadInput, match=r"^--preflight: yes: the model is on the nodes alone"):
        ready([local], Terms(), "yes")
    assert ready([made], Terms(), "auto") == "auto"
    check([local], Terms())


def test_a_model_s_task_takes_what_it_needs(made: Plan) -> None:
    def taken(model: str, **terms: float) -> tuple[float, float]:
        size = size_of(on_model(made, model), Terms(**terms), TWO)  # type: ignore[arg-type]  # none is a word
        return size.num_cpus, size.num_gpus

    assert taken("openai/gpt-4o") == (1, 0)
    assert taken("vllm/some") == (1, 1)
    assert taken("embedded/some") == (4, 0)
    assert taken("vllm/some", num_gpus=0.5, num_cpus=2) == (2, 0.5)


@pytest.mark.parametrize(
    ("model", "shards", "by_arm"),
    [("openai/gpt-4o", 4, True), ("vllm/some", 2, False), ("embedded/some", 2, False)],
)
def test_the_grid_is_cut_by_the_machines_and_by_arm_where_arms_share_nothing(
    made: Plan, model: str, shards: int, by_arm: bool
) -> None:
    asked = on_model(made, model)
    assert goes_by_arm(asked) is by_arm
    # 192 samples in 48 groups: four rounds of eight tasks would leave fewer than 24 to each cell.
    assert shards_of(asked, Terms(), TWO, 1) == shards
    assert shards_of(asked, Terms(shards=3), TWO, 1) == 3
    assert shards_of(asked, Terms(shards=500), TWO, 1) == asked.groups


def test_every_sample_is_in_one_cell_and_groups_stay_whole(made: Plan, tmp_path: Path) -> None:
    cells = cells_of(0, made, request_of(tmp_path), 5)
    assert len({cell.name for cell in cells}) == len(cells) == 10
    found = samples_of(made, cells)
    ids = [sample.id for own in found.values() for sample in own]
    assert sorted(map(str, ids)) == sorted(str(one.id) for one in made.task.dataset)
    homes: dict[object, set[int]] = {}
    for cell, own in found.items():
        for sample in own:
            assert (sample.metadata or {})["arm"] in cell.arms
            homes.setdefault((sample.metadata or {})["group"], set()).add(cell.shard.number)
    assert all(len(shards) == 1 for shards in homes.values())


def test_a_provider_of_the_script_itself_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Request(FAMILY, "oracle/x", log_dir=tmp_path)
    own = plan(asked)
    monkeypatch.setattr(type(own.model.api), "__module__", "__main__")
    with pytest.raises(BadInput, match=r"^--on: oracle/x: its provider is defined in the script"):
        orders(asked, own, {Shard(1, 1): tmp_path}, tmp_path, "--on")


def test_on_is_for_items_that_take_long() -> None:
    said = "--on: items of grammar are made in a moment; leave it out"
    assert refused("items", "grammar", "--on", "ray") == said


def test_what_is_of_machines_needs_them() -> None:
    run = ("run", "grammar", "--model", "ref/acs")
    assert refused(*run, "--num-gpus", "1") == "--num-gpus: 1 is for --on only"
    said = "--log-dir: s3://bucket/logs: is elsewhere, which needs --on"
    assert refused(*run, "--log-dir", "s3://bucket/logs") == said


def refused(*words: str) -> str:
    """What a command says that can't be."""
    error = CliRunner().invoke(cli, words).exception
    assert isinstance(error, BadInput)
    return str(error)


def test_a_node_shows_the_pictures_that_home_sent_and_names_options_as_home_does() -> None:
    (item,) = islice(select(FACES, "quick", 1, 0, {}), 1)
    usual = read_options(FACES.spec.options, {}, "faces")
    sent = {item.id: tuple(f"picture {place}".encode() for place in range(6))}
    there = as_at_home(FACES, {**usual, "set": "bought-1f0c92ab"}, sent)
    assert there.pictures is not None
    assert [content_of(one) for one in there.pictures(item)] == list(sent[item.id])
    assert there.variant({**usual, "set": "/gone"}) == "set=bought-1f0c92ab"
