"""Print {version: digest} of a family's items at paper scale, seed 0, all arms' words included;
of what is ready-made, where more would take long.

`python tools/item_digest.py NAME`; reads the source tree beside it, whatever is installed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))


def main() -> None:
    import misstep
    from misstep.registry import family

    name = sys.argv[1]
    spec = family(name).spec
    total = hashlib.sha256()
    arms = [arm.name for arm in spec.arms]
    for row in misstep.items(name, scale="paper", limit=spec.ready, arms=arms):
        total.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode())
    print(json.dumps({str(spec.version): total.hexdigest()}))


if __name__ == "__main__":
    main()
