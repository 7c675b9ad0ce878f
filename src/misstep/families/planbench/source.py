"""A domain as it was asked for: where instances come from, and under what disguise they go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.seeds import Chance
from misstep.families.planbench.spec import DISGUISES, DOMAINS
from misstep.planning.errors import PlanningError
from misstep.planning.finding import known_names, named_domain
from misstep.planning.folders import DomainFolder, draw_problem, load_folder
from misstep.planning.model import Atom, Problem, Step
from misstep.planning.obfuscation import Disguise, Disguised, obfuscate, problem_renaming
from misstep.planning.renaming import Renaming, rename_atom, rename_plan, rename_problem
from misstep.planning.wording import write_wording
from misstep.planning.writing import write_domain, write_problem


@dataclass(frozen=True)
class Sizes:
    """What the size of a domain's instances counts, and how it goes by itself; `besides` are
    settings that grow with it: so many for a size of 0, and one more for each so many."""

    counts: str
    low: int
    high: int
    besides: Mapping[str, tuple[int, int]]

    def settings(self, size: int) -> dict[str, int]:
        more = {name: base + size // each for name, (base, each) in self.besides.items()}
        return {self.counts: size, **more}


SIZES = {
    "blocksworld": Sizes("blocks", 4, 5, {}),
    "logistics": Sizes("packages", 1, 2, {"cities": (2, 4), "places": (2, 6)}),
    "depots": Sizes("crates", 2, 3, {"distributors": (1, 5)}),
    "household": Sizes("moves", 1, 2, {"items": (2, 1), "rooms": (2, 3)}),
    "ferry": Sizes("cars", 2, 4, {"harbours": (3, 4)}),
    "satellite": Sizes("images", 1, 2, {"targets": (2, 1), "instruments": (2, 4)}),
}
"""By the registered generator's name. The paper's Blocksworld has four and five blocks."""


@dataclass(frozen=True)
class Source:
    """`name` is the domain's with its disguise, `base` without."""

    name: str
    folder: DomainFolder
    disguise: str

    @property
    def base(self) -> str:
        """The generator's name, which events, programs and sizes go by; else the folder's."""
        return self.folder.generator or self.folder.name

    @property
    def sizes(self) -> tuple[int, int]:
        own = SIZES.get(self.base)
        return (own.low, own.high) if own else (0, 0)

    def instance(self, chance: Chance, size: int) -> Problem:
        """Raises BadInput where the size suits no instance."""
        own = SIZES.get(self.base)
        settings = own.settings(size) if own else {}
        try:
            drawn = draw_problem(self.folder, chance, settings, name=f"{self.folder.name}-problem")
        except PlanningError as error:
            raise BadInput(f"-T domain: {error}") from None
        return drawn


def open_source(name: str) -> Source:
    """Raises BadInput, in one line, for what is no domain."""
    plain, _, disguise = name.partition("+")
    if disguise and disguise not in DISGUISES:
        raise BadInput(f"-T domain: {name!r}: after + stands one of {', '.join(DISGUISES)}")
    try:
        folder = _folder(plain)
    except PlanningError as error:
        raise BadInput(f"-T domain: {error}") from None
    shown = f"{folder.name}+{disguise}" if disguise else folder.name
    return Source(shown, folder, disguise)


def _folder(asked: str) -> DomainFolder:
    """A shipped name counts before a folder's path, and that before the name of a user's domain."""
    if asked not in DOMAINS and Path(asked).is_dir():
        return load_folder(Path(asked))
    found = named_domain(asked)
    if found is None:
        known = ", ".join(known_names())
        raise BadInput(f"-T domain: {asked!r} is neither a folder nor one of {known}")
    return found


@dataclass(frozen=True)
class Cover:
    """The texts under which a domain and its problems go. `hidden` is None without a disguise."""

    domain: str
    words: str
    hidden: Disguised | None

    def renaming(self, problem: Problem, chance: Chance) -> Renaming | None:
        if self.hidden is None:
            return None
        return problem_renaming(self.hidden, replace(problem, init=()), chance)

    def problem(self, problem: Problem, renaming: Renaming | None) -> str:
        if renaming is None or self.hidden is None:
            return write_problem(problem)
        return write_problem(rename_problem(renaming, problem, self.hidden.domain))


def cover(source: Source, seed_name: bytes) -> Cover:
    """One disguise for all items of a seed; `seed_name` is what its chance is drawn from."""
    folder = source.folder
    if not source.disguise:
        return Cover(write_domain(folder.domain), write_wording(folder.wording), None)
    hidden = obfuscate(folder.domain, Disguise(source.disguise), Chance(seed_name))
    words = replace(hidden.wording, cost_unit=folder.wording.cost_unit)
    return Cover(write_domain(hidden.domain), write_wording(words), hidden)


def renamed_fact(renaming: Renaming | None, text: str) -> str:
    """ "(on a b)", "(not (on a b))", or either after a + or -."""
    if renaming is None:
        return text
    if text[0] in "+-":
        return text[0] + renamed_fact(renaming, text[1:])
    if text.startswith("(not "):
        return f"(not {renamed_fact(renaming, text[5:-1])})"
    predicate, *terms = text.strip("()").split()
    return rename_atom(renaming, Atom(predicate, tuple(terms))).text


def renamed_steps(renaming: Renaming | None, plan: tuple[Step, ...]) -> tuple[Step, ...]:
    return plan if renaming is None else rename_plan(renaming, plan)
