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
    from misstep.core.records import Record
    from misstep.runner.run import Request, Run

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
) -> Iterator[dict[str, object]]:
    """The items of a family, a row for each item and arm, arm by arm.

    A row holds id, family, version, group, arm, prompt, truth, lure, factors. `options` are the
    family's own, by name (`misstep list grammar`). No arms named: the family's default arms.
    """
    from misstep.core.arms import resolve
    from misstep.core.family import select
    from misstep.core.options import read_options
    from misstep.registry import family as room_of

    room = room_of(family)
    read = read_options(room.spec.options, options or {}, family)
    asked = resolve(arms, room.spec.arms, "--arm") if arms else room.spec.default_arms
    chosen = list(select(room, scale, limit, seed, read))
    for arm in asked:
        for item in chosen:
            yield {
                "id": item.id,
                "family": item.family,
                "version": item.version,
                "group": item.group,
                "arm": arm.name,
                "prompt": room.prompt(item, arm.prompt),
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
    test_share: float = 0.1,
) -> Iterator[dict[str, object]]:
    """Items as chats to fine-tune a model on, a row for each item and arm, arm by arm.

    A row holds id, arm, split and messages: the prompt as the user's and the truth as the
    assistant's. `split` is "train", "test", or "left out" for what would show a test instance in
    training; the same instance has the same split under every seed (`core.splitting`). No arms
    named: the family's first.
    """
    from misstep.core.arms import resolve
    from misstep.core.family import select
    from misstep.core.options import read_options
    from misstep.core.splitting import sided
    from misstep.registry import family as room_of

    room = room_of(family)
    read = read_options(room.spec.options, options or {}, family)
    asked = resolve(arms, room.spec.arms, "--arm") if arms else room.spec.arms[:1]
    chosen = list(sided(select(room, scale, limit, seed, read), test_share))
    for arm in asked:
        for item, side in chosen:
            prompt = {"role": "user", "content": room.prompt(item, arm.prompt)}
            answer = {"role": "assistant", "content": item.truth}
            row = {"id": item.id, "arm": arm.name, "split": side.value}
            yield row | {"messages": [prompt, answer]}


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
    model_args: Mapping[str, Any] | None = None,  # Any: whatever the provider takes
    options: Mapping[str, object] | None = None,
) -> Request:
    """What a run asks; no model named: the embedded default. See `run`."""
    from misstep.models.store import DEFAULT
    from misstep.registry import family as room_of
    from misstep.runner.run import Request

    return Request(
        family=room_of(family),
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
    )


def run(
    family: str,
    model: str | None = None,
    *,
    listener: Callable[[Record], None] | None = None,
    **settings: Any,  # Any: the settings of `request`
) -> Run:
    """Ask a model (default: the embedded one) a family's items; its folder goes on where it stood.

    Settings: arms, scale, limit, repeat, seed, temperature, max_tokens, reader, log_dir,
    model_args, and options (the family's own, by name). `listener` hears each record as soon as it
    is scored. Raises `core.errors.BadInput` for wrong use, `MisstepError` where the provider fails.
    """
    from misstep.runner.run import carry_out, plan

    return carry_out(plan(request(family, model, **settings)), listener)


def compare(
    runs: Iterable[str | Path] | Any,  # Any: any data frame with the documented columns
    *,
    by: str | None = None,
) -> tuple[Comparison, ...]:
    """Every arm against its baseline, in runs (folders, logs) or in a data frame of records.

    A data frame has the columns of `docs/records.md`; pandas, Polars and lists of rows will do.
    """
    from misstep.analyse import compare as compare_records
    from misstep.analyse import records_from_frame
    from misstep.registry import specs
    from misstep.runner.logs import log_files, read_records

    if _are_places(runs):
        places = [runs] if isinstance(runs, (str, Path)) else list(runs)
        records = read_records(log_files([Path(place) for place in places]))
    else:
        records = records_from_frame(runs)
    return compare_records(records, specs(), by)


def _are_places(runs: object) -> bool:
    if isinstance(runs, (str, Path)):
        return True
    return isinstance(runs, (list, tuple)) and all(isinstance(run, (str, Path)) for run in runs)
