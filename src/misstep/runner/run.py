"""A run: one family asked of one model, in a folder that can always be gone on with."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import BatchConfig, Model, ModelAPI

from misstep.core.arms import Arm
from misstep.core.arms_file import Definition
from misstep.core.errors import BadInput, MisstepError
from misstep.core.looks import Look, Watcher
from misstep.core.options import read_options
from misstep.core.prices import NO_PRICES, Prices
from misstep.core.records import Record
from misstep.core.shards import Shard
from misstep.runner import blocks, manifest, providers, stopping
from misstep.runner.calls import batching, thinking
from misstep.runner.calls.asking import attached
from misstep.runner.calls.patience import USUAL, Patience, Tries
from misstep.runner.calls.strategies import SAMPLING_TEMPERATURE
from misstep.runner.failures import BudgetReached, Incomplete, failed, why
from misstep.runner.journal import Journal, open_journal
from misstep.runner.logged import logs
from misstep.runner.manifest import Manifest
from misstep.runner.paying.purse import Purse
from misstep.runner.paying.till import Account, Till, open_accounts
from misstep.runner.providers import ModelArgs, open_model
from misstep.runner.shards.journals import absorb
from misstep.runner.stopping import Stopping
from misstep.runner.task import AnyFamily, arms_of, family_task, listening

JOURNAL = "journal.jsonl"
MOST_REPETITIONS = 1_000
MOST_TOKENS = 10_000_000
MOST_CONNECTIONS = 10_000


@dataclass(frozen=True)
class Request:
    """What is asked. `arms` empty: the family's default arms; the first one is the baseline.

    `reader` is a second model that reads what the extractor's rules leave unparsed. `temperature`
    None: 0 for one repetition, else the temperature of every strategy that samples. `watcher`
    judges after every complete group whether the run may stop; None: it asks everything. `till`
    holds the budget, which several requests may share; None: no limit. With `log_images` the log
    keeps the items' pictures, once. `shard` is the part of the run to ask; None: all of it. At most
    `connections` calls are under way at once; None: as the provider does. `batch`: by its batch
    interface (`runner.calls.batching`).
    """

    family: AnyFamily
    model: str
    model_args: ModelArgs = field(default_factory=dict)
    arms: tuple[str, ...] = ()
    scale: str = "quick"
    limit: int | None = None
    repeat: int = 1
    seed: int = 0
    options: Mapping[str, object] = field(default_factory=dict)
    temperature: float | None = None
    max_tokens: int | None = None
    reader: str | None = None
    log_dir: Path = Path("logs")
    watcher: Watcher | None = None
    own_arms: tuple[Definition, ...] = ()
    arms_file: str | None = None
    prices: Prices = NO_PRICES
    till: Till | None = None
    log_images: bool = True
    shard: Shard | None = None
    tries: Tries = USUAL
    connections: int | None = None
    batch: BatchConfig | None = None


@dataclass(frozen=True)
class Plan:
    """A request whose every word has been checked, with the number of samples it comes to.

    `known` is another journal of the run, whose replies are not asked for again.
    """

    manifest: Manifest
    task: Task
    model: Model
    reader: Model | None
    folder: Path
    samples: int
    stopping: Stopping | None = None
    accounts: Mapping[str, Account] = field(default_factory=dict)
    arms: tuple[Arm, ...] = ()
    has_pictures: bool = False
    known: Path | None = None
    tries: Tries = USUAL
    connections: int | None = None

    @property
    def groups(self) -> int:
        """How many independent groups the items fall into."""
        return len({(sample.metadata or {}).get("group") for sample in self.task.dataset})

    def let_go(self) -> None:
        """Hold the questions no longer: whoever asks them has them now, and the plan is spent."""
        self.task.dataset = MemoryDataset([], name=self.task.dataset.name)


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, what it was, and its records.

    `look` is the last look of a run that may stop early; it had decided before this request where
    `manifest.asked` is 0 and nothing was evaluated anew.
    """

    folder: Path
    manifest: Manifest
    records: tuple[Record, ...]
    look: Look | None = None


class Stopped(MisstepError):
    """The run was stopped by Ctrl-C; what was answered is kept in `folder`."""

    def __init__(self, folder: Path, answered: int, samples: int, replies: int) -> None:
        at = f"stopped at answer {answered} of {samples}"
        super().__init__(f"{at}; all {replies} replies so far are kept in {folder}")
        self.folder = folder


def plan(request: Request, samples: Sequence[Sample] | None = None) -> Plan:
    """Check everything that can be checked before the first call; nothing is written yet.

    `samples` are the request's, where another process has made them.
    """
    temperature = _temperature(request)
    reader = open_model(request.reader, {}, request.family) if request.reader else None
    asked = arms_of(request.family, request.arms, request.own_arms)
    task = family_task(
        request.family,
        arms=[arm.name for arm in asked],
        scale=request.scale,
        limit=request.limit,
        seed=request.seed,
        temperature=temperature,
        max_tokens=request.max_tokens,
        options=request.options,
        reader=reader,
        own_arms=request.own_arms,
        log_images=request.log_images,
        shard=request.shard,
        samples=samples,
        batch=request.batch,
    )
    if request.watcher is not None:
        stopping.check_compared([arm.name for arm in asked], request.model_args, request.shard)
    model = open_model(request.model, request.model_args, request.family)
    providers.check_sees(model, request.family)
    for arm in asked:
        thinking.check(model, arm)
    models = [model] if reader is None else [model, reader]
    limits = [arm.max_tokens for arm in asked]
    accounts = open_accounts(models, request.prices, request.till, request.max_tokens, limits)
    what = _manifest(request, asked, str(model), temperature, accounts)
    folder = request.log_dir / what.folder_name
    stopping.check(folder, what, request.family.spec)
    count = len(task.dataset) * request.repeat
    looks = Stopping(what.arms, request.watcher) if request.watcher else None
    if looks is not None:
        task = stopping.in_looks(task, what.arms, what.repeat, looks)
    shows = request.family.pictures is not None
    return Plan(
        what, task, model, reader, folder, count, looks, accounts, asked, shows,
        tries=request.tries, connections=connections_of(request.connections, model),
    )  # fmt: skip


def _manifest(
    request: Request,
    asked: Sequence[Arm],
    model: str,
    temperature: float | None,
    accounts: Mapping[str, Account],
) -> Manifest:
    spec = request.family.spec
    names = [arm.name for arm in asked]
    return Manifest(
        family=spec.name,
        family_version=spec.version,
        model=model,
        model_args=request.model_args,
        seed=request.seed,
        options=read_options(spec.options, request.options, spec.name),
        temperature=temperature,
        max_tokens=request.max_tokens,
        scale=request.scale,
        limit=request.limit,
        arms=tuple(names),
        repeat=request.repeat,
        reader=request.reader,
        prices={name: asdict(account.price) for name, account in accounts.items()},
        arms_file=request.arms_file,
        own_arms=_stated(request.own_arms, names),
        is_sequential=request.watcher is not None,
        log_images=request.log_images,
        shard=None if request.shard is None else str(request.shard),
    )


def _stated(
    own: Sequence[Definition], names: Sequence[str]
) -> dict[str, dict[str, str | int | float]]:
    """The definitions of the arms asked, by name; others of the file change nothing."""
    asked = {name.split("+")[0] for name in names}
    return {one.name: one.plain() for one in own if one.name in asked}


def carry_out(plan: Plan, listener: Callable[[Record], None] | None = None) -> Run:
    """Ask what the folder's journal does not hold yet; the listener hears every record at once.

    Raises `Stopped` after Ctrl-C and `MisstepError` where the provider failed; in both cases the
    same plan made again goes on from there. The plan is spent.
    """
    run = ask(plan, listener)
    if run.records:
        return run
    return replace(run, records=tuple(logs.read_records(logs.log_files([plan.folder]))))


def ask(plan: Plan, listener: Callable[[Record], None] | None = None) -> Run:
    """As `carry_out`, without reading the records again: none, but where it had decided before.

    Of a big plan nothing is left then but its settings (`let_go`).
    """
    make_folder(plan.folder)
    try:
        absorb(plan.folder, JOURNAL)
        with open_journal(plan.folder / JOURNAL, plan.known) as journal:
            return _with_journal(plan, journal, listener)
    except OSError as error:
        raise MisstepError(f"{plan.folder}: cannot write: {error.strerror or error}") from None


def _with_journal(plan: Plan, journal: Journal, listener: Callable[[Record], None] | None) -> Run:
    remove_unfinished(plan.folder)
    # A preflight has counted them, and asked some of them again.
    again = max(plan.manifest.asked_again, journal.in_flight)
    journal.asked = plan.manifest.asked
    started = replace(
        plan.manifest,
        asked_again=again,
        faults=manifest.faults_in(plan.folder),
        versions=manifest.installed(),
        merged=manifest.merged_in(plan.folder),
    )
    known = _decided(plan)
    if known is not None:
        return known
    manifest.write(plan.folder, started)
    heard = 0

    def hear(record: Record) -> None:
        nonlocal heard
        heard += 1
        if listener is not None:
            listener(record)

    models = [plan.model] if plan.reader is None else [plan.model, plan.reader]
    patience = Patience(plan.tries, is_strict=plan.stopping is not None)
    with (
        attached(journal, *models, accounts=plan.accounts, patience=patience),
        listening(hear),
        batching.heard(),
    ):
        log = blocks.evaluate(plan)
    is_through = log is not None and log.status == "success"
    is_whole = is_through and not patience.reasons
    left = plan.samples - heard if patience.reasons else 0
    ended = replace(
        started,
        state="finished" if is_whole else "stopped",
        asked=journal.asked,
        faults=started.faults.plus(patience.faults(left)),
    )
    manifest.write(plan.folder, ended)
    purse = next((one.till.purse for one in plan.accounts.values()), Purse())
    if purse.is_closed:
        raise BudgetReached(plan, purse, heard)
    if log is not None and log.status == "error":
        raise failed(plan, log.error.message if log.error else "no reason given", heard)
    if not is_through:
        raise Stopped(plan.folder, heard, plan.samples, journal.kept)
    if not is_whole:
        raise Incomplete(plan, heard, why(patience.reasons))
    return Run(plan.folder, ended, (), plan.stopping.last if plan.stopping else None)


def _decided(plan: Plan) -> Run | None:
    """The run as it stands, where what its logs hold is enough for a verdict."""
    files = sorted(plan.folder.glob("*" + logs.ENDING))
    if plan.stopping is None or not files:
        return None
    records = tuple(logs.finished_records(files))
    look = plan.stopping.decided_by(records)
    if look is None:
        return None
    # Ctrl-C may have come between the verdict and the end.
    ended = replace(manifest.read(plan.folder), state="finished")
    manifest.write(plan.folder, ended)
    return Run(plan.folder, replace(ended, asked=0, asked_again=0), records, look)


def connections_of(asked: int | None, model: Model) -> int | None:
    """How many calls are under way at once: as asked, at most as many as the provider states."""
    own = _own_connections(model)
    if asked is None:
        return own
    if not 1 <= asked <= MOST_CONNECTIONS:
        raise BadInput(f"--connections: {asked} is not between 1 and {MOST_CONNECTIONS}")
    if own is not None and asked > own:
        raise BadInput(f"--connections: {model} takes {own} at a time, not {asked}")
    return asked


def _own_connections(model: Model) -> int | None:
    """The limit of a provider that states one; the runner's adaptive limit would ignore it."""
    states_one = type(model.api).max_connections is not ModelAPI.max_connections
    return model.api.max_connections() if states_one else None


def _temperature(request: Request) -> float:
    if request.repeat < 1:
        raise BadInput(f"--repeat: {request.repeat} is below 1")
    if request.repeat > MOST_REPETITIONS:
        raise BadInput(f"--repeat: {request.repeat} is above {MOST_REPETITIONS}")
    if request.max_tokens is not None and request.max_tokens < 1:
        raise BadInput(f"--max-tokens: {request.max_tokens} is below 1")
    if request.max_tokens is not None and request.max_tokens > MOST_TOKENS:
        raise BadInput(f"--max-tokens: {request.max_tokens} is above {MOST_TOKENS}")
    if request.temperature is None:
        return usual_temperature(request.repeat)
    if not (math.isfinite(request.temperature) and request.temperature >= 0):
        raise BadInput(f"--temperature: {request.temperature} is no number from 0 up")
    return request.temperature


def usual_temperature(repeat: int) -> float:
    """Repetitions at temperature 0 would only say the same again."""
    return SAMPLING_TEMPERATURE if repeat > 1 else 0.0


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--log-dir: {folder}: {error.strerror}") from None


def remove_unfinished(folder: Path) -> None:
    """A killed process leaves a log without its end; all its replies stand in the journal."""
    for path in folder.glob("*" + logs.ENDING):
        if logs.is_unfinished(path):
            path.unlink()
