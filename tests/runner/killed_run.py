"""A run in a process of its own, to be killed: `killed_run.py LOG_DIR COUNT_FILE ARM FAMILY`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from misstep.registry import family
from misstep.runner.run import Request, carry_out, plan
from slow import SLOW

if __name__ == "__main__":
    SLOW.counts, SLOW.seconds = Path(sys.argv[2]), 0.02
    room, arms = family(sys.argv[4]), (sys.argv[3],)
    request = Request(room, "slow/x", arms=arms, limit=16, log_dir=Path(sys.argv[1]))
    done = carry_out(plan(request))
    counts = (len(done.records), done.manifest.asked, done.manifest.asked_again)
    sys.stdout.write(" ".join(map(str, counts)))
