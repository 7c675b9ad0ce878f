"""A run and a set of faces on a Ray cluster of two nodes, one killed half-way: what happens, told.

    make ray-test

Exit code 1 where anything differs from one machine. It needs no network, and two cores.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

SUPPORT = Path(__file__).parents[1] / "tests" / "support"
SAMPLES, PROBLEMS = 192, 24
_BEGUN = time.monotonic()


def say(line: str) -> None:
    print(f"{time.monotonic() - _BEGUN:6.1f} s  {line}", flush=True)


def hold(claim: str, is_true: bool) -> None:
    """Says the claim; the first that is wrong ends the program."""
    say(f"{'ok' if is_true else 'WRONG'}: {claim}")
    if not is_true:
        sys.exit(1)


def killing(nodes: Any, after: int) -> Callable[[object], None]:  # Any: of the tests' support
    """Hears so many, and kills the second node."""
    count = 0

    def hear(_record: object) -> None:
        nonlocal count
        count += 1
        if count == after:
            say(f"the second node is killed after {count} answers")
            threading.Thread(target=nodes.kill_second).start()

    return hear


def a_run(nodes: Any, place: Path) -> None:  # Any: as above
    import misstep
    from misstep.analyse import compare, to_json
    from misstep.registry import specs
    from misstep.runner.run import Run, plan
    from misstep.scale import running
    from misstep.scale.asking import ready, terms_of

    say(f"a run of {SAMPLES} answers, two arms, on one machine")
    whole = misstep.run("grammar", "distant/x", limit=SAMPLES // 2, log_dir=place / "one")
    args = {"calls": str(place / "calls"), "seconds": 0.2}
    settings: dict[str, Any] = {  # Any: settings of a run
        "limit": SAMPLES // 2,
        "log_dir": "memory://ray-log/logs",
        "shards": 4,
        "model_args": args,
    }
    terms = terms_of("ray", settings)
    request = misstep.request("grammar", "distant/x", **settings)
    made = plan(request)
    ready([made], terms, "no")
    (run,) = running.carry_out([(made, request)], terms, [killing(nodes, SAMPLES // 3)], say)
    assert isinstance(run, Run)
    calls = Counter(line.split()[1] for line in (place / "calls").read_text().splitlines())
    twice = sum(count > 1 for count in calls.values())
    say(f"{calls.total()} calls of the provider for {len(calls)} questions; {twice} asked twice")
    timeless = [[replace(one, seconds=None) for one in each.records] for each in (run, whole)]
    hold("the records are those of one machine", timeless[0] == timeless[1])
    told = [to_json(compare(records, specs())) for records in timeless]
    hold("compare --json is the same", told[0] == told[1])
    hold("every question was asked", len(calls) == SAMPLES)
    hold("no more than 4 were asked twice: in flight, or just come, on the lost node", twice <= 4)


def a_set(nodes: Any, place: Path) -> None:  # Any: as above
    from face_sets import draw_noted, draw_quickly
    from misstep.core.spreading import spreading
    from misstep.families.faces import pool, sets
    from misstep.scale.spread import over

    say(f"a set of {PROBLEMS} problems (plain squares), on one core and on the nodes")
    alone, work = (pool.Work(0, (), "", 512, place / name) for name in ("alone", "spread"))
    for one in (alone, work):
        one.folder.mkdir()
    for number in range(PROBLEMS):
        sets.add(alone.folder, draw_quickly(alone, number, 0))
    noted = place / "drawn"
    draw = partial(draw_noted, noted)
    say("the second node will be killed as soon as it draws")
    nodes.kill_second_when(lambda: noted.exists() and " 127.0.0.3" in noted.read_text())
    with over("ray", say) as way, spreading(way):
        for _ in pool.drawn(work, ((number, 0) for number in range(PROBLEMS)), 1, draw):
            pass
    begun = Counter(line.split()[0] for line in noted.read_text().splitlines())
    again = begun.total() - len(begun)
    say(f"{len(begun)} problems; {again} begun again after the node went")
    hold("what the lost node was drawing is drawn again", again > 0)
    files = [
        {path.name: path.read_bytes() for path in one.folder.iterdir()} for one in (alone, work)
    ]
    hold(f"index and {len(files[0]) - 1} pictures are the same bytes", files[0] == files[1])


def main() -> None:
    sys.path.insert(0, str(SUPPORT))
    import_module("distant")
    two_nodes = import_module("two_nodes")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MISSTEP_CACHE"] = str(Path(folder) / "cache")
        nodes = two_nodes.TwoNodes()
        try:
            say(f"two nodes of one core each: {two_nodes.HEAD} leads, {two_nodes.SECOND}")
            a_run(nodes, Path(folder))
            nodes.add_second()
            say("a second node again")
            a_set(nodes, Path(folder))
        finally:
            nodes.close()


if __name__ == "__main__":
    main()
