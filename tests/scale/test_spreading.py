"""Items made on a cluster of two nodes: the same bytes as on one core, also where a node goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from face_sets import draw_noted, draw_quickly
from misstep.core.items import Item
from misstep.core.options import read_options
from misstep.core.spreading import spreading
from misstep.families.faces import pool, sets
from misstep.families.planbench.generate import generate
from misstep.families.planbench.spec import SPEC
from misstep.scale.spread import over
from two_nodes import SECOND, TwoNodes

PROBLEMS = 12
pytestmark = pytest.mark.filterwarnings(
    # Ray leaves its files and sockets to the garbage collector.
    "ignore:unclosed:ResourceWarning",
)


@contextmanager
def spread() -> Iterator[None]:
    with over("ray", lambda _line: None) as way, spreading(way):
        yield


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_faces_are_the_same_bytes_as_of_one_core_though_a_node_is_lost(
    nodes: TwoNodes, tmp_path: Path
) -> None:
    alone = pool.Work(0, (), "", 512, tmp_path / "alone")
    alone.folder.mkdir()
    for number in range(PROBLEMS):
        sets.add(alone.folder, draw_quickly(alone, number, 0))

    work = pool.Work(0, (), "", 512, tmp_path / "spread")
    work.folder.mkdir()
    wanted = ((number, 0) for number in range(PROBLEMS))
    noted = tmp_path / "noted"
    nodes.kill_second_when(lambda: noted.exists() and f" {SECOND}" in noted.read_text())
    with spread():
        for _ in pool.drawn(work, wanted, 1, partial(draw_noted, noted)):
            pass
    assert contents(work.folder) == contents(alone.folder)
    begun = Counter(line.split()[0] for line in noted.read_text().splitlines())
    assert len(begun) == PROBLEMS
    assert begun.total() > PROBLEMS, "what the lost node was drawing is drawn again"


def test_optimal_costs_are_the_same_and_kept_at_home(nodes: TwoNodes, tmp_path: Path) -> None:
    at_home, away = tmp_path / "home", tmp_path / "away"
    asked = {"test": "optimal-planning", "size": "4"}
    alone = made({**asked, "cache": str(at_home)})
    with spread():
        assert made({**asked, "cache": str(away)}) == alone
    kept = contents(away)
    assert set(contents(at_home)) & set(kept), "other answers are kept"
    with spread():
        assert made({**asked, "cache": str(away)}) == alone


def made(options: dict[str, Any]) -> list[Item[Any]]:  # Any: options, and payloads
    read = read_options(SPEC.options, options, SPEC.name)
    return [item for group in islice(generate(0, read), 4) for item in group]
