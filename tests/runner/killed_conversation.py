"""Conversations in a process of its own, to be killed: `… LOG_DIR COUNT_FILE ARM`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from misstep.registry import family
from misstep.runner.run import Request, carry_out, plan
from pupil import learned
from slow import SLOW

if __name__ == "__main__":
    SLOW.says, SLOW.counts = learned, Path(sys.argv[2])
    request = Request(
        family("vehicles"),
        "slow/x",
        arms=(sys.argv[3],),
        limit=3,
        options={"mapping": "paper"},
        log_dir=Path(sys.argv[1]),
    )
    done = carry_out(plan(request))
    passes = {record.value for record in done.records}
    counts = (len(done.records), done.manifest.asked, done.manifest.asked_again, passes)
    sys.stdout.write(" ".join(map(str, counts)))
