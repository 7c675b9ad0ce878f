"""What is asked of machines: `--on`, and how much each task of a run takes; what can't go there."""

from __future__ import annotations

import importlib.util
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from misstep.core.errors import BadInput
from misstep.core.shards import MOST_SHARDS
from misstep.runner.run import Plan

HERE = "ray"
"""The cluster that runs on this machine or that RAY_ADDRESS names; else one is started here."""
_ADDRESS = re.compile(r"(ray://)?[A-Za-z0-9_.\-]+:\d{1,5}|\[[0-9a-fA-F:]+\]:\d{1,5}")
LOADED = ("hf", "nnterp", "transformer_lens")
"""Providers that hold a model's weights in the process."""
SERVING = ("vllm", "sglang", "llama-cpp-python")
"""Providers that start a server of their own, unless one is named."""
_MOST = 100_000


@dataclass(frozen=True)
class Terms:
    """Where a run goes, and what a task takes; None: as the model and the machines suggest.

    `shards` is into how many parts the groups of each run are shared. `log_dir` is the address of
    another store, where the runs are kept there.
    """

    on: str = HERE
    shards: int | None = None
    num_cpus: float | None = None
    num_gpus: float | None = None
    log_dir: str | None = None


def check_address(on: str) -> None:
    """BadInput for what is no cluster, and where Ray isn't installed."""
    if on not in (HERE, "auto") and not _ADDRESS.fullmatch(on):
        raise BadInput(f"--on: {on!r} is none of ray, auto, ray://HOST:PORT, HOST:PORT")
    if importlib.util.find_spec("ray") is None:
        raise BadInput("--on: needs Ray: pip install 'misstep[ray]'")
    if on.startswith("ray://") and importlib.util.find_spec("grpc") is None:
        raise BadInput("--on: ray:// needs Ray's client: pip install 'misstep[ray]'")


def check(plans: Sequence[Plan], terms: Terms) -> None:
    """BadInput, in one line, for what can't be carried out on many machines."""
    check_address(terms.on)
    if terms.shards is not None and not 1 <= terms.shards <= MOST_SHARDS:
        raise BadInput(f"--shards: {terms.shards} is not between 1 and {MOST_SHARDS}")
    for name, amount in (("--num-cpus", terms.num_cpus), ("--num-gpus", terms.num_gpus)):
        if amount is not None and not (math.isfinite(amount) and 0 <= amount <= _MOST):
            raise BadInput(f"{name}: {amount} is not between 0 and {_MOST}")
        if amount is not None and amount > 1 and amount != int(amount):
            raise BadInput(f"{name}: {amount}: above 1 Ray takes whole numbers")
    for plan in plans:
        _check_plan(plan)


def _check_plan(plan: Plan) -> None:
    if plan.manifest.is_sequential:
        raise BadInput(
            "--on: --sequential looks at every group of the run in turn, and a task has a share "
            "of them; leave out one of the two"
        )
    if any(math.isfinite(one.till.purse.budget) for one in plan.accounts.values()):
        raise BadInput(
            "--on: machines don't know what the others spend, so that --budget would not hold; "
            "leave out one of the two"
        )


def terms_of(on: str, settings: dict[str, Any]) -> Terms:  # Any: the settings of a run
    """Takes what is of machines out of the settings; in the place of a log folder elsewhere stands
    its copy at home."""
    check_address(on)
    names = ("shards", "num_cpus", "num_gpus")
    shards, num_cpus, num_gpus = (settings.pop(name, None) for name in names)
    log_dir = settings.get("log_dir")
    if "://" not in str(log_dir):
        return Terms(on, shards, num_cpus, num_gpus)
    from misstep.scale.places import Away

    address = str(log_dir).rstrip("/")
    settings["log_dir"] = Away(address).home
    return Terms(on, shards, num_cpus, num_gpus, address)


def ready(plans: Sequence[Plan], terms: Terms, how: str) -> str:
    """Check the plans and fetch what another store has of them; which preflight there is.

    A local model is on the nodes alone, which no first question reaches.
    """
    check(plans, terms)
    if any(map(is_local, plans)):
        if how in ("yes", "only"):
            raise BadInput(f"--preflight: {how}: the model is on the nodes alone; with --on: no")
        how = "no"
    if terms.log_dir is not None:
        from misstep.scale.places import Away

        for plan in plans:
            Away(terms.log_dir).fetch(plan.folder)
    return how


def is_local(plan: Plan) -> bool:
    """Whether the model runs on the machine that asks it, on its graphics cards."""
    provider = plan.manifest.model.partition("/")[0]
    server = f"{provider.upper().replace('-', '_')}_BASE_URL"
    is_served = "base_url" in plan.manifest.model_args or server in os.environ
    return provider in LOADED or (provider in SERVING and not is_served)


def is_embedded(plan: Plan) -> bool:
    """Whether the model takes every core of the machine that asks it."""
    return plan.manifest.model.startswith("embedded/")
