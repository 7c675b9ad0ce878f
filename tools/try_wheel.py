"""Build the wheel, install it into an empty environment, and run a reference solver there.

First the wheel with nothing it stands on, for the planning library; then the light core, which must
have no embedded runtime; then with the extra `embedded`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "src/misstep/study/pages/built"
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        run(
            sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, cwd=ROOT
        )
        (wheel,) = place.glob("*.whl")
        plan_alone(place, wheel)
        venv.create(place / "env", with_pip=True)
        python = str(place / "env/bin/python")
        run(python, *PIP, "install", "-c", str(constraints(place)), str(wheel), cwd=place)
        asked = run(python, "-c", "import importlib.util as u; print(u.find_spec('xllamacpp'))")
        assert asked.strip() == "None", "the light core must not bring the embedded runtime"
        solve(place)
        if BUILT.is_dir():
            run(python, "-c", "from misstep.study.pages.assets import assets; assets()", cwd=place)
        run(python, *PIP, "install", "-c", str(constraints(place)), f"{wheel}[embedded]", cwd=place)
        run(python, "-c", "import xllamacpp, misstep.models.embedded")
        print(f"{wheel.name}: installs alone and with [embedded]; ref/bigram-rule ran")


def plan_alone(place: Path, wheel: Path) -> None:
    venv.create(place / "bare", with_pip=True)
    python = str(place / "bare/bin/python")
    run(python, *PIP, "install", "--no-deps", str(wheel), cwd=place)
    run(python, str(ROOT / "tools/planning_alone.py"), cwd=place)


def solve(place: Path) -> None:
    """One run by the command, and the same through Python."""
    command = str(place / "env/bin/misstep")
    words = ("run", "grammar", "--model", "ref/bigram-rule", "--json")
    printed = json.loads(run(command, *words, cwd=place))
    (one,) = printed["comparisons"]
    assert one["n"] == 24, one["n"]
    script = "from misstep import compare; (c,) = compare('logs'); print(c.n, c.verdict)"
    run(str(place / "env/bin/python"), "-c", script, cwd=place)


def constraints(place: Path) -> Path:
    """The lock file's versions, without the hashes that constraints don't take for local wheels."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [line.rstrip("\\ ") for line in lines if line and not line.startswith((" ", "#"))]
    path = place / "constraints.txt"
    path.write_text("\n".join(pins) + "\n", encoding="utf-8")
    return path


def run(*words: str, cwd: Path | None = None) -> str:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(words, cwd=cwd, env=env, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
