"""A Ray cluster of this machine with two nodes of a core each, of which the second may be killed.

Bound to two addresses of the loopback device: Ray takes 127.0.0.1 for the machine's outer address.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ |= {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "[\\s\\S]*",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_worker_niceness": "0",
}

import ray
from ray.cluster_utils import Cluster

HEAD, SECOND = "127.0.0.2", "127.0.0.3"
_MEMORY = 100 * 2**20
_QUICK = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 2_000,
    "health_check_failure_threshold": 3,
}
"""A killed node is noticed in seconds, not after half a minute."""


@contextmanager
def _finding_us() -> Iterator[None]:
    """What is started within it finds the modules beside this one."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = f"{Path(__file__).parent}:{before or ''}"
    try:
        yield
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before


class TwoNodes:
    """Started, and connected to; `close` ends all of it."""

    def __init__(self) -> None:
        head = {
            "num_cpus": 1,
            "node_ip_address": HEAD,
            "include_dashboard": False,
            "object_store_memory": _MEMORY,
            "_system_config": _QUICK,
        }
        with _finding_us():
            self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self._second: Any = None  # Any: a node of Ray's
        self.add_second()
        ray.init(address=self.address, log_to_driver=False, logging_level=logging.ERROR)

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def add_second(self) -> None:
        """Unless it is there."""
        if self._second is None:
            with _finding_us():
                self._second = self._cluster.add_node(
                    num_cpus=1, node_ip_address=SECOND, object_store_memory=_MEMORY
                )

    def kill_second(self) -> None:
        """As a power cut does."""
        second, self._second = self._second, None
        if second is not None:
            self._cluster.remove_node(second, allow_graceful=False)

    def kill_second_when(self, is_time: Callable[[], bool]) -> None:
        """In a thread of its own; not at all where the time doesn't come within two minutes."""

        def wait() -> None:
            until = time.monotonic() + 120
            while not is_time() and time.monotonic() < until:
                time.sleep(0.01)
            if is_time():
                self.kill_second()

        threading.Thread(target=wait, daemon=True).start()

    def close(self) -> None:
        ray.shutdown()
        self._cluster.shutdown()  # type: ignore[no-untyped-call]  # Ray says no types here
