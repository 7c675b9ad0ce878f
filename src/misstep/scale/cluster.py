"""Ray's cluster: joined, or started for this machine alone; quiet, and silent to its makers."""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from misstep.core.errors import BadInput, MisstepError
from misstep.scale.asking import HERE

_LOOPBACK = "127.0.0.1"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is reported to anybody
    "RAY_DEDUP_LOGS_SKIP_REGEX": "[\\s\\S]*",  # Ray's own words would stand among our results
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_enable_metrics_collection": "false",
}


@dataclass(frozen=True)
class Machines:
    """What the cluster has: of each living node its CPUs and GPUs, and which one leads."""

    cpus: tuple[float, ...]
    gpus: tuple[float, ...]
    head: str
    is_ours: bool

    def at_once(self, num_cpus: float, num_gpus: float) -> int:
        """How many tasks of that size run at the same time; 0: no node takes one."""
        return sum(
            int(min(_fit(cpus, num_cpus), _fit(gpus, num_gpus)))
            for cpus, gpus in zip(self.cpus, self.gpus, strict=True)
        )


def _fit(there: float, wanted: float) -> float:
    return there // wanted if wanted else 1e6


@contextmanager
def joined(on: str) -> Iterator[Machines]:
    """Connected to the cluster, for the time within; one that was started for it goes with it.

    A connection that the process has already is used, and left alone.
    """
    os.environ |= _QUIET
    import ray

    if ray.is_initialized():
        yield machines(is_ours=False)
        return
    is_ours = on == HERE and not os.environ.get("RAY_ADDRESS") and not _is_there()
    _connect("local" if is_ours else on)
    try:
        yield machines(is_ours=is_ours)
    finally:
        ray.shutdown()


def _is_there() -> bool:
    """Whether a cluster runs on this machine."""
    from ray._private.services import find_gcs_addresses  # no public way to ask

    return bool(find_gcs_addresses())  # type: ignore[no-untyped-call]  # Ray says no types here


def _connect(address: str) -> None:
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}  # Any: options
    if address == "local":
        quiet |= {"include_dashboard": False, "_node_ip_address": _LOOPBACK}
    try:
        with warnings.catch_warnings():
            # Ray leaves the files of its own logs to the garbage collector, and tells of its plans.
            warnings.simplefilter("ignore")
            ray.init(address=None if address == HERE else address, **quiet)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        first = re.split(r"[\n]|(?<=\.) ", str(error).strip())[0]
        raise BadInput(f"--on: {address}: no cluster answers: {first}") from None


def machines(*, is_ours: bool) -> Machines:
    """The living nodes as they are now."""
    import ray

    listed = ray.nodes()  # type: ignore[no-untyped-call]  # Ray says no types here
    nodes = [node for node in listed if node["Alive"]]
    heads = [node for node in nodes if "node:__internal_head__" in node["Resources"]]
    if not heads:
        raise MisstepError("--on: the cluster has no head node")
    return Machines(
        tuple(node["Resources"].get("CPU", 0.0) for node in nodes),
        tuple(node["Resources"].get("GPU", 0.0) for node in nodes),
        heads[0]["NodeID"],
        is_ours,
    )
