"""misstep: where thinking makes a model worse, where it helps, and whether it is real.

`items`, `run` and `compare` do what the commands of the same names do. What they stand on is
imported when they are first used, so that `import misstep` costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from misstep.analyse import Comparison
    from misstep.core.family import Spec
    from misstep.core.looks import Watcher
    from misstep.core.pictures import Picture
    from misstep.core.prices import Prices
    from misstep.core.records import Record
    from misstep.runner.paying.purse import Purse
    from misstep.runner.paying.till import Till
    from misstep.runner.run import Plan, Request, Run
    from misstep.scale.asking import Terms

__version__ = "0.1.0"
__all__ = ["__version__", "chats", "compare", "items", "run"]


def items(
    family: str,
    *,
    scale: str = "quick",
    limit: int | None = None,
    seed: int = 0,
    arms: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    arms_file: str | Path | None = None,
    pictures: Callable[[Picture], str] | None = None,
) -> Iterator[dict[str, object]]:
    """The items of a family, a row for each item and arm, arm by arm.

    A row holds id, family, version, group, arm, prompt, truth, lure, factors. `options` are the
    family's own, by name (`misstep list grammar`). No arms named: the family's default arms.
    The prompt of an arm with several calls is that of the first; a message of the system, which an
    arm of the arms file may have, is no part of it. A prompt with pictures is a list of messages,
    each with role and parts; `pictures` is asked for the path of each (and may save it there), else
    its name stands there.
    """
    from misstep.core import arms_file as files
    from misstep.core import messages
    from misstep.core.family import select
    from misstep.core.options import read_options
    from misstep.core.wording import words
    from misstep.registry import family as room_of

    room = room_of(family)
    read = read_options(room.spec.options, options or {}, family)
    own = () if arms_file is None else files.read(Path(arms_file))
    asked = files.chosen(arms, room.spec.arms, room.spec.default_arms, own, "--arm")
    chosen = list(select(room, scale, limit, seed, read))
    for arm in asked:
        for item in chosen:
            yield {
                "id": item.id,
                "family": item.family,
                "version": item.version,
                "group": item.group,
                "arm": arm.name,
                "prompt": messages.prompt(
                    words(room, item, arm),
                    room.pictures(item) if room.pictures else (),
                    pictures or messages.name_alone,
                ),
                "truth": item.truth,
                "lure": item.lure,
                "factors": dict(item.factors),
            }


def chats(
    family: str,
    *,
    scale: str = "quick",
    limit: int | None = None,
    seed: int = 0,
    arms: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    arms_file: str | Path | None = None,
    test_share: float = 0.1,
    pictures: Callable[[Picture], str] | None = None,
) -> Iterator[dict[str, object]]:
    """Items as chats to fine-tune a model on, a row for each item and arm, arm by arm.

    A row holds id, arm, split and messages: the prompt as the user's and the truth as the
    assistant's. `split` is "train", "test", or "left out" for what would show a test instance in
    training; the same instance has the same split under every seed (`core.splitting`). No arms
    named: the family's first. `pictures`: as in `items`.
    """
    from misstep.core import arms_file as files
    from misstep.core import messages
    from misstep.core.errors import BadInput
    from misstep.core.family import select
    from misstep.core.options import read_options
    from misstep.core.splitting import sided
    from misstep.core.wording import words
    from misstep.registry import family as room_of

    room = room_of(family)
    if room.conversation is not None:
        raise BadInput(f"--format chat: {family} holds conversations, whose first turn says little")
    read = read_options(room.spec.options, options or {}, family)
    own = () if arms_file is None else files.read(Path(arms_file))
    asked = files.chosen(arms, room.spec.arms, room.spec.arms[:1], own, "--arm")
    chosen = list(sided(select(room, scale, limit, seed, read), test_share, room.instances))
    for arm in asked:
        for item, side in chosen:
            shown = room.pictures(item) if room.pictures else ()
            said = messages.chat(words(room, item, arm), shown, pictures or messages.name_alone)
            prompt = {"role": "user", "content": said}
            answer = {"role": "assistant", "content": item.truth}
            row = {"id": item.id, "arm": arm.name, "split": side.value}
            system = arm.wording.system if arm.wording else None
            first = [] if system is None else [{"role": "system", "content": system}]
            yield row | {"messages": [*first, prompt, answer]}


def request(
    family: str,
    model: str | None = None,
    *,
    arms: Sequence[str] = (),
    scale: str = "quick",
    limit: int | None = None,
    repeat: int = 1,
    seed: int = 0,
    temperature: float | None = None,
    max_tokens: int | None = None,
    reader: str | None = None,
    log_dir: str | Path = "logs",
    arms_file: str | Path | None = None,
    sequential: bool = False,
    prices: str | Path | Prices | None = None,
    budget: float | Purse | None = None,
    model_args: Mapping[str, Any] | None = None,  # Any: whatever the provider takes
    options: Mapping[str, object] | None = None,
    log_images: bool = True,
    shard: str | None = None,
    max_retries: int | None = None,
    attempt_timeout: int | None = None,
    connections: int | None = None,
    batch: bool = False,
) -> Request:
    """What a run asks; no model named: the embedded default. See `run`."""
    from misstep.core import arms_file as files
    from misstep.core.shards import read_shard
    from misstep.models.store import DEFAULT
    from misstep.registry import family as room_of
    from misstep.runner.calls import batching
    from misstep.runner.calls.patience import MOST_RETRIES, Tries
    from misstep.runner.run import Request

    room = room_of(family)
    return Request(
        family=room,
        model=f"embedded/{DEFAULT}" if model is None else model,
        model_args=model_args or {},
        arms=tuple(arms),
        scale=scale,
        limit=limit,
        repeat=repeat,
        seed=seed,
        options=options or {},
        temperature=temperature,
        max_tokens=max_tokens,
        reader=reader,
        log_dir=Path(log_dir),
        own_arms=() if arms_file is None else files.read(Path(arms_file)),
        arms_file=None if arms_file is None else str(arms_file),
        watcher=_watcher(room.spec) if sequential else None,
        prices=_prices(prices),
        till=None if budget is None else _till(budget, shard),
        log_images=log_images,
        shard=None if shard is None else read_shard(shard),
        tries=Tries(MOST_RETRIES if max_retries is None else max_retries, attempt_timeout),
        connections=connections,
        batch=batching.USUAL if batch else None,
    )


def _prices(prices: str | Path | Prices | None) -> Prices:
    from misstep.core.prices import NO_PRICES, read_prices

    return read_prices(Path(prices)) if isinstance(prices, (str, Path)) else prices or NO_PRICES


def _till(budget: float | Purse, shard: str | None) -> Till:
    """A sum is of the whole run: a shard may spend its part of it."""
    from misstep.core.shards import read_shard
    from misstep.runner.paying.purse import Purse
    from misstep.runner.paying.till import Till

    if isinstance(budget, Purse):
        return Till(budget)
    return Till(Purse(budget if shard is None else budget / read_shard(shard).of))


def _watcher(spec: Spec) -> Watcher:
    from misstep.analyse.sequential.looks import watcher

    return watcher(spec)


def run(
    family: str,
    model: str | None = None,
    *,
    listener: Callable[[Record], None] | None = None,
    preflight: str = "auto",
    strict_arms: bool = False,
    workers: int = 1,
    on: str | None = None,
    **settings: Any,  # Any: the settings of `request`
) -> Run:
    """Ask a model (default: the embedded one) a family's items; its folder goes on where it stood.

    Settings: arms, scale, limit, repeat, seed, temperature, max_tokens, reader, log_dir,
    arms_file, sequential (stop at the verdict), prices (a file), budget (never passed; it needs
    prices), model_args, log_images (the log keeps the pictures of the items), shard ("2/4": only
    that part of the run), max_retries and attempt_timeout (of calls that fail), connections
    (calls under way at once), batch (by the provider's batch interface), and options (the family's
    own, by name). `workers` is how many processes
    share the run; the models' providers must be importable from them. `on` is a Ray cluster, by
    its address or "ray", on which `shards`, `num_cpus` and `num_gpus` say what a task takes
    (docs/many-machines.md). `listener` hears each record
    as soon as it is scored. `preflight` (auto, yes, no): the first answers are checked before the
    rest is asked, and an arm that isn't what it claims is warned of, or refused with `strict_arms`.
    Raises `core.errors.BadInput` for wrong use, `MisstepError` where the provider fails.
    """
    from misstep.runner.shards.hands import waiting

    terms = None if on is None else _terms(on, workers, settings)
    with waiting(workers) as hands:
        asked = request(family, model, **settings)
        made = _ready(asked, workers, terms, preflight, is_strict=strict_arms)
        if terms is not None:
            from misstep.scale.running import carry_out_one

            return carry_out_one(made, asked, terms, listener)
        if workers == 1:
            from misstep.runner.run import carry_out

            return carry_out(made, listener)
        from misstep.runner.shards import crew

        return crew.carry_out(made, asked, workers, listener, hands)


def _ready(
    asked: Request, workers: int, terms: Terms | None, preflight: str, *, is_strict: bool
) -> Plan:
    """The plan, when all is checked that can be before most of it is asked."""
    import warnings

    from misstep.report import claims
    from misstep.runner.calls import batching
    from misstep.runner.paying.earlier import count_earlier
    from misstep.runner.run import plan
    from misstep.runner.shards import crew

    made = plan(asked)
    crew.check(made, workers)
    batching.check(asked, made, workers if terms is None else 2)
    if terms is not None:
        from misstep.scale import asking

        preflight = asking.ready([made], terms, preflight)
    count_earlier([made])
    first = claims.checked(made, claims.how(preflight))
    if first.claims is not None:
        if is_strict:
            claims.refuse(first.claims, "strict_arms")
        for found in first.claims.findings:
            warnings.warn(f"{found.arm} on {found.who} {found.said}", stacklevel=3)
    return first.plan


def _terms(on: str, workers: int, settings: dict[str, Any]) -> Terms:  # Any: as in `run`
    from misstep.core.errors import BadInput
    from misstep.scale import asking

    if workers != 1:
        raise BadInput(f"--on: --workers {workers} is of one machine; leave out one of the two")
    return asking.terms_of(on, settings)


def compare(
    runs: Iterable[str | Path] | Any,  # Any: any data frame with the documented columns
    *,
    by: str | None = None,
    between: str = "arms",
    baseline: str | None = None,
    non_inferiority: float | None = None,
    mid_p: bool = False,
    score: str | None = None,
    group: str | None = None,
    score_range: tuple[float, float] | None = None,
) -> tuple[Comparison, ...]:
    """Every arm against its baseline, in runs (folders, logs, files of records) or a data frame.

    Or each model against another with `between="models"`; all options are those of the command.
    A data frame has the columns of `docs/records.md`; pandas, Polars and lists of rows will do.
    Two logs of another task are compared with each other (`docs/other-logs.md`); `score`, `group`
    and `score_range` are for these.
    """
    from misstep.analyse import compare as compare_records
    from misstep.analyse import records_from_frame
    from misstep.analyse.record_files import parted, read_runs
    from misstep.core.errors import BadInput
    from misstep.registry import specs
    from misstep.runner.foreign.nouns import Wanted, scale_of
    from misstep.runner.foreign.pair import foreign_files, read_pair

    known = specs()
    if _are_places(runs):
        places = [Path(run) for run in ([runs] if isinstance(runs, (str, Path)) else runs)]
        held, logged = parted(places)
        files = foreign_files(logged)
        if files is None:
            records = read_runs(places)
        elif held:
            raise BadInput(f"runs: {held[0]} holds records of misstep's, {files[0]} another task's")
        else:
            pair = read_pair(*files, Wanted(score, group, scale_of(score_range)))
            records, known = list(pair.records), {pair.spec.name: pair.spec}
            between, baseline = pair.between, pair.baseline
    else:
        records = records_from_frame(runs)
    return compare_records(
        records, known, by, between=between, baseline=baseline,
        non_inferiority=non_inferiority, mid_p=mid_p,
    )  # fmt: skip


def _are_places(runs: object) -> bool:
    if isinstance(runs, (str, Path)):
        return True
    return isinstance(runs, (list, tuple)) and all(isinstance(run, (str, Path)) for run in runs)
