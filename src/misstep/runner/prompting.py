"""Questions to a model that are no items of a family: their replies are paid for, so kept as well.

Each question is asked once: its reply stands in a journal of the work's own folder, and the same
work goes on from there, whatever ended it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from inspect_ai import Task
from inspect_ai import eval as eval_task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

from misstep.core.errors import BadInput, MisstepError
from misstep.core.outcomes import Reply
from misstep.core.progress import report
from misstep.core.seeds import digest
from misstep.runner.calls.asking import Place, at, attached
from misstep.runner.calls.failing import one_line
from misstep.runner.journal import Journal, open_journal
from misstep.runner.logged.rows import reply_of
from misstep.runner.own.cases import Case, item_of, own_family
from misstep.runner.providers import ModelArgs, open_model
from misstep.runner.unused import left_unloaded

JOURNAL = "journal.jsonl"


@dataclass(frozen=True)
class Prompt:
    """One question; `id` is unique in the work and stays the same when it is done again."""

    id: str
    words: str


@dataclass(frozen=True)
class Work:
    """What is asked for (`name` also begins the folder's name), of whom, and how."""

    name: str
    model: str
    model_args: ModelArgs = field(default_factory=dict)
    temperature: float = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    log_dir: Path = Path("logs")

    @property
    def folder(self) -> Path:
        """Named by everything that makes a reply the same reply."""
        model = re.sub(r"[^A-Za-z0-9.]+", "-", self.model).strip("-")[-60:]
        settings = (str(self.temperature), str(self.max_tokens), str(self.seed))
        args = json.dumps(dict(self.model_args), sort_keys=True)
        short = digest(self.name, self.model, args, *settings).hex()[:8]
        return self.log_dir / f"{self.name}-{model}-{short}"


def ask_all(work: Work, prompts: Sequence[Prompt]) -> list[Reply]:
    """The replies, in the order of the prompts. What the folder holds is not asked again.

    Raises BadInput for a model that can't be opened or a folder that can't be made, MisstepError
    where the provider fails or Ctrl-C is pressed; the same call goes on from there.
    """
    model = open_model(work.model, work.model_args, own_family(work.name, 1))
    try:
        work.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--log-dir: {work.folder}: {error.strerror}") from None
    journal_file = work.folder / JOURNAL
    with open_journal(journal_file) as journal, attached(journal, model), left_unloaded():
        return _evaluated(work, prompts, model, journal)


def _evaluated(
    work: Work, prompts: Sequence[Prompt], model: Model, journal: Journal
) -> list[Reply]:
    """The runner's own logs are thrown away: the journal holds every reply."""
    replies: dict[str, Reply] = {}
    with TemporaryDirectory() as place:
        try:
            logs = eval_task(
                _task(work, prompts, replies),
                model=model,
                log_dir=place,
                log_level="error",
                log_realtime=False,
                display="none",
                fail_on_error=True,
                ctl_server=False,
                acp_server=False,
                score_display=False,
            )
        except KeyboardInterrupt:
            logs = []
    log = logs[0] if logs else None
    if log is not None and log.status == "error":
        said = one_line(log.error.message if log.error else "no reason given")
        raise MisstepError(f"--model: {work.model}: {said[:300]}; {_kept(work, journal)}")
    if log is None or log.status != "success":
        raise MisstepError(f"stopped; {_kept(work, journal)}")
    return [replies[prompt.id] for prompt in prompts]


def _kept(work: Work, journal: Journal) -> str:
    return f"{journal.kept} replies are kept in {work.folder}; the same command goes on from there"


def _task(work: Work, prompts: Sequence[Prompt], replies: dict[str, Reply]) -> Task:
    """One sample holds all questions: a sample for each would cost several times as much."""
    return Task(
        dataset=MemoryDataset([Sample(id=work.name, input=work.name)]),
        solver=_ask(work, prompts, replies),
        config=GenerateConfig(
            temperature=work.temperature, max_tokens=work.max_tokens, seed=work.seed
        ),
        name=work.name,
    )


def _ask(work: Work, prompts: Sequence[Prompt], replies: dict[str, Reply]) -> Solver:
    """Fills `replies`, which belongs to one evaluation."""
    family, done = own_family(work.name, 1), count(1)

    async def one(prompt: Prompt) -> None:
        item = item_of(work.name, Case(prompt.id, prompt.id, prompt.words))
        with at(Place(family, item, work.name, 1)):
            output = await get_model().generate(prompt.words)
        replies[prompt.id] = reply_of(output)
        report(next(done), len(prompts), f"asking {work.model}")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        await collect(*(one(prompt) for prompt in prompts))
        return state

    return solver(name="ask_prompts")(lambda: solve)()
