"""What a set of faces gives away, and how hard it is, group by group, as Markdown tables.

`python tools/faces_evidence.py [FOLDER]`; without a folder, the set that comes with the package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from misstep.core.items import Item
from misstep.families.faces import FAMILY, sets
from misstep.families.faces.generate import SHIPPED
from misstep.families.faces.items import KeptIn, item_of
from misstep.families.faces.sets import CANDIDATES, Problem
from misstep.families.faces.solvers import REFERENCES
from misstep.families.faces.spec import FacesPayload

CHANCE = 1 / CANDIDATES
SHOWN = ("colours", "background", "clothing", "hair", "pixels", "face-pixels", "face-edges")
THROWN = ("no face", "several faces", "pair too far", "too near the reference",
          "too near the right one")  # fmt: skip


@dataclass(frozen=True)
class Judged:
    """A problem and which solvers were right about it."""

    problem: Problem
    right: Mapping[str, bool]


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED
    judged = [judge(folder, problem) for problem in sets.read_problems(folder)]
    print(f"{len(judged)} problems, {len(judged) * (CANDIDATES + 1)} pictures\n")
    print(redraws([one.problem for one in judged]), "\n")
    print(solvers(judged), "\n")
    for name in ("race", "gender", "age"):
        print(table(judged, name, partial(attribute, name)), "\n")
    print(table(judged, "race, gender, age", cell))


def judge(folder: Path, problem: Problem) -> Judged:
    item = item_of(problem, KeptIn(str(folder)))
    return Judged(problem, {name: is_right(item, name) for name in SHOWN})


def is_right(item: Item[FacesPayload], name: str) -> bool:
    return FAMILY.solvers[name](item).answer == item.truth


def redraws(problems: Iterable[Problem]) -> str:
    """How many pictures were drawn, and why some were thrown away."""
    problems = tuple(problems)
    drawn = sum(one.redraws.get("drawn", 0) for one in problems)
    reasons = sorted({reason for one in problems for reason in one.redraws} - {"drawn"})
    counts = (
        f"{reason} {sum(one.redraws.get(reason, 0) for one in problems)}" for reason in reasons
    )
    return f"{drawn} pictures drawn; thrown away: {', '.join(counts) or 'none'}"


def solvers(judged: Sequence[Judged]) -> str:
    """A line each; what sees no face is to lie within 1.96 standard errors of chance."""
    width = 1.96 * sqrt(CHANCE * (1 - CHANCE) / len(judged))
    lines = ["| solver | right | | sees |", "|---|---|---|---|"]
    for name in SHOWN:
        share = mean(one.right[name] for one in judged)
        off = "" if abs(share - CHANCE) <= width or not REFERENCES[name].at_chance else " **off**"
        bounds = f"chance ± {width:.3f}{off}" if REFERENCES[name].at_chance else ""
        lines.append(f"| `{name}` | {share:.3f} | {bounds} | {REFERENCES[name].about} |")
    return "\n".join(lines)


def table(judged: Sequence[Judged], title: str, of: Callable[[Judged], str]) -> str:
    """Per group: distances, passed draws, solvers. The spread is that of a share of .2 or, for
    distances, their standard deviation."""
    head = f"| {title} | n | same | others | nearest other | mm | passed | "
    lines = [head + " | ".join(SHOWN) + " | ± |", "|---" * (len(SHOWN) + 8) + "|"]
    for group in sorted({of(one) for one in judged}):
        lines.append(row(group, [one for one in judged if of(one) == group]))
    return "\n".join(lines)


def row(group: str, members: Sequence[Judged]) -> str:
    same, others, nearest, apart = [], [], [], []
    for problem in (one.problem for one in members):
        right = int(problem.truth) - 1
        far = [value for place, value in enumerate(problem.distances) if place != right]
        same.append(problem.distances[right])
        others += far
        nearest.append(min(far))
        apart += [float(str(shot.about["geometry"])) for shot in problem.candidates]
    drawn = sum(one.problem.redraws.get("drawn", 0) for one in members)
    thrown = sum(one.problem.redraws.get(reason, 0) for one in members for reason in THROWN)
    shares = " | ".join(f"{mean(one.right[name] for one in members):.2f}" for name in SHOWN)
    width = 1.96 * sqrt(CHANCE * (1 - CHANCE) / len(members))
    return (
        f"| {group} | {len(members)} | {spread(same)} | {spread(others)} | {mean(nearest):.3f} | "
        f"{mean(value for value in apart if value):.1f} | {1 - thrown / drawn:.2f} | {shares} | "
        f"{width:.2f} |"
    )


def cell(one: Judged) -> str:
    return " ".join(attribute(name, one) for name in ("race", "gender", "age"))


def attribute(name: str, one: Judged) -> str:
    return str(getattr(one.problem.attributes, name, None))


def mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def spread(values: Sequence[float]) -> str:
    middle = mean(values)
    deviation = sqrt(sum((value - middle) ** 2 for value in values) / max(len(values) - 1, 1))
    return f"{middle:.3f} ± {deviation:.3f}"


if __name__ == "__main__":
    main()
