"""Seed → problems with their truth, read from a set of pictures; missing ones are drawn first.

The problems of seed 0 begin with the ready-made ones, so that a first run draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, count, pairwise
from pathlib import Path

from misstep.core.errors import BadInput, MisstepError
from misstep.core.family import Options
from misstep.core.items import Groups, Item
from misstep.core.pictures import Picture
from misstep.core.places import cache_folder
from misstep.core.seeds import stream
from misstep.families.faces import pool, sets
from misstep.families.faces.gate import require_extra
from misstep.families.faces.items import KeptIn, item_of
from misstep.families.faces.plan import DRAWING, problem_id
from misstep.families.faces.prompts import alt
from misstep.families.faces.sets import OWN_SOURCE, Problem
from misstep.families.faces.settings import Settings, read_settings
from misstep.families.faces.spec import READY, SPEC, FacesPayload

SHIPPED = Path(__file__).parent / "shipped"


def generate(seed: int, options: Options) -> Groups[FacesPayload]:
    """Groups without end, or all of a set that another source made. BadInput comes at once."""
    settings = read_settings(options)
    folder = settings.folder or _cached(_store(seed, settings.store))
    found = tuple(sets.read_problems(folder))
    refused = sets.rejected(folder)
    _refuse_other(folder, found, seed, settings)
    if found and found[0].source != OWN_SOURCE:
        # By their ids, so that lines in another order are the same set.
        kept = sorted((one for one in found if one.id not in refused), key=lambda one: one.id)
        if not kept:
            raise BadInput(f"-T set: {folder}: every problem was rejected by eye")
        shuffled = stream(SPEC.name, SPEC.version, seed, "order").shuffled(kept)
        return _groups(shuffled, seed, settings)
    ready = () if settings.folder else _shipped(seed, settings)
    return _groups(_own(seed, folder, settings, (*ready, *found), refused), seed, settings)


def named(options: Options) -> Options:
    """A set of another source by that and by what is in it; what is drawn here needs no name, as
    seed and options say all of it."""
    settings = read_settings(options)
    found = sets.read_problems(settings.folder) if settings.folder else ()
    return {**options, "set": sets.name(found), "left_out": settings.left_out[:8]}


def pictures(item: Item[FacesPayload]) -> tuple[Picture, ...]:
    """The reference first, then candidates 1 to 5, read from the set when they are needed."""
    payload = item.payload
    named = zip(payload.files, payload.digests, strict=True)
    return tuple(
        Picture(file, alt(item, place), _content(payload, file, digest))
        for place, (file, digest) in enumerate(named)
    )


def _content(payload: FacesPayload, file: str, digest: str) -> Callable[[], bytes]:
    return lambda: sets.picture(_holder(payload, file), file, digest)


def _holder(payload: FacesPayload, file: str) -> Path:
    """The folder that the picture is in: the user's own, the ready-made one, or the cache's."""
    if payload.folder:
        return Path(payload.folder)
    is_ready = payload.store == _store(0, "") and (SHIPPED / file).exists()
    return SHIPPED if is_ready else _cached(payload.store)


def _cached(store: str) -> Path:
    return cache_folder() / SPEC.name / store


def _store(seed: int, drawn_with: str) -> str:
    """The name of a seed's set in the cache."""
    return f"{OWN_SOURCE}-{DRAWING}-{seed}" + (f"~{drawn_with}" if drawn_with else "")


def own_folder(seed: int) -> Path:
    """Where what is drawn for a seed by default is kept, and decisions on the ready-made ones."""
    return _cached(_store(seed, ""))


def _shipped(seed: int, settings: Settings) -> tuple[Problem, ...]:
    is_ready = seed == 0 and not settings.store
    return tuple(sets.read_problems(SHIPPED)) if is_ready else ()


def _refuse_other(folder: Path, found: Sequence[Problem], seed: int, settings: Settings) -> None:
    """A set of another source takes no option of drawing; one of ours goes on as it began."""
    for name in settings.drawing_changed if found and found[0].source != OWN_SOURCE else ():
        raise BadInput(f"-T {name}: the pictures in {folder} come from {found[0].source}")
    for one in found if found and found[0].source == OWN_SOURCE else ():
        if one.version != DRAWING:
            raise BadInput(f"-T set: {folder}: drawn by version {one.version}, not {DRAWING}")
        if one.id != problem_id(seed, settings.store, one.number, one.take):
            why = f"holds {one.id}, which seed {seed} and these options don't make"
            raise BadInput(f"-T set: {folder}: {why}")


def _own(
    seed: int,
    folder: Path,
    settings: Settings,
    found: Sequence[Problem],
    refused: frozenset[str],
) -> Iterator[Problem]:
    """The seed's problems by number, without end; what no folder holds is drawn, and kept."""
    known = {one.id: one for one in found}

    def name(number: int) -> tuple[str, int]:
        """The id of the first take that was not rejected, and which take it is."""
        takes = ((problem_id(seed, settings.store, number, take), take) for take in count())
        return next((one, take) for one, take in takes if one not in refused)

    work = pool.Work(seed, settings.combinations, settings.store, settings.size, folder)
    for start, end in pairwise(chain([0], _ends())):
        missing = ((n, name(n)[1]) for n in range(start, end) if name(n)[0] not in known)
        with closing(_drawn(work, missing, settings.cores or pool.cores())) as made:
            for number in range(start, end):
                yield known.get(name(number)[0]) or next(made)


def _ends() -> Iterator[int]:
    """Where drawing ahead stops: at what each scale asks, so that little is drawn for nobody."""
    last = 0
    for last in sorted(scale.groups for scale in SPEC.scales.values()):
        yield last
    yield from count(last + READY, READY)


def _drawn(work: pool.Work, missing: Iterator[pool.Wanted], processes: int) -> Generator[Problem]:
    """Nothing is asked of the machine before the first is wanted."""
    require_extra(f"{SPEC.name}: drawing pictures into {work.folder}")
    try:
        yield from pool.drawn(work, missing, processes)
    except KeyboardInterrupt:
        kept = f"what is drawn is kept in {work.folder}, and the same command goes on"
        raise MisstepError(f"stopped; {kept}") from None


def _groups(problems: Iterable[Problem], seed: int, settings: Settings) -> Groups[FacesPayload]:
    store = "" if settings.folder else _store(seed, settings.store)
    for problem in problems:
        kept_in = KeptIn(str(settings.folder or ""), store)
        yield (item_of(problem, kept_in, settings.variant, labelled=settings.labelled),)
